/** The custom request for a derivative: what is asked, and what the server answers. */

import * as vscode from "vscode";

import type { Server } from "./client";
import { functionAt, type MappedLine } from "./lines";

/** What a command of ours is about: a function of a file. */
export interface Target {
  uri: string;
  function: string;
}

/** The answer to `adlsp/derivative`; without a path there is no derivative. */
export interface Answer {
  text: string;
  path: string | null;
  map: MappedLine[];
  findings: { message: string }[];
}

/** What to say where a command finds no function. */
export const NO_TARGET = "Place the cursor in a top-level Python function first.";

/** The function under the cursor of the active editor. */
export function targetAtCursor(): Target | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "python") {
    return undefined;
  }
  const name = functionAt(editor.document.getText(), editor.selection.active.line);
  return name ? { uri: editor.document.uri.toString(), function: name } : undefined;
}

/** Says why a function has no derivative. */
export function refusal(target: Target, answer: Answer): string {
  const reason = answer.findings[0]?.message ?? "the server gives no reason";
  return `${target.function} has no derivative: ${reason}`;
}

/** Asks the server for a derivative; throws a readable error where it cannot answer. */
export async function askDerivative(server: Server, target: Target): Promise<Answer> {
  const answer = await server.request<Answer>("adlsp/derivative", target);
  return { ...answer, map: answer.map.map(withEditorUri) };
}

/** Spells the primal's address as the editor does, so that it can be compared. */
function withEditorUri(line: MappedLine): MappedLine {
  const uri = vscode.Uri.parse(line.primal.uri).toString();
  return { ...line, primal: { ...line.primal, uri } };
}
