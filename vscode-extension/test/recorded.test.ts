import assert from "node:assert/strict";
import { test } from "node:test";

import { Run } from "../src/recorded";
import { floorOf, Shown } from "../src/view/series";

const COLUMNS = ["step", "variable", "pass", "norm", "max", "bad", "size"];
const H = { id: 0, variable: "h_bar", derivative: "loss_grad", path: "/a/model.py", line: 6 };
const W = { id: 1, variable: "w", derivative: "loss_grad", path: "/a/model.py", line: 3 };
const ROWS = [
  [0, 0, 1, 4, 2, 0, 4],
  [0, 0, 2, 8, 4, 0, 4],
  [0, 1, 1, 0, 0, 0, 9],
  [1, 0, 1, 5, 3, 0, 4],
  [1, 0, 2, 2, 1, 3, 4],
  [1, 1, 1, 7, 6, 2, 9],
];

function filled<Kind extends Run>(run: Kind): Kind {
  run.add({ columns: COLUMNS, variables: [H], rows: ROWS.slice(0, 2) });
  run.add({ columns: COLUMNS, variables: [W], rows: ROWS.slice(2) });
  return run;
}

test("a run is written as lines of JSON, and read again", () => {
  const text = filled(new Run("one")).text();
  const first = JSON.parse(text.split("\n")[0] ?? "") as object;
  const { id: _, ...about } = H;
  assert.deepEqual(first, { step: 0, pass: 1, norm: 4, max: 2, bad: 0, size: 4, ...about });
  const again = Run.read("again", text);
  assert.deepEqual(again.rows, ROWS);
  assert.deepEqual([...again.variables.values()], [H, W]);
  assert.equal(again.text(), text);
});

test("another file is refused with its line", () => {
  const line = filled(new Run("one")).text().split("\n")[0] ?? "";
  for (const other of ["no", "null", "{}", "[1]"]) {
    assert.throws(() => Run.read("x", `${line}\n\n${other}\n`), /line 3 is not one of recorded/);
  }
});

test("series have the last pass of each step, and extremes over all", () => {
  const { series } = filled(new Shown("one"));
  const { points, ...rest } = series.get(0)!;
  assert.deepEqual([...points], [[0, { norm: 8, bad: 0 }], [1, { norm: NaN, bad: 3 }]]);
  assert.deepEqual(rest, { id: 0, last: NaN, least: 4, greatest: 8, max: 4, bad: 3 });
});

test("a sweep has what came in one step, in order", () => {
  const run = filled(new Shown("one"));
  assert.deepEqual(run.steps("loss_grad"), [0, 1]);
  assert.deepEqual(run.steps("other_grad"), []);
  const moments = run.sweep("loss_grad", 1).map(({ id, norm }) => [id, norm]);
  assert.deepEqual(moments, [[0, 5], [0, NaN], [1, NaN]]);
});

test("passes count as the program takes them: the last one's adjoint comes first", () => {
  const run = filled(new Shown("one"));
  const passes = () => run.sweep("loss_grad", 1).map(({ pass, passes }) => [pass, passes]);
  assert.deepEqual(passes(), [[2, 2], [1, 2], [1, 1]]);
  run.variables.set(H.id, { ...H, variable: "h_dot" });
  assert.deepEqual(passes(), [[1, 2], [2, 2], [1, 1]]);
});

test("what is zero lies below all else", () => {
  assert.equal(floorOf([0, 5, 1, 3]), 0.1);
  assert.ok(floorOf([0, 0]) > 0);
});

test("parts of a gradient are shown where they are wanted", () => {
  const run = filled(new Shown("one"));
  const names = ["h_bar_2", "h_2_bar", "k_bar_3"];
  const variables = names.map((variable, at) => ({ ...H, id: at + 2, variable }));
  const rows = variables.map(({ id }) => [1, id, 1, 1, 1, 0, 4]);
  run.add({ columns: COLUMNS, variables, rows });
  const shown = (withParts: boolean) => run.chosen(withParts).map(({ id }) => run.variables.get(id)?.variable);
  assert.deepEqual(shown(false), ["h_bar", "w", "h_2_bar", "k_bar_3"]);
  assert.deepEqual(shown(true), ["h_bar", "w", ...names]);
});
