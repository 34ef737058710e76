/** One server process and the language client that speaks to it. */

import { type ChildProcess, spawn } from "node:child_process";
import type * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient } from "vscode-languageclient/node";

import { uriConverters } from "./adjoint";
import type { Interpreter } from "./interpreter";

const FILES = [
  { language: "python", scheme: "file" },
  { language: "python", scheme: "untitled" },
];

/** A server that was started once; it is not started again. */
export interface Connection {
  client: LanguageClient;
  /** Settles when the process has ended, with what it said last or how it ended. */
  ended: Promise<string>;
  kill(): void;
}

/**
 * Makes a connection, which starts with its client. `onCrash` hears of an end that nobody asked for,
 * `onRecorded` of a program that has run and recorded what it calls functions with.
 */
export function connect(
  interpreter: Interpreter,
  log: vscode.LogOutputChannel,
  onCrash: (connection: Connection) => void,
  onRecorded: () => void,
): Connection {
  let child: ChildProcess | undefined;
  let settle: (words: string) => void;
  const ended = new Promise<string>((resolve) => {
    settle = resolve;
  });
  const start = (): Promise<ChildProcess> => {
    const args = [...interpreter.args, "server", "--stdio"];
    child = spawn(interpreter.command, args, interpreter.options);
    watch(child, settle);
    return Promise.resolve(child);
  };
  const client = new QuietClient("adlsp", "adlsp", start, {
    documentSelector: FILES,
    outputChannel: log,
    uriConverters,
    initializationOptions: { hearsOfRuns: true },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        if (client.isRunning()) {
          onCrash(connection);
        }
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    initializationFailedHandler: () => false,
  });
  client.onNotification("adlsp/recorded", onRecorded);
  const connection = { client, ended, kill: () => void child?.kill() };
  return connection;
}

/** Writes its troubles to the log only: what the user is told is one message, and ours. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

function watch(child: ChildProcess, settle: (words: string) => void): void {
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = text.trim().split("\n").at(-1) || words;
  });
  child.on("error", (error) => settle(error.message));
  child.on("close", (code, signal) => {
    settle(words || (signal ? `ended by ${signal}` : `ended with status ${code}`));
  });
}
