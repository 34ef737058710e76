/** Rows as the page shows them: a series for each variable over steps, and all of one step. */

import { Run } from "../recorded";

/** What a variable was in one step; of several passes, `norm` is the last one's, NaN if bad. */
export interface Point {
  norm: number;
  bad: number;
}

/** A variable over all steps; extremes leave out what is bad. */
export interface Series {
  id: number;
  points: Map<number, Point>;
  last: number;
  least: number;
  greatest: number;
  max: number;
  bad: number;
}

/** A row of one step: the variable, which pass it is of how many, and how large. */
export interface Moment extends Point {
  id: number;
  pass: number;
  passes: number;
}

/** A run, and its series by variable. */
export class Shown extends Run {
  readonly series = new Map<number, Series>();

  override add(part: Parameters<Run["add"]>[0]): void {
    super.add(part);
    const [step, id, norm, max, bad] = this.at("step", "variable", "norm", "max", "bad");
    for (const row of part.rows) {
      this.note(row[id!]!, row[step!]!, row[norm!]!, row[max!]!, row[bad!]!);
    }
  }

  /** The steps of a derivative that were recorded, in order. */
  steps(derivative: string): number[] {
    const found = [...this.series.values()].filter((each) => this.of(each.id) === derivative);
    return [...new Set(found.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
  }

  /**
   * What came in one step of a derivative, in order: the sweep.
   *
   * Passes count as the program takes them, so that of adjoints the last one comes first.
   */
  sweep(derivative: string, step: number): Moment[] {
    const at = this.at("step", "variable", "pass", "norm", "bad");
    const moments: Moment[] = [];
    for (const row of this.rows) {
      const [when, id, pass, norm, bad] = at.map((column) => row[column]!);
      if (when === step && this.of(id!) === derivative) {
        moments.push({ id: id!, pass: pass!, passes: 0, norm: bad ? NaN : norm!, bad: bad! });
      }
    }
    const passes = new Map(moments.map(({ id, pass }) => [id, pass]));
    return moments.map((each) => {
      const all = passes.get(each.id)!;
      return { ...each, passes: all, pass: this.isTangent(each.id) ? each.pass : all + 1 - each.pass };
    });
  }

  private isTangent(id: number): boolean {
    return /_dot(_\d+)?$/.test(this.variables.get(id)?.variable ?? "");
  }

  /** The series to show: those of parts of gradients, `w_bar_2`, only where these are wanted. */
  chosen(withParts: boolean): Series[] {
    return [...this.series.values()].filter(({ id }) => withParts || !this.isPart(id));
  }

  /** Whether a variable is a part that is added to another one, which is there, too. */
  isPart(id: number): boolean {
    const { variable, derivative } = this.variables.get(id)!;
    const whole = variable.replace(/(_(?:bar|dot))_\d+$/, "$1");
    const others = [...this.variables.values()].filter((each) => each.derivative === derivative);
    return whole !== variable && others.some((each) => each.variable === whole);
  }

  /** The derivative that a variable is of. */
  of(id: number): string {
    return this.variables.get(id)?.derivative ?? "";
  }

  private note(id: number, step: number, norm: number, max: number, bad: number): void {
    let series = this.series.get(id);
    if (!series) {
      const none = { last: NaN, least: Infinity, greatest: -Infinity, max: -Infinity, bad: 0 };
      series = { id, points: new Map(), ...none };
      this.series.set(id, series);
    }
    series.last = bad ? NaN : norm;
    series.points.set(step, { norm: series.last, bad: bad + (series.points.get(step)?.bad ?? 0) });
    series.bad += bad;
    if (!bad) {
      series.least = Math.min(series.least, norm);
      series.greatest = Math.max(series.greatest, norm);
      series.max = Math.max(series.max, max);
    }
  }

  private at(...names: string[]): number[] {
    return names.map((name) => this.columns.indexOf(name));
  }
}

/** The least that a logarithmic axis shows: below all that is not zero. */
export function floorOf(norms: Iterable<number>): number {
  let least = Infinity;
  for (const norm of norms) {
    if (norm > 0 && norm < least) {
      least = norm;
    }
  }
  return least === Infinity ? 1e-12 : least / 10;
}
