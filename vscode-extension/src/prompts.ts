/** Messages of trouble, each with a way out of it. */

import * as vscode from "vscode";

/** Says that no interpreter was found, and offers the setting. */
export async function offerSetting(message: string): Promise<void> {
  const choice = await vscode.window.showErrorMessage(message, "Choose Interpreter");
  if (choice) {
    // Interpreters are settings of the machine, which a remote window keeps apart.
    const place = vscode.env.remoteName ? "openRemoteSettings" : "openSettings";
    const wanted = { query: "adlsp.interpreter" };
    await vscode.commands.executeCommand(`workbench.action.${place}`, wanted);
  }
}

/** Says that the server is down, and offers its log and another start. */
export async function offerRestart(message: string): Promise<void> {
  const choice = await vscode.window.showErrorMessage(message, "Show Log", "Restart");
  if (choice) {
    const command = choice === "Restart" ? "adlsp.restartServer" : "adlsp.showLog";
    await vscode.commands.executeCommand(command);
  }
}
