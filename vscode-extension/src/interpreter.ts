/**
 * Decides which Python runs the server and the debugger.
 *
 * The setting wins; then comes what the Python extension has selected; then the PATH. A candidate
 * counts only when it can import adlsp. Interpreters run outside the workspace's folder, so that no
 * module lying there is imported by mistake.
 */

import { execFile } from "node:child_process";
import * as vscode from "vscode";

/** How to start adlsp: `command` with `args`, before the subcommand. */
export interface Interpreter {
  command: string;
  args: readonly string[];
  cwd: string;
}

/** Why there is no interpreter; `message` is for the user. */
export class NoInterpreter extends Error {}

interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const SETTING = "interpreter";
const PROBE = "import adlsp.__main__";
const PROBE_TIMEOUT = 20_000;

/** Finds the interpreter, or throws `NoInterpreter`. */
export async function findInterpreter(cwd: string): Promise<Interpreter> {
  const chosen = setting();
  const candidates = chosen ? [chosen] : [...(await selectedInPythonExtension()), ...onPath()];
  const tried: string[] = [];
  for (const command of candidates) {
    const problem = await probe(command, cwd);
    if (!problem) {
      return { command, args: ["-m", "adlsp"], cwd };
    }
    tried.push(`${command}: ${problem}`);
  }
  throw new NoInterpreter(
    chosen
      ? `The interpreter of the setting adlsp.interpreter cannot run adlsp (${tried.join("; ")}).`
      : `No Python interpreter with adlsp was found (${tried.join("; ")}). ` +
        "Install adlsp (pip install adlsp), or choose an interpreter that has it.",
  );
}

/** Calls back when another interpreter may have to be used. */
export function onDidChangeInterpreter(callback: () => void): vscode.Disposable {
  const subscriptions = [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`adlsp.${SETTING}`)) {
        callback();
      }
    }),
  ];
  void pythonExtension().then((api) => {
    if (api) {
      subscriptions.push(
        api.environments.onDidChangeActiveEnvironmentPath(() => {
          if (!setting()) {
            callback();
          }
        }),
      );
    }
  });
  return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
}

function setting(): string {
  const text = vscode.workspace.getConfiguration("adlsp").get<string>(SETTING, "").trim();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return text.replaceAll("${workspaceFolder}", folder);
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension) {
    return undefined;
  }
  try {
    const api = await extension.activate();
    return api?.environments ? api : undefined;
  } catch {
    return undefined; // a broken Python extension is not ours to report
  }
}

async function selectedInPythonExtension(): Promise<string[]> {
  const api = await pythonExtension();
  if (!api) {
    return [];
  }
  const resource = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = api.environments.getActiveEnvironmentPath(resource);
  const environment = await api.environments.resolveEnvironment(active);
  const path = environment?.executable.uri?.fsPath;
  return path ? [path] : [];
}

function onPath(): string[] {
  return process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
}

/** Says in a few words why a command cannot run adlsp; an empty text means that it can. */
function probe(command: string, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, ["-c", PROBE], { cwd, timeout: PROBE_TIMEOUT }, (error, _out, stderr) => {
      if (!error) {
        resolve("");
      } else if (error.code === "ENOENT") {
        resolve("not found");
      } else if (error.killed) {
        resolve("no answer");
      } else {
        resolve(stderr.trim().split("\n").at(-1) || error.message);
      }
    });
  });
}
