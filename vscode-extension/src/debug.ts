/** Registers the debugger: how its adapter starts, and what a launch configuration lacks. */

import * as vscode from "vscode";

import { findInterpreter, NoInterpreter } from "./interpreter";
import { offerSetting } from "./prompts";

const TYPE = "adlsp";

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
  wanted["layout"] ??= vscode.workspace.getConfiguration("adlsp.debug", folder).get("layout");
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
