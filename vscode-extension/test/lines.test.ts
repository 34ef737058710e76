import assert from "node:assert/strict";
import { test } from "node:test";

import { backwardLines, derivativeLines, functionAt, primalPlace } from "../src/lines";

const URI = "file:///model.py";

function mapped(line: number, role: string, first: number, last = first, uri = URI) {
  const range = { start: { line: first, character: 4 }, end: { line: last, character: 20 } };
  return { line, role, primal: { uri, range } };
}

const MAP = [
  mapped(3, "primal", 10),
  mapped(4, "primal", 11, 14), // a loop
  mapped(5, "save", 12),
  mapped(6, "primal", 12),
  mapped(9, "restore", 12),
  mapped(10, "adjoint", 12),
  mapped(12, "adjoint", 10),
  mapped(13, "adjoint", 12, 12, "file:///other.py"),
];

test("finds the lines of the derivative that come from a line of the primal", () => {
  assert.deepEqual(derivativeLines(MAP, URI, 10), [2, 11]);
  assert.deepEqual(derivativeLines(MAP, URI, 99), []);
  assert.deepEqual(derivativeLines(MAP, "file:///other.py", 12), [12]);
});

test("prefers the innermost statement to the loop around it", () => {
  assert.deepEqual(derivativeLines(MAP, URI, 12), [4, 5, 8, 9]);
  assert.deepEqual(derivativeLines(MAP, URI, 13), [3]);
});

test("tells the backward sweep from the forward sweep", () => {
  assert.deepEqual(backwardLines(MAP, URI, 12), [8, 9]);
  assert.deepEqual(backwardLines(MAP, URI, 11), []);
});

test("finds where a line of the derivative comes from", () => {
  assert.equal(primalPlace(MAP, 11)?.range.start.line, 10);
  assert.equal(primalPlace(MAP, 12)?.uri, "file:///other.py");
  assert.equal(primalPlace(MAP, 0), undefined);
});

const TEXT = `import numpy as np

@differentiable
def first(
    x,
):
    y = x

    return y

print(first(1))

async def second(x):
    def inner(): ...
    return x
`;

test("names the top-level function around a line", () => {
  const names = TEXT.split("\n").map((_, line) => functionAt(TEXT, line));
  const nothing = undefined;
  assert.deepEqual(names.slice(0, 2), [nothing, nothing]);
  assert.deepEqual(new Set(names.slice(2, 10)), new Set(["first"]));
  assert.deepEqual(names.slice(10, 12), [nothing, nothing]);
  assert.deepEqual(new Set(names.slice(12)), new Set(["second"]));
});
