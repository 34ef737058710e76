/**
 * Registers the debugger: how its adapter starts, what a launch configuration lacks, and the
 * highlight of the primal line while the program stands in a derivative.
 */

import * as vscode from "vscode";

import { findInterpreter, NoInterpreter } from "./interpreter";
import { offerSetting } from "./prompts";

const TYPE = "adlsp";

interface Counterpart {
  path: string;
  line: number;
}

/** Registers the debugger; `home` is the folder in which its adapter runs. */
export function registerDebugger(home: string): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: async () => {
        const { command, args, options } = await findInterpreter(home);
        const { cwd } = options;
        return new vscode.DebugAdapterExecutable(command, [...args, "debug"], { cwd });
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: (folder, given) => complete(home, folder, given),
    }),
    new CounterpartLine(),
  );
}

/** Fills in what debugging the open file needs, also without any launch configuration. */
async function complete(
  home: string,
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  const isEmpty = !given.type && !given.request;
  if (isEmpty && vscode.window.activeTextEditor?.document.languageId !== "python") {
    void vscode.window.showInformationMessage("Open the Python file to debug first.");
    return undefined;
  }
  const launch = { type: TYPE, request: "launch", name: "adlsp: current file", program: "${file}" };
  const wanted: vscode.DebugConfiguration = isEmpty ? launch : { ...given };
  if (wanted.request === "launch") {
    wanted["cwd"] ??= folder ? folder.uri.fsPath : "${fileDirname}";
    wanted["python"] ??= await programInterpreter(home);
  }
  return wanted["python"] === undefined && wanted.request === "launch" ? undefined : wanted;
}

async function programInterpreter(home: string): Promise<string | undefined> {
  try {
    return (await findInterpreter(home)).command;
  } catch (error) {
    if (!(error instanceof NoInterpreter)) {
      throw error;
    }
    void offerSetting(error.message);
    return undefined;
  }
}

/** Highlights the primal line that the focused frame of a derivative belongs to. */
class CounterpartLine implements vscode.Disposable {
  private readonly highlight = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.focusedStackFrameHighlightBackground"),
  });
  private place: Counterpart | undefined;
  private asked = 0;
  private readonly subscriptions = [
    this.highlight,
    vscode.debug.onDidChangeActiveStackItem((item) => void this.follow(item)),
    vscode.window.onDidChangeVisibleTextEditors(() => this.paint()),
  ];

  dispose(): void {
    this.subscriptions.forEach((each) => each.dispose());
  }

  private async follow(
    item: vscode.DebugThread | vscode.DebugStackFrame | undefined,
  ): Promise<void> {
    const turn = ++this.asked;
    const place = item instanceof vscode.DebugStackFrame ? await counterpart(item) : undefined;
    if (turn === this.asked) {
      this.place = place;
      this.paint();
    }
  }

  private paint(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { place } = this;
      const isThere = place !== undefined && editor.document.uri.fsPath === place.path;
      const line = isThere ? new vscode.Range(place.line - 1, 0, place.line - 1, 0) : undefined;
      editor.setDecorations(this.highlight, line ? [line] : []);
      if (line) {
        editor.revealRange(line, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }
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
    const { path, line } = answer ?? {};
    return path !== undefined && line !== undefined ? { path, line } : undefined;
  } catch {
    return undefined; // the session ended, or the frame is gone
  }
}
