/** The view of recorded gradients: has runs recorded, shown, written to files and read again. */

import { basename } from "node:path";
import * as vscode from "vscode";

import { fill, showLine } from "./page";
import { type Part, Run } from "./recorded";

const TYPE = "adlsp";
const VIEW = "adlsp.gradients";
const FILES = { "Recorded gradients": ["jsonl"] };

/** What the page asks for. */
type Asked = { is: "ready" } | { is: "go"; path: string; line: number };

/** The runs of this window, the last one last. */
export class Gradients implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly runs: Run[] = [];
  private readonly ofSession = new Map<string, Run>();
  private readonly recording = new Set<string>();
  private isNextRecorded = false;
  private view: vscode.WebviewView | undefined;
  private readonly subscriptions = [
    vscode.window.registerWebviewViewProvider(VIEW, this, {
      webviewOptions: { retainContextWhenHidden: true },
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfigurationWithSubstitutedVariables: (_, given) =>
        this.isNextRecorded ? { ...given, recordGradients: given["recordGradients"] || 1 } : given,
    }),
    vscode.debug.onDidStartDebugSession((session) => void this.begin(session)),
    vscode.debug.onDidTerminateDebugSession(({ id }) => {
      this.recording.delete(id);
      this.tell();
    }),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
      if (event === "adlsp/gradients") {
        this.take(session, body as Part);
      }
    }),
  ];

  constructor(private readonly home: vscode.Uri) {}

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
  }

  /** Starts or ends recording: of the session that is active, else of the next one. */
  async record(): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== TYPE) {
      this.isNextRecorded = !this.isNextRecorded;
    } else {
      await this.switch(session, !this.recording.has(session.id));
    }
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.tell();
  }

  /** Writes the last run into a file, as lines of JSON. */
  async export(): Promise<void> {
    const run = this.runs.at(-1);
    if (!run) {
      void vscode.window.showInformationMessage("No gradients have been recorded yet.");
    }
    const uri = run && (await vscode.window.showSaveDialog({ filters: FILES }));
    if (uri) {
      await vscode.workspace.fs.writeFile(uri, Buffer.from(run.text()));
    }
  }

  /** Shows the run that a file holds. */
  async open(uri?: vscode.Uri): Promise<void> {
    const chosen = uri ?? (await vscode.window.showOpenDialog({ filters: FILES }))?.[0];
    if (chosen) {
      const text = Buffer.from(await vscode.workspace.fs.readFile(chosen)).toString();
      try {
        this.add(Run.read(basename(chosen.path), text));
      } catch (error) {
        void vscode.window.showErrorMessage(`${basename(chosen.path)}: ${String(error)}`);
        return;
      }
      await vscode.commands.executeCommand(`${VIEW}.focus`);
    }
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const { webview } = view;
    fill(webview, this.home);
    webview.onDidReceiveMessage((asked: Asked) => void this.answer(asked));
    view.onDidDispose(() => (this.view = undefined));
  }

  private async begin(session: vscode.DebugSession): Promise<void> {
    if (session.type === TYPE && session.configuration["recordGradients"]) {
      this.recording.add(session.id);
    } else if (session.parentSession && this.recording.has(session.parentSession.id)) {
      await this.switch(session, true);
    }
    this.tell();
  }

  private async switch(session: vscode.DebugSession, on: boolean): Promise<void> {
    const every: number = session.configuration["recordGradients"] || 1;
    await session.customRequest("adlsp/record", { on, every });
    this.recording[on ? "add" : "delete"](session.id);
  }

  private take(session: vscode.DebugSession, part: Part): void {
    let run = this.ofSession.get(session.id);
    if (!run) {
      run = new Run(`${session.name}, ${new Date().toLocaleTimeString()}`);
      this.ofSession.set(session.id, run);
      this.add(run);
      this.view?.show(true); // in place of the debug console, which has just opened
    }
    run.add(part);
    void this.view?.webview.postMessage({ run: this.runs.indexOf(run), ...part });
  }

  private add(run: Run): void {
    const number = this.runs.push(run) - 1;
    void this.view?.webview.postMessage({ run: number, name: run.name, ...run.whole() });
  }

  private async answer(asked: Asked): Promise<void> {
    if (asked.is === "ready") {
      this.tell();
      for (const [run, each] of this.runs.entries()) {
        await this.view?.webview.postMessage({ run, name: each.name, ...each.whole() });
      }
    } else {
      await showLine(asked.path, asked.line);
    }
  }

  private tell(): void {
    const next = this.isNextRecorded ? "the next run is recorded" : "not recording";
    void this.view?.webview.postMessage({ state: this.recording.size ? "recording" : next });
  }
}
