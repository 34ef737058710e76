import assert from "node:assert/strict";
import { test } from "node:test";

import { norms, told } from "../src/view/axes";

const labels = (least: number, greatest: number) => norms(least, greatest).map(told);

test("an axis of norms tells some powers of ten, however large they are", () => {
  assert.deepEqual(labels(3e-3, 2e2), ["1e-2", "1e-1", "1e+0", "1e+1", "1e+2"]);
  for (const [least, greatest] of [[8e12, 3e34], [1e-300, 1e300], [2e15, 5e160]] as const) {
    const found = norms(least, greatest);
    assert.ok(found.length >= 3 && found.length <= 8, String(found));
    assert.ok(found.every((each) => each >= least && each <= greatest && /^1e/.test(told(each))));
  }
});

test("within a decade it tells other numbers", () => {
  assert.deepEqual(labels(1.5, 7), ["2e+0", "5e+0"]);
  assert.deepEqual(labels(0.4, 30), ["1e+0", "1e+1"]);
  assert.deepEqual(labels(2.13, 2.97), ["2.1e+0", "3e+0"]);
});
