/** The page in the view of recorded gradients, and the way from it to the program. */

import * as vscode from "vscode";

/** Puts the page into its view; it may run nothing but what comes with the extension. */
export function fill(webview: vscode.Webview, home: vscode.Uri): void {
  const out = vscode.Uri.joinPath(home, "out");
  const at = (name: string) => String(webview.asWebviewUri(vscode.Uri.joinPath(out, name)));
  const allowed = `script-src ${webview.cspSource}; style-src ${webview.cspSource}`;
  webview.options = { enableScripts: true, localResourceRoots: [out] };
  webview.html = `<!DOCTYPE html><html><head>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${allowed}">
    <link rel="stylesheet" href="${at("gradients.css")}"></head>
    <body><script src="${at("gradients.js")}"></script></body></html>`;
}

/** Opens a file at a line, which counts from 1, on the left. */
export async function showLine(path: string, line: number): Promise<void> {
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  const options = { selection, viewColumn: vscode.ViewColumn.One };
  await vscode.window.showTextDocument(vscode.Uri.file(path), options);
}
