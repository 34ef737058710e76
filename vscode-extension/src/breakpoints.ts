/**
 * Breakpoints on primal lines that stop in the backward sweep.
 *
 * A breakpoint's mode can be given to the editor but neither read back nor seen in the gutter, so
 * this list is kept with the workspace and a faint mark is painted on its lines.
 */

import * as vscode from "vscode";

import { askDerivative } from "./answer";
import type { Server } from "./client";
import { backwardLines, functionAt } from "./lines";

const KEY = "adlsp.backwardBreakpoints";

/** The sixth argument is the mode, which the published types do not name. */
type WithMode = new (
  location: vscode.Location,
  enabled: boolean,
  condition: undefined,
  hitCondition: undefined,
  logMessage: undefined,
  mode: string,
) => vscode.SourceBreakpoint & { readonly mode?: string };

/** The backward breakpoints of the workspace, by the editor's ids. */
export class BackwardBreakpoints implements vscode.Disposable {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    after: {
      contentText: "backward",
      margin: "0 0 0 2em",
      color: new vscode.ThemeColor("editorCodeLens.foreground"),
    },
  });
  private readonly ids: Set<string>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly state: vscode.Memento,
    private readonly server: Server,
  ) {
    this.ids = new Set(state.get<string[]>(KEY, []));
    this.subscriptions = [
      this.mark,
      vscode.debug.onDidChangeBreakpoints(({ removed }) => {
        removed.forEach((each) => this.ids.delete(each.id));
        this.update();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.paint()),
    ];
    this.paint();
  }

  /** Sets a backward breakpoint on a line (from 0), instead of another one; or removes it. */
  async toggle(uri: vscode.Uri, line: number): Promise<void> {
    const present = sourceBreakpoints().filter(
      ({ location }) =>
        location.uri.toString() === uri.toString() && location.range.start.line === line,
    );
    const wasOurs = present.some((each) => this.ids.has(each.id));
    vscode.debug.removeBreakpoints(present);
    if (!wasOurs) {
      await this.add(uri, line);
    }
  }

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
  }

  private async add(uri: vscode.Uri, line: number): Promise<void> {
    const Breakpoint = vscode.SourceBreakpoint as unknown as WithMode;
    const location = new vscode.Location(uri, new vscode.Position(line, 0));
    const added = new Breakpoint(location, true, undefined, undefined, undefined, "backward");
    if (added.mode === "backward") {
      this.ids.add(added.id);
      vscode.debug.addBreakpoints([added]);
      this.update();
    } else {
      await this.addInDerivative(uri, line);
    }
  }

  /** Where the editor does not know modes: breaks in the file of the derivative itself. */
  private async addInDerivative(uri: vscode.Uri, line: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const name = functionAt(document.getText(), line);
    const answer = name
      ? await askDerivative(this.server, { uri: uri.toString(), function: name })
      : undefined;
    const first = answer ? backwardLines(answer.map, uri.toString(), line)[0] : undefined;
    if (!answer?.path || first === undefined) {
      void vscode.window.showInformationMessage("No line of a backward sweep belongs to this line.");
      return;
    }
    const place = new vscode.Location(vscode.Uri.file(answer.path), new vscode.Position(first, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place)]);
  }

  private update(): void {
    void this.state.update(KEY, [...this.ids]);
    this.paint();
  }

  private paint(): void {
    const ours = sourceBreakpoints().filter((each) => this.ids.has(each.id));
    for (const editor of vscode.window.visibleTextEditors) {
      const ranges = ours
        .filter(({ location }) => location.uri.toString() === editor.document.uri.toString())
        .map(({ location }) => editor.document.validateRange(endOf(location.range.start.line)));
      editor.setDecorations(this.mark, ranges);
    }
  }
}

function sourceBreakpoints(): vscode.SourceBreakpoint[] {
  return vscode.debug.breakpoints.filter((each) => each instanceof vscode.SourceBreakpoint);
}

function endOf(line: number): vscode.Range {
  return new vscode.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER);
}
