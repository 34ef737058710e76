/** What is asked where a program stands: whether gradients are right, and values beside lines. */

import * as vscode from "vscode";

const TYPE = "adlsp";

/** Writes how the gradients compare with finite differences into the debug console. */
export async function checkGradient(): Promise<void> {
  const frame = vscode.debug.activeStackItem;
  if (!(frame instanceof vscode.DebugStackFrame) || frame.session.type !== TYPE) {
    void vscode.window.showInformationMessage("Stop in a derivative first.");
    return;
  }
  try {
    const request = { frameId: frame.frameId };
    const { lines }: { lines: string[] } = await frame.session.customRequest(
      "adlsp/compare",
      request,
    );
    await vscode.commands.executeCommand("workbench.panel.repl.view.focus");
    lines.forEach((line) => vscode.debug.activeDebugConsole.appendLine(line));
  } catch (error) {
    void vscode.window.showErrorMessage(String(error instanceof Error ? error.message : error));
  }
}

/** Shows values and gradients beside the lines of the primal, while a session of ours is active. */
export class InlineValues implements vscode.InlineValuesProvider, vscode.Disposable {
  private registered: vscode.Disposable | undefined;
  private readonly subscription = vscode.debug.onDidChangeActiveDebugSession(() => this.follow());

  constructor() {
    this.follow();
  }

  dispose(): void {
    this.subscription.dispose();
    this.registered?.dispose();
  }

  async provideInlineValues(
    document: vscode.TextDocument,
    _: vscode.Range,
    { frameId }: vscode.InlineValueContext,
  ): Promise<vscode.InlineValue[]> {
    const session = vscode.debug.activeDebugSession;
    const told = session?.type === TYPE ? await askValues(session, frameId) : NOTHING;
    const isThere = told.path !== undefined && isSame(document.uri, told.path);
    return isThere ? told.values.map((each) => beside(document, each)) : [];
  }

  /** A provider takes the place of what VS Code shows by itself, so that others keep theirs. */
  private follow(): void {
    if (vscode.debug.activeDebugSession?.type !== TYPE) {
      this.registered?.dispose();
      this.registered = undefined;
    } else {
      this.registered ??= vscode.languages.registerInlineValuesProvider("python", this);
    }
  }
}

/** What is shown beside lines of a file. */
interface Told {
  path?: string;
  values: readonly Value[];
}

/** What to show beside a line, which counts from 1, and whether a gradient there is wrong. */
export interface Value {
  line: number;
  text: string;
  is_wrong: boolean;
}

const NOTHING: Told = { values: [] };

/** Asks what to show beside the lines of the primal that a frame belongs to. */
export async function askValues(session: vscode.DebugSession, frameId: number): Promise<Told> {
  try {
    return await session.customRequest("adlsp/inlineValues", { frameId });
  } catch {
    return NOTHING; // the session ended, or the frame is gone
  }
}

function beside(document: vscode.TextDocument, { line, text }: Value): vscode.InlineValue {
  const at = document.validateRange(new vscode.Range(line - 1, 0, line - 1, 0));
  return new vscode.InlineValueText(document.lineAt(at.start.line).range, text);
}

function isSame(uri: vscode.Uri, path: string): boolean {
  return uri.fsPath === vscode.Uri.file(path).fsPath;
}
