/** The page of recorded gradients: a table of variables beside two plots, linked by what is chosen. */

import "uplot/dist/uPlot.min.css";
import "./page.css";

import type { Part } from "../recorded";
import { element, table } from "./page";
import { type Content, type Line, type Listener, Plot } from "./plots";
import { floorOf, type Moment, type Point, Shown } from "./series";

declare function acquireVsCodeApi(): { postMessage(asked: unknown): void };

const host = acquireVsCodeApi();
const runs: Shown[] = [];
let chosen = { run: 0, derivative: "", step: 0, isLast: true };
let summary = "";
let isDue = false;

const bar = element("header", document.body);
const state = element("span", bar);
const choice = element("select", bar);
const parts = element("input", element("label", bar, "", "parts of gradients"));
parts.type = "checkbox";
parts.onchange = () => draw();
const readout = element("span", bar, "readout");
const main = element("main", document.body);
const rows = element("section", main, "variables");
const plots = element("section", main, "plots");
const overSteps = new Plot(element("div", plots), listener((place) => (chosen.step = place)));
const overSweep = new Plot(element("div", plots), listener());
choice.onchange = () => {
  chosen = { run: Number(choice.value), derivative: "", step: 0, isLast: true };
  draw();
};

type Told = { state: string } | (Part & { run: number; name?: string });

window.addEventListener("message", ({ data }: MessageEvent<Told>) => {
  if ("state" in data) {
    state.textContent = data.state;
  } else {
    take(data);
  }
});
host.postMessage({ is: "ready" });

function take(data: Exclude<Told, { state: string }>): void {
  if (!runs[data.run] || data.name !== undefined) {
    const isNew = !runs[data.run];
    runs[data.run] = new Shown(data.name ?? "");
    chosen = isNew ? { run: data.run, derivative: "", step: 0, isLast: true } : chosen;
    choice.replaceChildren(...runs.map((each, at) => new Option(each.name, String(at))));
  }
  runs[data.run]!.add(data);
  if (!isDue && data.run === chosen.run) {
    isDue = true;
    setTimeout(draw, 200);
  }
}

function draw(): void {
  isDue = false;
  const run = runs[chosen.run];
  if (!run?.rows.length) {
    return;
  }
  choice.value = String(chosen.run);
  chosen.derivative ||= run.of(run.rows.at(-1)![run.columns.indexOf("variable")]!);
  const steps = run.steps(chosen.derivative);
  chosen.step = chosen.isLast ? steps.at(-1)! : chosen.step;
  table(rows, run, run.chosen(parts.checked), { focus, click: go });
  overSteps.show(stepsOf(run, steps));
  overSweep.show(sweepOf(run, run.sweep(chosen.derivative, chosen.step)));
  const cut = run.isCut ? "; the first ones are lost" : "";
  summary = `${run.rows.length} rows${cut}; a click opens the line`;
  readout.textContent = summary;
}

function stepsOf(run: Shown, steps: number[]): Content {
  const all = run.chosen(parts.checked).filter(({ id }) => run.of(id) === chosen.derivative);
  const points = all.map((each) => steps.map((step) => each.points.get(step)));
  const lines = all.map(({ id }, at) => lineOf(run, id, points[at]!));
  const bad = new Set(steps.filter((_, at) => points.some((each) => each[at]?.bad)));
  const title = `${chosen.derivative}: norms over steps`;
  const names = steps.map((step) => `step ${step}`);
  return { title, places: steps, names, lines: lifted(lines), bad, chosen: chosen.step };
}

function sweepOf(run: Shown, moments: Moment[]): Content {
  const all = [...new Set(moments.map(({ id }) => id))];
  const ids = all.filter((id) => parts.checked || !run.isPart(id));
  const lines = ids.map((wanted) =>
    lineOf(run, wanted, moments.map((each) => (each.id === wanted ? each : undefined))),
  );
  const places = moments.map((_, at) => at + 1);
  const bad = new Set(places.filter((_, at) => moments[at]!.bad));
  const names = moments.map(({ pass, passes }) => (passes > 1 ? `pass ${pass} of ${passes}` : ""));
  return { title: `along the sweep of step ${chosen.step}`, places, names, lines: lifted(lines), bad };
}

function lineOf(run: Shown, id: number, points: (Point | undefined)[]): Line {
  const { variable, path, line } = run.variables.get(id)!;
  const label = `${variable}, ${path.split(/[\\/]/).at(-1)}:${line}`;
  const values = points.map((each) => (each?.bad ? undefined : each?.norm));
  return { id, label, values };
}

/** Lines for a logarithmic axis: what is zero lies at the bottom. */
function lifted(lines: Line[]): Line[] {
  const floor = floorOf(lines.flatMap(({ values }) => values.map((each) => each ?? 0)));
  const values = (line: Line) => line.values.map((each) => each === undefined ? each : Math.max(each, floor));
  return lines.map((line) => ({ ...line, values: values(line) }));
}

function listener(choose?: (place: number) => void): Listener {
  return {
    over: (text) => (readout.textContent = text || summary),
    click: (line, place) => {
      chosen.isLast = false;
      choose?.(place);
      draw();
      if (line) {
        go(line.id);
      }
    },
  };
}

function focus(id: number | undefined): void {
  overSteps.focus(id);
  overSweep.focus(id);
}

function go(id: number): void {
  const run = runs[chosen.run]!;
  const { path, line, derivative } = run.variables.get(id)!;
  if (derivative !== chosen.derivative) {
    chosen = { ...chosen, derivative, isLast: true };
    draw();
  }
  focus(id);
  host.postMessage({ is: "go", path, line });
}
