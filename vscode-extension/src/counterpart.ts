/**
 * Shows both sides of a derivative while the program stands in it: the other side's line is
 * highlighted, and the primal is in view.
 */

import * as vscode from "vscode";

import type { Derivatives } from "./derivative";
import { columnBeside, editorOf, putBeside } from "./tabs";

const TYPE = "adlsp";

/** The other line of a pair, and which file is the derivative's of the two. */
interface Counterpart {
  path: string;
  line: number;
  derivative: string;
}

/** Where a session has stopped. */
interface Stop extends Counterpart {
  session: vscode.DebugSession;
}

/** Highlights the primal line that the focused frame of a derivative belongs to. */
export class CounterpartLine implements vscode.Disposable {
  private readonly highlight = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.focusedStackFrameHighlightBackground"),
  });
  private asked = 0;
  private readonly met = new Set<string>();
  private stop: Stop | undefined;
  private readonly subscriptions = [
    this.highlight,
    vscode.debug.onDidChangeActiveStackItem((item) => void this.follow(item)),
    vscode.window.onDidChangeVisibleTextEditors(() => void this.show()),
  ];

  constructor(private readonly derivatives: Derivatives) {}

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
  }

  private async follow(
    item: vscode.DebugThread | vscode.DebugStackFrame | undefined,
  ): Promise<void> {
    const turn = ++this.asked;
    const place = item instanceof vscode.DebugStackFrame ? await counterpart(item) : undefined;
    if (turn === this.asked) {
      this.stop = place && item && { ...place, session: item.session };
      await this.show();
    }
  }

  private async show(): Promise<void> {
    this.paint();
    const { stop } = this;
    if (stop && this.isNew(stop) && editorOf(stop.derivative)) {
      this.met.add(nameOf(stop)); // it is open by now, perhaps where the primal was
      try {
        await putBeside(stop.path, stop.derivative, columnBeside(this.derivatives.all()));
      } catch {
        // no text: the file is gone, or a notebook
      }
    }
  }

  /** Whether a session has stopped in a derivative for the first time, and is to show both. */
  private isNew(stop: Stop): boolean {
    const layout: string = stop.session.configuration["layout"] ?? "beside";
    return layout === "beside" && stop.path !== stop.derivative && !this.met.has(nameOf(stop));
  }

  private paint(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const place = this.stop;
      const isThere = place !== undefined && editor.document.uri.fsPath === place.path;
      const line = isThere ? new vscode.Range(place.line - 1, 0, place.line - 1, 0) : undefined;
      editor.setDecorations(this.highlight, line ? [line] : []);
      if (line) {
        editor.revealRange(line, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }
}

function nameOf({ session, derivative }: Stop): string {
  return `${session.id} ${derivative}`;
}

async function counterpart(frame: vscode.DebugStackFrame): Promise<Counterpart | undefined> {
  if (frame.session.type !== TYPE) {
    return undefined;
  }
  try {
    const request = { frameId: frame.frameId };
    const answer: Partial<Counterpart> | null = await frame.session.customRequest(
      "adlsp/counterpart",
      request,
    );
    return answer?.path === undefined ? undefined : (answer as Counterpart);
  } catch {
    return undefined; // the session ended, or the frame is gone
  }
}
