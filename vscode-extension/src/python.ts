/** What the Python extension tells, where it is installed: the interpreter selected there. */

import * as vscode from "vscode";

interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The interpreter that is selected for the first folder, if one is. */
export async function selectedInterpreter(): Promise<string[]> {
  const api = await activate();
  if (!api) {
    return [];
  }
  const resource = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = api.environments.getActiveEnvironmentPath(resource);
  const environment = await api.environments.resolveEnvironment(active);
  const path = environment?.executable.uri?.fsPath;
  return path ? [path] : [];
}

/** Calls back when another interpreter is selected. */
export function onDidSelectInterpreter(callback: () => void): vscode.Disposable {
  let subscription: vscode.Disposable | undefined;
  void activate().then((api) => {
    subscription = api?.environments.onDidChangeActiveEnvironmentPath(callback);
  });
  return { dispose: () => subscription?.dispose() };
}

async function activate(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  try {
    const api = await extension?.activate();
    return api?.environments ? api : undefined;
  } catch {
    return undefined; // a broken Python extension is not ours to report
  }
}
