/** The two plots: norms over steps, and along the sweep of one step. Both axes of norms are log. */

import uPlot from "uplot";

import { colorOf, NEAR, near, norms, told } from "./axes";

/** A line of a plot: its values at each place of the axis, undefined where there is none. */
export interface Line {
  id: number;
  label: string;
  values: (number | undefined)[];
}

/** What a plot shows. */
export interface Content {
  title: string;
  places: number[];
  /** What the places are called. */
  names: string[];
  lines: Line[];
  /** Places where something was not finite. */
  bad: ReadonlySet<number>;
  chosen?: number | undefined;
}

/** What a plot tells: what the mouse is near to, and what was clicked. */
export interface Listener {
  over(text: string): void;
  click(line: Line | undefined, place: number): void;
}

const TITLE = 40;
const LEAST = { width: 200, height: 140 };

/** A plot in an element, drawn anew for each content. */
export class Plot {
  private plot: uPlot | undefined;
  private content: Content | undefined;
  private focused: number | null = null;

  constructor(
    private readonly element: HTMLElement,
    private readonly listener: Listener,
  ) {
    const observer = new ResizeObserver(() => this.plot?.setSize(this.size()));
    observer.observe(element);
    observer.observe(element.parentElement!); // the height is that of the room, not of the plot
  }

  show(content: Content): void {
    this.content = content;
    this.plot?.destroy();
    const data = [content.places, ...content.lines.map(({ values }) => values)];
    this.plot = new uPlot(this.options(content), data as uPlot.AlignedData, this.element);
    this.plot.over.addEventListener("click", () => {
      const place = this.place();
      if (place !== undefined) {
        this.listener.click(this.line(), place);
      }
    });
  }

  /** Lets one line stand out. */
  focus(id: number | undefined): void {
    const at = this.content?.lines.findIndex((each) => each.id === id) ?? -1;
    this.plot?.setSeries(at < 0 ? null : at + 1, { focus: true });
  }

  private options({ title, lines, places }: Content): uPlot.Options {
    const color = style("--vscode-foreground");
    const grid = { stroke: style("--vscode-editorIndentGuide-background1"), width: 1 };
    const axis = { stroke: color, grid, ticks: grid };
    const splits = (_: uPlot, __: number, least: number, greatest: number) => norms(least, greatest);
    // without an increment that is wide enough, measured as on a linear axis, nothing is drawn
    const incrs = (_: uPlot, __: number, least: number, greatest: number) => [Math.max(5, greatest - least)];
    const values = (_: uPlot, all: number[]) => all.map(told);
    const all = (_: uPlot, each: number[]) => each;
    return {
      ...this.size(),
      title,
      legend: { show: false },
      cursor: { focus: { prox: NEAR }, drag: { x: true, y: false }, dataIdx: near },
      focus: { alpha: 0.25 },
      scales: { x: { time: false }, y: { distr: 3 } },
      axes: [axis, { ...axis, size: 56, incrs, splits, values, filter: all }],
      series: [
        {},
        ...lines.map(({ id, label }) => ({
          label,
          stroke: colorOf(id),
          width: 1.5,
          spanGaps: true,
          points: { show: places.length < 120, size: 5 },
        })),
      ],
      hooks: {
        drawClear: [(plot) => this.mark(plot)],
        setCursor: [({ cursor }) => this.listener.over(this.told(cursor.idxs))],
        setSeries: [(_, focused) => (this.focused = focused)],
      },
    };
  }

  /** Paints what is not finite, and the place that is chosen, behind the lines. */
  private mark({ ctx, bbox, valToPos }: uPlot): void {
    const paint = (place: number, color: string) => {
      ctx.fillStyle = color;
      ctx.fillRect(valToPos(place, "x", true) - 1.5, bbox.top, 3, bbox.height);
    };
    this.content?.bad.forEach((place) => paint(place, "rgba(229, 20, 0, 0.35)"));
    if (this.content?.chosen !== undefined) {
      paint(this.content.chosen, "rgba(128, 128, 128, 0.5)");
    }
  }

  private told(places: (number | null)[] = []): string {
    const [line, at] = [this.line(), places[this.focused ?? 0] ?? -1];
    const value = line?.values[at];
    const where = [line?.label, this.content?.names[at]].filter(Boolean).join(", ");
    return value === undefined ? "" : `${where}: ${value.toPrecision(4)}`;
  }

  private line(): Line | undefined {
    return this.focused ? this.content?.lines[this.focused - 1] : undefined;
  }

  private place(): number | undefined {
    const at = this.plot?.cursor.idx;
    return at == null ? undefined : this.content?.places[at];
  }

  private size(): { width: number; height: number } {
    const room = (this.element.parentElement?.clientHeight ?? 0) - TITLE;
    const width = Math.max(LEAST.width, this.element.clientWidth);
    return { width, height: Math.max(LEAST.height, room) };
  }
}

/** A color of the editor's theme. */
function style(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name) || "gray";
}
