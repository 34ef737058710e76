import assert from "node:assert/strict";
import { test } from "node:test";

import { documentAddress, STAGES } from "../src/stages";

const TARGET = { uri: "file:///my%20project/a%26b.py", function: "loss" };

test("the address of a derivative names the primal", () => {
  const { path, query } = documentAddress(TARGET);
  assert.equal(path, "/loss_adjoint.py");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(query)), TARGET);
});

test("the address of a stage before it names the stage, and the tab shows it", () => {
  const { path, query } = documentAddress(TARGET, "facts");
  assert.equal(path, "/loss.facts");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(query)), { ...TARGET, stage: "facts" });
});

test("each stage says what it shows, and each has an address of its own", () => {
  const stages = Object.keys(STAGES) as (keyof typeof STAGES)[];
  assert.equal(stages.at(-1), "optimized");
  assert.equal(new Set(stages.map((each) => documentAddress(TARGET, each).path)).size, 5);
});
