/**
 * Opens derivatives beside their primals and keeps them up to date.
 *
 * The derivative is a real file whose name depends on its text (a debugger binds there), so that a
 * save of the primal gives another file, and a run with other arguments: its tab then takes the
 * place of the old one.
 */

import * as vscode from "vscode";

import { askDerivative, NO_TARGET, refusal, type Target, targetAtCursor } from "./answer";
import type { Server } from "./client";
import type { MappedLine } from "./lines";
import { columnBeside, editorOf, replaceFile, showFile, tabOf } from "./tabs";

const KEY = "adlsp.derivatives";

/** A derivative that is shown, and the primal that it belongs to; `newer` has yet to replace it. */
export interface Shown {
  target: Target;
  path: string;
  map: readonly MappedLine[];
  newer?: Shown;
}

/** The derivatives that this window shows. */
export class Derivatives implements vscode.Disposable {
  private readonly shown = new Map<string, Shown>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  /** Fires when another derivative is shown, or one no more. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
    private readonly state: vscode.Memento,
  ) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.onDidSaveTextDocument(async ({ languageId }) => {
        if (languageId === "python") {
          await new Promise(setImmediate); // the server hears of the save first
          await this.renew(this.all()); // also a function that a primal calls may have changed
        }
      }),
      server.onDidRecord(() => void this.renew(this.all())),
      vscode.window.onDidChangeVisibleTextEditors((editors) => void this.catchUp(editors)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.shown.delete(document.uri.fsPath)) {
          this.changed.fire();
        }
      }),
    ];
  }

  /** The derivative that a document shows, if it does. */
  of(document: vscode.TextDocument): Shown | undefined {
    return this.shown.get(document.uri.fsPath);
  }

  /** All derivatives that are shown. */
  all(): Shown[] {
    return [...this.shown.values()];
  }

  /** Opens the derivative of a function (else of the one under the cursor) beside it. */
  async open(target = targetAtCursor()): Promise<void> {
    if (!target) {
      void vscode.window.showInformationMessage(NO_TARGET);
      return;
    }
    try {
      const answer = await askDerivative(this.server, target);
      if (answer.path) {
        await this.show({ target, path: answer.path, map: answer.map });
      } else {
        void vscode.window.showWarningMessage(refusal(target, answer));
      }
    } catch (error) {
      void vscode.window.showErrorMessage(String(error instanceof Error ? error.message : error));
    }
  }

  /** Takes up the derivatives whose tabs are left from the window's last time. */
  restore(): Promise<void> {
    const known = this.state.get<Shown[]>(KEY, []).filter(({ path }) => tabOf(path));
    return this.renew(known);
  }

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
  }

  private async show(shown: Shown): Promise<void> {
    const column = columnBeside(this.all());
    this.add(shown);
    await showFile(shown.path, column);
    this.changed.fire();
  }

  private async renew(all: readonly Shown[]): Promise<void> {
    for (const old of all) {
      try {
        const answer = await askDerivative(this.server, old.target);
        if (!answer.path) {
          vscode.window.setStatusBarMessage(refusal(old.target, answer), 10_000);
        } else {
          await this.replace(old, { target: old.target, path: answer.path, map: answer.map });
        }
      } catch (error) {
        this.log.warn(String(error));
      }
    }
  }

  /** Puts a newer derivative in the place of an old one; behind another tab, once one is seen. */
  private async replace(old: Shown, next: Shown): Promise<void> {
    const tab = tabOf(old.path);
    if (!tab) {
      this.shown.delete(vscode.Uri.file(old.path).fsPath); // closed in the meantime
    } else if (old.path === next.path) {
      this.add(next);
    } else if (tab.isActive || editorOf(next.path)) {
      this.add(next);
      await replaceFile(tab, old.path, next.path);
    } else {
      this.add({ ...old, newer: next });
    }
    this.changed.fire();
  }

  private async catchUp(editors: readonly vscode.TextEditor[]): Promise<void> {
    for (const { document } of editors) {
      const shown = this.of(document);
      if (shown?.newer) {
        await this.replace(shown, shown.newer);
      }
    }
  }

  private add(shown: Shown): void {
    this.shown.set(vscode.Uri.file(shown.path).fsPath, shown);
    void this.state.update(KEY, this.all());
  }
}
