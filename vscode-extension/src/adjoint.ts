/**
 * The live document of a derivative or a stage before it; the server makes its text, also of
 * unsaved primals.
 *
 * Its address says what it shows: `adlsp-derivative:/f_adjoint.py?uri=…&function=f`. The editor
 * would escape the query once more on its way to the server, so the address is spelled here.
 */

import * as vscode from "vscode";

import { NO_TARGET, type Target, targetAtCursor } from "./answer";
import { documentAddress, SCHEME, type Stage, STAGES } from "./stages";

/** Opens the live derivative of a function (else of the one under the cursor) beside it. */
export async function showAdjoint(target = targetAtCursor()): Promise<void> {
  if (!target) {
    void vscode.window.showInformationMessage(NO_TARGET);
    return;
  }
  await show(target, "optimized");
}

/** Asks at which stage to show a function (else the one under the cursor), and opens it beside. */
export async function showStage(target = targetAtCursor()): Promise<void> {
  if (!target) {
    void vscode.window.showInformationMessage(NO_TARGET);
    return;
  }
  const stages = Object.keys(STAGES) as Stage[];
  const picked = await vscode.window.showQuickPick(
    stages.map((label) => ({ label, detail: STAGES[label] })),
    { title: `${target.function} on its way to its derivative`, matchOnDetail: true },
  );
  if (picked) {
    await show(target, picked.label);
  }
}

async function show(target: Target, stage: Stage): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, ...documentAddress(target, stage) });
  const opened = await vscode.workspace.openTextDocument(uri);
  // A language of its own, because breakpoints cannot be set in text that no file holds.
  const document = await vscode.languages.setTextDocumentLanguage(opened, SCHEME);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preview: false,
    preserveFocus: true,
  });
}

/** How the client and the server spell addresses to each other. */
export const uriConverters = {
  code2Protocol: (uri: vscode.Uri): string =>
    uri.scheme === SCHEME ? uri.toString(true) : uri.toString(),
  protocol2Code: (text: string): vscode.Uri => {
    if (!text.startsWith(`${SCHEME}:`)) {
      return vscode.Uri.parse(text);
    }
    const [path = "", query = ""] = text.slice(SCHEME.length + 1).split("?", 2);
    return vscode.Uri.from({ scheme: SCHEME, path, query });
  },
};
