/** Tabs that show files: found, filled and closed. */

import * as vscode from "vscode";

/** The tab that shows a file, if one does. */
export function tabOf(path: string): vscode.Tab | undefined {
  const wanted = vscode.Uri.file(path).fsPath;
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === wanted);
}

/** Opens a file in a column, to stay there, and leaves the keyboard where it is. */
export async function showFile(path: string, viewColumn: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const options = { viewColumn, preview: false, preserveFocus: true };
  await vscode.window.showTextDocument(document, options);
}

/** Puts a file in the place of another one. */
export async function replaceFile(old: vscode.Tab, oldPath: string, path: string): Promise<void> {
  await showFile(path, old.group.viewColumn);
  const left = tabOf(oldPath); // looked for anew: showing a file renews the tabs of its group
  if (left) {
    await vscode.window.tabGroups.close(left, true);
  }
}
