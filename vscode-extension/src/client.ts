/**
 * The language server of a window, from its start to its end.
 *
 * Every start goes through one queue, whoever asks for it (activation, the command, a changed
 * interpreter, a crash), so that there is never more than one server. Each start makes a client of
 * its own: what a dead one had registered is gone with it.
 */

import * as vscode from "vscode";

import { type Connection, connect } from "./connection";
import { findServerInterpreter, NoInterpreter } from "./interpreter";
import { offerRestart, offerSetting } from "./prompts";
import { deservesRestart, Queue } from "./queue";
import type { Status } from "./status";

const START_PATIENCE = 60_000;
const END_PATIENCE = 3000;

/** The server of this window. */
export class Server {
  private readonly queue = new Queue();
  private connection: Connection | undefined;
  private begun: Promise<void> = Promise.resolve();
  private crashes: number[] = [];
  private readonly recorded = new vscode.EventEmitter<void>();

  /** Fires when a program has run: what is derived for its arguments may be another text now. */
  readonly onDidRecord = this.recorded.event;

  /** `home` is the folder in which interpreters run. */
  constructor(
    private readonly home: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Stops the server if there is one, and starts it anew. */
  restart(): Promise<void> {
    this.crashes = [];
    return this.enqueue();
  }

  /** Sends a request, once the server has started; throws a readable error where none runs. */
  async request<Answer>(method: string, params: object): Promise<Answer> {
    await this.begun;
    if (!this.connection?.client.isRunning()) {
      throw new Error("The adlsp server is not running (see the log for the reason).");
    }
    return this.connection.client.sendRequest<Answer>(method, params);
  }

  async stop(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    if (connection?.client.isRunning()) {
      await connection.client.stop().catch((error: unknown) => this.log.warn(String(error)));
    }
    await connection?.client.dispose().catch(() => undefined); // refused if it never started
    connection?.kill();
  }

  private enqueue(): Promise<void> {
    this.begun = this.queue.add(() => this.startAgain());
    return this.begun;
  }

  private async startAgain(): Promise<void> {
    this.status.show({ is: "starting" });
    await this.stop();
    try {
      const interpreter = await findServerInterpreter(this.home);
      const title = interpreter.command + (interpreter.isBundled ? " (bundled copy of adlsp)" : "");
      this.log.info(`Starting the server with ${title}`);
      this.connection = connect(
        interpreter,
        this.log,
        (crashed) => void this.onCrash(crashed),
        () => this.recorded.fire(),
      );
      await within(START_PATIENCE, this.connection.client.start());
      this.status.show({ is: "ready", interpreter: title });
    } catch (error) {
      await this.explain(error);
    }
  }

  private async explain(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(message);
    if (error instanceof NoInterpreter) {
      this.status.show({ is: "stopped", reason: message });
      void offerSetting(message);
      return;
    }
    const { connection } = this;
    await this.stop();
    const reason = connection ? await within(END_PATIENCE, connection.ended, message) : message;
    this.status.show({ is: "crashed", reason });
    void offerRestart(`The adlsp server did not start: ${reason}`);
  }

  /** Starts a server that ended by itself again, unless it does nothing but crash. */
  private async onCrash(crashed: Connection): Promise<void> {
    if (crashed !== this.connection) {
      return;
    }
    this.crashes.push(Date.now());
    const reason = await crashed.ended;
    this.log.error(`The server crashed: ${reason}`);
    this.status.show({ is: "crashed", reason });
    if (deservesRestart(this.crashes)) {
      await this.enqueue();
    } else {
      void offerRestart(`The adlsp server keeps crashing: ${reason}`);
    }
  }
}

/** Waits for a result so long; then gives the other one, or fails without one. */
function within<Result>(time: number, result: Promise<Result>, other?: Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (other === undefined) {
        reject(new Error(`no answer within ${time / 1000} seconds`));
      } else {
        resolve(other);
      }
    }, time);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
