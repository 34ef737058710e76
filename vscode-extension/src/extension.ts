/**
 * The extension: starts the server, registers the commands and the debugger.
 *
 * It knows nothing of derivatives; what it shows comes from the server and the debug adapter.
 */

import * as vscode from "vscode";

import { showAdjoint, showStage } from "./adjoint";
import type { Target } from "./answer";
import { BackwardBreakpoints } from "./breakpoints";
import { Server } from "./client";
import { CounterpartLine } from "./counterpart";
import { registerDebugger } from "./debug";
import { Derivatives } from "./derivative";
import { Gradients } from "./gradients";
import { onDidChangeInterpreter } from "./interpreter";
import { LinkedLines } from "./linked";
import { Status } from "./status";
import { checkGradient, InlineValues } from "./stop";

let server: Server | undefined;

/** What the menu of a line number passes to its commands; lines count from 1. */
interface ClickedLine {
  lineNumber: number;
  uri: vscode.Uri;
}

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("adlsp", { log: true });
  const status = new Status();
  const started = new Server(context.extensionPath, log, status);
  const derivatives = new Derivatives(started, log, context.workspaceState);
  const breakpoints = new BackwardBreakpoints(context.workspaceState, started);
  const gradients = new Gradients(context.extensionUri);
  server = started;
  context.subscriptions.push(
    log,
    status,
    derivatives,
    breakpoints,
    gradients,
    new LinkedLines(derivatives),
    new CounterpartLine(derivatives),
    new InlineValues(),
    registerDebugger(context.extensionPath),
    onDidChangeInterpreter(() => void started.restart()),
    command("adlsp.restartServer", () => started.restart()),
    command("adlsp.showLog", () => log.show()),
    command("adlsp.openDerivative", (target?: Target) => derivatives.open(target)),
    command("adlsp.showAdjoint", (target?: Target) => showAdjoint(target)),
    command("adlsp.showStage", (target?: Target) => showStage(target)),
    command("adlsp.checkGradient", () => checkGradient()),
    command("adlsp.recordGradients", () => gradients.record()),
    command("adlsp.exportGradients", () => gradients.export()),
    command("adlsp.openGradients", (file?: vscode.Uri) => gradients.open(file)),
    command("adlsp.toggleBackwardBreakpoint", (clicked?: ClickedLine) => {
      const active = vscode.window.activeTextEditor;
      const uri = clicked?.uri ?? active?.document.uri;
      const line = clicked ? clicked.lineNumber - 1 : active?.selection.active.line;
      return uri && line !== undefined ? breakpoints.toggle(uri, line) : undefined;
    }),
  );
  void started.restart();
  void derivatives.restore();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function command<Arguments extends unknown[]>(
  name: string,
  action: (...given: Arguments) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(name, action);
}
