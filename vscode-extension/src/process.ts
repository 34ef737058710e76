/** Child processes: what they say before they end. */

import type { ChildProcess } from "node:child_process";

/** Waits for the end of a process and says what it said last, or how it ended. */
export function lastWords(child: ChildProcess): Promise<string> {
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = text.trim().split("\n").at(-1) || words;
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => {
      resolve(words || (signal ? `ended by ${signal}` : `ended with status ${code}`));
    });
  });
}
