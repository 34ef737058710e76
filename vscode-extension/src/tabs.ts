/** Tabs that show files: found, filled and closed. */

import * as vscode from "vscode";

/** The tab that shows a file, if one does. */
export function tabOf(path: string): vscode.Tab | undefined {
  return tabsOf(path)[0];
}

/** All tabs that show a file: one in each group at most. */
function tabsOf(path: string): vscode.Tab[] {
  const wanted = vscode.Uri.file(path).fsPath;
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === wanted);
}

/** Opens a file in a column, to stay there, and leaves the keyboard where it is. */
export async function showFile(
  path: string,
  viewColumn: vscode.ViewColumn,
): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const options = { viewColumn, preview: false, preserveFocus: true };
  return await vscode.window.showTextDocument(document, options);
}

/** Puts a file in the place of another one, also where a debugger has opened it elsewhere. */
export async function replaceFile(old: vscode.Tab, oldPath: string, path: string): Promise<void> {
  const { viewColumn } = old.group;
  const stopped = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.fsPath === vscode.Uri.file(path).fsPath,
  );
  const shown = await showFile(path, viewColumn);
  if (stopped) {
    shown.selection = stopped.selection;
    shown.revealRange(stopped.selection, vscode.TextEditorRevealType.InCenter);
  }
  const elsewhere = tabsOf(path).filter(
    ({ group, isPreview }) => isPreview && group.viewColumn !== viewColumn,
  );
  // looked for anew: showing a file renews the tabs of its group
  await vscode.window.tabGroups.close([...tabsOf(oldPath), ...elsewhere], true);
}
