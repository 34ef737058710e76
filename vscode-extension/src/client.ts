/**
 * The connection to the language server, from its start to its end.
 *
 * Every start goes through one queue, whoever asks for it (activation, the command, a changed
 * interpreter, a crash), so that there is never more than one server. Each start makes a client of
 * its own: what a dead one had registered is gone with it.
 */

import { type ChildProcess, spawn } from "node:child_process";
import type * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient } from "vscode-languageclient/node";

import { uriConverters } from "./adjoint";
import { findInterpreter, type Interpreter, NoInterpreter } from "./interpreter";
import { lastWords } from "./process";
import { offerRestart, offerSetting } from "./prompts";
import { deservesRestart, Queue } from "./queue";
import type { Status } from "./status";

const FILES = [
  { language: "python", scheme: "file" },
  { language: "python", scheme: "untitled" },
];

/** The server of this window. */
export class Server implements vscode.Disposable {
  private readonly queue = new Queue();
  private client: LanguageClient | undefined;
  private process: ChildProcess | undefined;
  private crashes: number[] = [];
  private ended: Promise<string> = Promise.resolve("");

  /** `home` is the folder in which interpreters run. */
  constructor(
    private readonly home: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Stops the server if there is one, and starts it anew. */
  restart(): Promise<void> {
    this.crashes = [];
    return this.queue.add(() => this.startAgain());
  }

  /** Sends a request; throws an error with a readable message where no server runs. */
  async request<Answer>(method: string, params: object): Promise<Answer> {
    if (!this.client?.isRunning()) {
      throw new Error("The adlsp server is not running (see the log for the reason).");
    }
    return this.client.sendRequest<Answer>(method, params);
  }

  async dispose(): Promise<void> {
    await this.stop();
  }

  private async startAgain(): Promise<void> {
    this.status.show({ is: "starting" });
    await this.stop();
    try {
      const interpreter = await findInterpreter(this.home);
      this.log.info(`Starting the server with ${interpreter.command}`);
      this.client = this.makeClient(interpreter);
      await this.client.start();
      this.status.show({ is: "ready", interpreter: interpreter.command });
    } catch (error) {
      await this.explain(error);
    }
  }

  private async stop(): Promise<void> {
    const { client, process } = this;
    this.client = undefined;
    this.process = undefined;
    if (client?.isRunning()) {
      await client.stop().catch((error: unknown) => this.log.warn(String(error)));
    }
    await client?.dispose().catch(() => undefined); // a client that never started refuses
    process?.kill();
  }

  private async explain(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(message);
    if (error instanceof NoInterpreter) {
      this.status.show({ is: "stopped", reason: message });
      void offerSetting(message);
    } else {
      await this.stop();
      const reason = (await this.ended) || message;
      this.status.show({ is: "crashed", reason });
      void offerRestart(`The adlsp server did not start: ${reason}`);
    }
  }

  private makeClient(interpreter: Interpreter): LanguageClient {
    const client: LanguageClient = new LanguageClient(
      "adlsp",
      "adlsp",
      () => this.spawn(interpreter),
      {
        documentSelector: FILES,
        outputChannel: this.log,
        uriConverters,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => {
            void this.onClosed(client);
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
        initializationFailedHandler: () => false,
        markdown: { isTrusted: false, supportHtml: false },
      },
    );
    return client;
  }

  private spawn(interpreter: Interpreter): Promise<ChildProcess> {
    const args = [...interpreter.args, "server", "--stdio"];
    const child = spawn(interpreter.command, args, { cwd: interpreter.cwd });
    this.process = child;
    this.ended = lastWords(child);
    return Promise.resolve(child);
  }

  /** Starts a server that ended by itself again, unless it does nothing but crash. */
  private async onClosed(client: LanguageClient): Promise<void> {
    if (client !== this.client || !client.isRunning()) {
      return;
    }
    this.crashes.push(Date.now());
    const reason = await this.ended;
    this.log.error(`The server crashed: ${reason}`);
    this.status.show({ is: "crashed", reason });
    if (deservesRestart(this.crashes)) {
      await this.queue.add(() => this.startAgain());
    } else {
      void offerRestart(`The adlsp server keeps crashing: ${reason}`);
    }
  }
}
