import assert from "node:assert/strict";
import { test } from "node:test";

import { deservesRestart, Queue } from "../src/queue";

const SECOND = 1000;

/** A job that ends when told to, and the number of its runs and of those at the same time. */
function slowJob() {
  const counts = { runs: 0, atOnce: 0, most: 0 };
  const ends: (() => void)[] = [];
  const job = async () => {
    counts.runs++;
    counts.most = Math.max(counts.most, ++counts.atOnce);
    await new Promise<void>((resolve) => ends.push(resolve));
    counts.atOnce--;
  };
  return { counts, job, end: () => ends.shift()?.() };
}

test("never runs two jobs at once, and lets one waiting job stand for all", async () => {
  const queue = new Queue();
  const { counts, job, end } = slowJob();
  const first = queue.add(job);
  const second = queue.add(job);
  const third = queue.add(job);
  assert.equal(second, third);
  assert.equal(counts.runs, 1);
  end();
  await first;
  await new Promise(setImmediate);
  assert.equal(counts.runs, 2);
  const fourth = queue.add(job);
  assert.notEqual(fourth, third);
  end();
  await second;
  await new Promise(setImmediate);
  end();
  await fourth;
  assert.deepEqual(counts, { runs: 3, atOnce: 0, most: 1 });
});

test("goes on after a job that failed", async () => {
  const queue = new Queue();
  await assert.rejects(
    queue.add(() => Promise.reject(new Error("broken"))),
    /broken/,
  );
  const { counts, job, end } = slowJob();
  const next = queue.add(job);
  end();
  await next;
  assert.equal(counts.runs, 1);
});

test("gives a crashing server three more chances in three minutes", () => {
  assert.ok(deservesRestart([0]));
  assert.ok(deservesRestart([0, 1, 2].map((each) => each * SECOND)));
  assert.ok(!deservesRestart([0, 1, 2, 3].map((each) => each * SECOND)));
  assert.ok(deservesRestart([0, 1, 2, 400].map((each) => each * SECOND)));
});
