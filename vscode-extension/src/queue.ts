/**
 * Runs jobs one after the other, and decides when a crashed server has had enough chances.
 *
 * Nothing here knows VS Code, so that it can be tested alone.
 */

/** A line in which at most one job runs and at most one waits. */
export class Queue {
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;

  /** Runs the job when the present one has ended; a job that already waits stands for both. */
  add(job: () => Promise<void>): Promise<void> {
    if (this.waiting) {
      return this.waiting;
    }
    if (!this.running) {
      return this.begin(job);
    }
    const next = this.running.then(settled, settled).then(() => {
      this.waiting = undefined;
      return this.begin(job);
    });
    this.waiting = next;
    return next;
  }

  private begin(job: () => Promise<void>): Promise<void> {
    const run = job().finally(() => {
      if (this.running === run) {
        this.running = undefined;
      }
    });
    this.running = run;
    return run;
  }
}

const CHANCES = 3;
const WINDOW = 3 * 60 * 1000;

/** Tells whether a server that crashed at these times (milliseconds, last one now) starts again. */
export function deservesRestart(crashes: readonly number[]): boolean {
  const now = crashes.at(-1) ?? 0;
  return crashes.filter((time) => now - time <= WINDOW).length <= CHANCES;
}

function settled(): void {}
