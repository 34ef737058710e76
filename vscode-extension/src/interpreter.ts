/**
 * Decides which Python runs the server and the debugger.
 *
 * The setting wins; then comes what the Python extension has selected; then the PATH. The first that
 * can import adlsp is taken. Where none can, the first that is new enough runs the copy of adlsp
 * that comes with the extension: enough for the server, which never runs the user's program.
 * Interpreters run outside the workspace's folder, so that no module there is imported by mistake.
 */

import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import * as vscode from "vscode";

import { onDidSelectInterpreter, selectedInterpreter } from "./python";

/** How to start adlsp: `command` with `args`, before the subcommand. */
export interface Interpreter {
  command: string;
  args: readonly string[];
  options: { cwd: string; env: NodeJS.ProcessEnv };
  isBundled: boolean;
}

/** Why there is no interpreter; `message` is for the user. */
export class NoInterpreter extends Error {}

const IMPORT = "import adlsp.__main__";
const IMPORT_COPY = `import sys; assert sys.version_info >= (3, 10), "older than 3.10"; ${IMPORT}`;
const PROBE_TIMEOUT = 20_000;

/** Finds the interpreter for the user's program, or throws `NoInterpreter`. */
export async function findInterpreter(home: string): Promise<Interpreter> {
  return firstThatRuns(await candidates(home), IMPORT);
}

/** Finds the interpreter for the server, which may run the copy; or throws `NoInterpreter`. */
export async function findServerInterpreter(home: string): Promise<Interpreter> {
  const own = await candidates(home);
  try {
    return await firstThatRuns(own, IMPORT);
  } catch (error) {
    const withCopy = own.map((each) => addCopy(each, home));
    return firstThatRuns(withCopy, IMPORT_COPY).catch(() => Promise.reject(error));
  }
}

/** Calls back when another interpreter may have to be used. */
export function onDidChangeInterpreter(callback: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("adlsp.interpreter")) {
        callback();
      }
    }),
    onDidSelectInterpreter(() => {
      if (!setting()) {
        callback();
      }
    }),
  );
}

function setting(): string {
  const text = vscode.workspace.getConfiguration("adlsp").get<string>("interpreter", "").trim();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return text.replaceAll("${workspaceFolder}", folder);
}

async function candidates(home: string): Promise<Interpreter[]> {
  const onPath = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
  const commands = setting() ? [setting()] : [...(await selectedInterpreter()), ...onPath];
  const options = { cwd: home, env: process.env };
  return commands.map((command) => ({ command, args: ["-m", "adlsp"], options, isBundled: false }));
}

function addCopy(interpreter: Interpreter, home: string): Interpreter {
  const path = [join(home, "bundled"), process.env["PYTHONPATH"]].filter(Boolean).join(delimiter);
  const env = { ...process.env, PYTHONPATH: path };
  return { ...interpreter, options: { cwd: home, env }, isBundled: true };
}

async function firstThatRuns(all: readonly Interpreter[], program: string): Promise<Interpreter> {
  const tried: string[] = [];
  for (const interpreter of all) {
    const problem = await probe(interpreter, program);
    if (!problem) {
      return interpreter;
    }
    tried.push(`${interpreter.command}: ${problem}`);
  }
  const problems = tried.join("; ");
  throw new NoInterpreter(
    setting()
      ? `The interpreter of the setting adlsp.interpreter cannot run adlsp (${problems}).`
      : `No Python interpreter with adlsp was found (${problems}). ` +
        "Install it with pip install adlsp, or choose an interpreter that has it.",
  );
}

/** Says in a few words why an interpreter cannot run a program; nothing if it can. */
function probe({ command, options }: Interpreter, program: string): Promise<string> {
  return new Promise((resolve) => {
    const limits = { ...options, timeout: PROBE_TIMEOUT };
    execFile(command, ["-c", program], limits, (error, _output, stderr) => {
      if (!error) {
        resolve("");
      } else if (error.code === "ENOENT") {
        resolve("not found");
      } else {
        resolve(error.killed ? "no answer" : stderr.trim().split("\n").at(-1) || error.message);
      }
    });
  });
}
