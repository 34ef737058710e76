/**
 * The runs that were recorded: rows of numbers, and what each is about.
 *
 * Nothing here knows VS Code, nor what the numbers mean; the debug adapter says how columns are
 * called. A file has a line of JSON for each row, with all that is known of it.
 */

/** What rows are about: a variable, and the line of the program that it belongs to. */
export interface Variable {
  id: number;
  variable: string;
  derivative: string;
  path: string;
  line: number;
}

/** Some rows, as they come; `variables` are those that are new. */
export interface Part {
  columns: readonly string[];
  variables: readonly Variable[];
  rows: readonly (readonly number[])[];
  isCut?: boolean;
}

/** The columns that a file has beside what it says of the variable. */
const COLUMNS = ["step", "variable", "pass", "norm", "max", "bad", "size"] as const;

/** One run. */
export class Run {
  readonly variables = new Map<number, Variable>();
  readonly rows: (readonly number[])[] = [];
  columns: readonly string[] = COLUMNS;
  isCut = false;

  constructor(readonly name: string) {}

  add(part: Part): void {
    this.columns = part.columns;
    this.isCut ||= part.isCut ?? false;
    part.variables.forEach((each) => this.variables.set(each.id, each));
    part.rows.forEach((row) => this.rows.push(row));
  }

  /** All of it at once. */
  whole(): Part {
    const { columns, rows, isCut } = this;
    return { columns, rows, isCut, variables: [...this.variables.values()] };
  }

  /** The text of a file. */
  text(): string {
    const lines = this.rows.map((row) => {
      const held = Object.fromEntries(this.columns.map((name, at) => [name, row[at]]));
      const { id: _, ...about } = this.variables.get(held["variable"] ?? -1) ?? { id: 0 };
      return `${JSON.stringify({ ...held, ...about })}\n`;
    });
    return lines.join("");
  }

  /** The run that a file holds; throws a readable error where it is no such file. */
  static read(name: string, text: string): Run {
    const run = new Run(name);
    const ids = new Map<string, number>();
    for (const [at, line] of text.split("\n").entries()) {
      if (line.trim()) {
        const { variable, derivative, path, line: number, ...held } = parsed(line, at + 1);
        const key = JSON.stringify([variable, derivative, path, number]);
        const id = ids.get(key) ?? ids.size;
        if (!ids.has(key)) {
          ids.set(key, id);
          run.variables.set(id, { id, variable, derivative, path, line: number });
        }
        run.rows.push(COLUMNS.map((name) => (name === "variable" ? id : held[name])));
      }
    }
    return run;
  }
}

type Line = Omit<Variable, "id"> & Record<Exclude<(typeof COLUMNS)[number], "variable">, number>;

function parsed(line: string, number: number): Line {
  let held: Partial<Line> | null = null;
  try {
    held = JSON.parse(line) as Partial<Line> | null;
  } catch {
    // said below
  }
  if (typeof held?.variable !== "string" || typeof held.norm !== "number") {
    throw new Error(`line ${number} is not one of recorded gradients`);
  }
  return held as Line;
}
