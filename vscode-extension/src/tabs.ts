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
  await moveFile(path, old.group.viewColumn);
  await vscode.window.tabGroups.close(tabsOf(oldPath), true);
}

/** Shows a file in a column as it was shown, and no more where a debugger has opened it. */
export async function moveFile(path: string, viewColumn: vscode.ViewColumn): Promise<void> {
  const stopped = editorOf(path);
  const selection = stopped?.selection;
  const shown = await showFile(path, viewColumn);
  if (selection) {
    shown.selection = selection;
    shown.revealRange(selection, vscode.TextEditorRevealType.InCenter);
  }
  // looked for anew: showing a file renews the tabs of its group
  const elsewhere = tabsOf(path).filter(
    ({ group, isPreview }) => isPreview && group.viewColumn !== shown.viewColumn,
  );
  await vscode.window.tabGroups.close(elsewhere, true);
}

/** The editor in which a file is seen, if it is. */
export function editorOf(path: string): vscode.TextEditor | undefined {
  const wanted = vscode.Uri.file(path).fsPath;
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === wanted);
}

/** The column where one of some files is seen, else the one beside what is active. */
export function columnBeside(files: readonly { path: string }[]): vscode.ViewColumn {
  const seen = files.map(({ path }) => editorOf(path)).find((editor) => editor);
  return seen?.viewColumn ?? vscode.ViewColumn.Beside;
}

/**
 * Has two files seen at once where one would hide the other: the first on the left.
 * Tells whether the second was moved.
 */
export async function putBeside(
  left: string,
  right: string,
  column: vscode.ViewColumn,
): Promise<boolean> {
  if (editorOf(left)) {
    return false;
  }
  const isMoved = editorOf(right)?.viewColumn === vscode.ViewColumn.One;
  if (isMoved) {
    await moveFile(right, column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : column);
  }
  await showFile(left, vscode.ViewColumn.One);
  return isMoved;
}
