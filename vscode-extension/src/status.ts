/** Says in the status bar, beside the language of a Python file, how the server is. */

import * as vscode from "vscode";

/** How the server is: `reason` says why it does not run. */
export type Condition =
  | { is: "starting" }
  | { is: "ready"; interpreter: string }
  | { is: "crashed"; reason: string }
  | { is: "stopped"; reason: string };

/** The status item; `show` sets what it says. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("adlsp.status", [
    { language: "python" },
    { language: "adlsp-derivative" },
  ]);

  constructor() {
    this.item.name = "adlsp";
  }

  show(condition: Condition): void {
    this.item.busy = condition.is === "starting";
    this.item.text = `adlsp: ${condition.is}`;
    this.item.detail = detail(condition);
    this.item.severity = severity(condition);
    this.item.command = isDown(condition)
      ? { title: "Restart", command: "adlsp.restartServer" }
      : { title: "Show log", command: "adlsp.showLog" };
  }

  dispose(): void {
    this.item.dispose();
  }
}

function isDown(condition: Condition): boolean {
  return condition.is === "crashed" || condition.is === "stopped";
}

function detail(condition: Condition): string {
  switch (condition.is) {
    case "starting":
      return "The server is starting";
    case "ready":
      return condition.interpreter;
    default:
      return condition.reason;
  }
}

function severity(condition: Condition): vscode.LanguageStatusSeverity {
  switch (condition.is) {
    case "crashed":
      return vscode.LanguageStatusSeverity.Error;
    case "stopped":
      return vscode.LanguageStatusSeverity.Warning;
    default:
      return vscode.LanguageStatusSeverity.Information;
  }
}
