/** Links a primal and its derivative: the cursor in one highlights its counterpart in the other. */

import * as vscode from "vscode";

import type { Derivatives, Shown } from "./derivative";
import { derivativeLines, primalPlace } from "./lines";

/** The highlight of counterpart lines. */
export class LinkedLines implements vscode.Disposable {
  private readonly highlight = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightForeground"),
  });
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly derivatives: Derivatives) {
    this.subscriptions = [
      this.highlight,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (textEditor === vscode.window.activeTextEditor) {
          this.paint(textEditor, kind !== undefined);
        }
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.repaint()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.repaint()),
      derivatives.onDidChange(() => this.repaint()),
    ];
  }

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
  }

  private repaint(): void {
    const active = vscode.window.activeTextEditor;
    if (active?.document.uri.scheme === "file") {
      this.paint(active, false); // else an output panel, which must not clear the highlight
    }
  }

  /** Highlights what belongs to the cursor of an editor; `reveals` also scrolls there. */
  private paint(from: vscode.TextEditor, reveals: boolean): void {
    const own = this.derivatives.of(from.document);
    for (const editor of vscode.window.visibleTextEditors) {
      const lines = editor === from ? [] : this.counterpart(from, own, editor);
      editor.setDecorations(this.highlight, lines);
      const first = lines[0];
      if (first && reveals) {
        editor.revealRange(first, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }

  private counterpart(
    from: vscode.TextEditor,
    own: Shown | undefined,
    to: vscode.TextEditor,
  ): vscode.Range[] {
    const line = from.selection.active.line;
    if (own) {
      const place = primalPlace(own.map, line);
      const isThere = place?.uri === to.document.uri.toString();
      return isThere ? [wholeLines(place.range.start.line, place.range.end.line)] : [];
    }
    const other = this.derivatives.of(to.document);
    const lines = other ? derivativeLines(other.map, from.document.uri.toString(), line) : [];
    return lines.map((each) => wholeLines(each, each));
  }
}

function wholeLines(first: number, last: number): vscode.Range {
  return new vscode.Range(first, 0, last, 0);
}
