/**
 * Shows both sides of a derivative while the program stands in it: the other side's line is
 * highlighted, the primal is in view, and values are behind its lines.
 */

import * as vscode from "vscode";

import type { Derivatives } from "./derivative";
import { askValues, type Value } from "./stop";
import { columnBeside, editorOf, putBeside } from "./tabs";

const TYPE = "adlsp";

const COLORS = {
  color: new vscode.ThemeColor("editor.inlineValuesForeground"),
  backgroundColor: new vscode.ThemeColor("editor.inlineValuesBackground"),
};
const WRONG = { ...COLORS, color: new vscode.ThemeColor("editorError.foreground") };

/** The other line of a pair, the frame there, and which file is the derivative's of the two. */
interface Counterpart {
  path: string;
  line: number;
  frameId: number;
  derivative: string;
}

/** Where a session has stopped: in a frame, which is focused. */
interface Stop extends Counterpart {
  session: vscode.DebugSession;
  focused: number;
  values: readonly Value[];
}

/**
 * Highlights the primal line that the focused frame of a derivative belongs to.
 *
 * Of a variable that one points at there, VS Code asks the debugger only while that file's frame is
 * focused; so the hover of the language tells its value and gradient meanwhile.
 */
export class CounterpartLine implements vscode.Disposable, vscode.HoverProvider {
  private readonly highlight = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.focusedStackFrameHighlightBackground"),
  });
  private readonly beside = vscode.window.createTextEditorDecorationType({});
  private asked = 0;
  private isException = false;
  private readonly met = new Set<string>();
  private stop: Stop | undefined;
  private hovers: vscode.Disposable | undefined;
  private readonly subscriptions = [
    this.highlight,
    this.beside,
    vscode.debug.onDidChangeActiveStackItem((item) => void this.follow(item)),
    vscode.window.onDidChangeVisibleTextEditors(() => void this.show()),
    vscode.debug.registerDebugAdapterTrackerFactory(TYPE, {
      createDebugAdapterTracker: ({ id }) => ({
        onDidSendMessage: ({ event, body }: { event?: string; body?: { reason?: string } }) => {
          if (event === "stopped") {
            this.isException = body?.reason === "exception";
          } else if (event === "invalidated" && this.stop?.session.id === id) {
            void this.fill(this.asked); // a comparison has found what is wrong
          }
        },
      }),
    }),
  ];

  constructor(private readonly derivatives: Derivatives) {}

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
    this.hovers?.dispose();
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const { stop } = this;
    const range = document.getWordRangeAtPosition(position);
    const isThere = stop?.path !== stop?.derivative && document.uri.fsPath === stop?.path;
    const told = stop && range && isThere ? await pointedAt(stop, document.getText(range)) : undefined;
    return told === undefined ? undefined : new vscode.Hover(told, range);
  }

  private async follow(
    item: vscode.DebugThread | vscode.DebugStackFrame | undefined,
  ): Promise<void> {
    const turn = ++this.asked;
    const place = item instanceof vscode.DebugStackFrame ? await counterpart(item) : undefined;
    if (turn === this.asked) {
      const at = item instanceof vscode.DebugStackFrame ? item : undefined;
      this.stop = place && at && { ...place, session: at.session, focused: at.frameId, values: [] };
      this.hovers?.dispose(); // the one that was registered last comes first
      this.hovers = this.stop && vscode.languages.registerHoverProvider("python", this);
      await this.show();
      await this.fill(turn);
    }
  }

  private async show(): Promise<void> {
    this.paint();
    const { stop } = this;
    if (stop && this.isNew(stop) && editorOf(stop.derivative)) {
      this.met.add(nameOf(stop)); // it is open by now, perhaps where the primal was
      try {
        const column = columnBeside(this.derivatives.all());
        if ((await putBeside(stop.path, stop.derivative, column)) && this.isException) {
          // what VS Code shows below the line of an exception is lost with the other editor
          await vscode.commands.executeCommand("workbench.action.debug.callStackTop");
        }
      } catch {
        // no text: the file is gone, or a notebook
      }
    }
  }

  /** Has values beside the lines of the primal, where VS Code asks for those of the derivative. */
  private async fill(turn: number): Promise<void> {
    const { stop } = this;
    const wanted: unknown = vscode.workspace.getConfiguration("debug").get("inlineValues");
    if (stop && stop.path !== stop.derivative && wanted !== "off") {
      const { values } = await askValues(stop.session, stop.focused);
      if (turn === this.asked) {
        this.stop = { ...stop, values };
        this.paint();
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
      editor.setDecorations(this.beside, isThere ? place.values.map(decoration) : []);
      if (line) {
        editor.revealRange(line, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }
}

/** A value behind a line, as VS Code shows those of the file in which the program stands. */
function decoration({ line, text, is_wrong: isWrong }: Value): vscode.DecorationOptions {
  const end = new vscode.Position(line - 1, Number.MAX_SAFE_INTEGER);
  const after = { contentText: text, margin: "0 0 0 1ch", ...(isWrong ? WRONG : COLORS) };
  return { range: new vscode.Range(end, end), renderOptions: { after } };
}

/** The value and gradient of a variable of the primal, as the debugger tells them. */
async function pointedAt(stop: Stop, name: string): Promise<vscode.MarkdownString | undefined> {
  try {
    const request = { expression: name, frameId: stop.frameId, context: "hover" };
    const { result }: { result: string } = await stop.session.customRequest("evaluate", request);
    return result.startsWith(`${name}: `) ? code(result) : undefined;
  } catch {
    return undefined; // no variable, or the program has gone on
  }
}

function code(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendCodeblock(text.replaceAll(/\x1b\[\d+m/g, ""), "text");
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
