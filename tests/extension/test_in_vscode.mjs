/**
 * What a user sees of the extension, step by step in one real VS Code window.
 *
 * `test_extension.py` starts this and says by environment variables where things are. The steps
 * build on each other; the first that fails ends the run, with a screenshot.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openWindow, until } from "./window.mjs";

const { ADLSP_BARE_PYTHON, ADLSP_CHROMIUM, ADLSP_EXAMPLES, ADLSP_PYTHON } = process.env;
const { ADLSP_SCRATCH, ADLSP_SCREENSHOTS } = process.env;
const folder = join(ADLSP_SCRATCH, "examples");
const machineSettings = join(ADLSP_SCRATCH, "user-data", "Machine", "settings.json");
const MODEL = "digits.py";

cpSync(ADLSP_EXAMPLES, folder, { recursive: true });
mkdirSync(ADLSP_SCREENSHOTS, { recursive: true });
for (const old of readdirSync(ADLSP_SCREENSHOTS)) {
  if (/^\d\d-.*\.png$/.test(old)) rmSync(join(ADLSP_SCREENSHOTS, old));
}

/** Where the hidden layer is computed in the model's loss; lines and columns count from 1. */
function hiddenLayer() {
  const lines = readFileSync(join(folder, MODEL), "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith("def loss("));
  const at = lines.findIndex((line, index) => index > start && line.includes("h = "));
  assert.ok(start >= 0 && at >= 0, `the loss of ${MODEL} has a variable h`);
  return { line: at + 1, column: lines[at].indexOf("h = ") + 1 };
}

/** A network whose gradients explode on their way back, and whose data goes bad. */
const RECURRENT = `\
import numpy as np
import adlsp


def loss(w, xs):
    h = np.zeros((2, 4))
    for i in range(len(xs)):
        h = np.tanh(h @ w + xs[i])
    return np.sum(h)


w, gradient = 3 * np.eye(4), adlsp.grad(loss)
for step in range(50):
    xs = np.full((30, 2, 4), 1e-30 if step < 40 else np.nan)
    gradient(w, xs)
`;
const STEP = 8;

/** A rule that is wrong, and a loss whose gradient is so behind it. */
const WRONG = `\
import numpy as np
import adlsp
import adlsp.rules


def soft(x):
    return np.log1p(np.exp(x))


@adlsp.rules.elementwise(soft)
def soft_rule(x, *, out):
    return 1 - 2 * np.exp(-out)


def loss(x):
    y = x * 2.0
    z = soft(y)
    return np.sum(z)


adlsp.grad(loss)(np.ones(3))
`;
const DOUBLED = 16;

/** Ends the session by its key, or waits until it has ended. */
async function ended(vscode, key = "Shift+F5") {
  if (key) await vscode.page.keyboard.press(key);
  await until("the session has ended", async () =>
    (await vscode.page.locator(".debug-toolbar:visible").count()) === 0,
  );
}

/** The page of recorded gradients. */
function gradients(vscode) {
  return vscode.page.frameLocator("iframe.webview").frameLocator("#active-frame");
}

/** Checks the box of the filter for what is not finite in the list of breakpoints, or not. */
async function chooseFilter(vscode, isChosen) {
  await vscode.command("Focus on Breakpoints View");
  const row = vscode.page.locator(".debug-breakpoints .monaco-list-row", {
    hasText: "Derivatives: NaN or Infinite",
  });
  await until("the box is there", async () => (await row.count()) === 1);
  await row.locator("input[type=checkbox]").setChecked(isChosen);
}

/** Waits until the cursor is at the start of a line. */
function cursorIsAt(vscode, line) {
  return until(`the cursor is at line ${line}`, async () =>
    (await vscode.texts(".statusbar-item [aria-label^='Ln ']")).join().includes(`Ln ${line}, Col 1`),
  );
}

/** Gives a command, which asks for a file, and answers it; begins anew where the answer is not taken. */
async function giveFile(vscode, title, path) {
  const input = vscode.page.locator(".quick-input-widget:visible input[type=text]");
  await until(`${path} is chosen`, async () => {
    await vscode.command(title);
    await until("a folder is offered", async () => (await input.inputValue()) !== "", 5000);
    await until("the dialog keeps what is typed", async () => {
      await input.fill(path, { timeout: 3000 });
      await vscode.page.waitForTimeout(500); // it reads the folder, and may say where it was
      return (await input.inputValue()) === path;
    });
    await vscode.page.keyboard.press("Enter");
    await input.waitFor({ state: "hidden", timeout: 3000 });
    return true;
  });
}

/** The names of the tabs that show derivatives. */
async function derivativeTabs(vscode) {
  return (await vscode.texts(".tab")).filter((each) => /^loss_/.test(each.trim()));
}

/** What the debug console shows. */
async function consoleText(vscode) {
  return (await vscode.texts(".repl .monaco-list-row")).join("\n");
}

/** The process of the language server that belongs to this run. */
function serverProcess() {
  const ours = readdirSync("/proc").filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      return (
        words.slice(1, 5).join(" ") === "-m adlsp server --stdio" &&
        environment.includes(ADLSP_SCRATCH)
      );
    } catch {
      return false; // not a process, or gone
    }
  });
  return Number(ours[0] ?? 0);
}

function useInterpreter(path) {
  const settings = JSON.parse(readFileSync(machineSettings, "utf8"));
  writeFileSync(machineSettings, JSON.stringify({ ...settings, "adlsp.interpreter": path }));
}

const STEPS = {
  async "lists the findings of a file"(vscode) {
    await vscode.open("findings.py");
    const rows = await vscode.problems();
    const codes = await until("findings are listed", async () => {
      const found = (await rows()).join("\n").match(/AD\d{3}/g) ?? [];
      return found.length >= 5 && found.sort();
    });
    assert.deepEqual(codes, ["AD201", "AD301", "AD401", "AD402", "AD505"]);
  },

  async "repairs a gradient that may be NaN"(vscode) {
    const file = "findings_tensors.py";
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    const line = lines.findIndex((each) => each.includes("tf.where(")) + 1;
    await vscode.open(file);
    await until("the repair is chosen", async () => {
      await vscode.goTo(line, lines[line - 1].indexOf("tf.math.log") + 1);
      await vscode.page.keyboard.press("Control+.");
      const chosen = vscode.page.locator(".action-widget .monaco-list-row.focused");
      await chosen.filter({ hasText: "Take 1.0 for" }).waitFor({ timeout: 3000 });
      await vscode.page.keyboard.press("Enter");
      return true;
    });
    await until("it is made", async () =>
      (await vscode.editorText(file)).includes("tf.math.log(tf.where(p > 0, p, 1.0))"),
    );
    await vscode.page.keyboard.press("Control+z");
  },

  async "says in a hover why a variable is active"(vscode) {
    const place = hiddenLayer();
    await vscode.open(MODEL);
    await vscode.goTo(place.line, place.column);
    assert.match(await vscode.hover(/active/), /\bh\b/);
  },

  async "opens the derivative beside the primal"(vscode) {
    const place = hiddenLayer();
    await vscode.goTo(place.line, place.column);
    await vscode.command("adlsp: Open Derivative");
    const text = await until("the derivative is shown", () => vscode.editorText("loss"));
    assert.match(text, /def loss_/);
    assert.match(text, /# forward/);
    await until("it cannot be edited", async () => {
      await vscode.page.locator(".editor-group-container").nth(1).locator(".view-line").first().click();
      await vscode.page.keyboard.type("x");
      const shown = await vscode.texts(".monaco-editor-overlaymessage");
      return shown.join().includes("read-only");
    });
    assert.equal((await vscode.texts(".tab")).filter((each) => each.includes(MODEL)).length, 1);
  },

  async "highlights the counterpart of the cursor's line"(vscode) {
    const { line, column } = hiddenLayer();
    await vscode.open(MODEL);
    await vscode.goTo(line, column);
    await until("lines of the derivative are highlighted", async () => {
      const right = vscode.page.locator(".editor-group-container").nth(1);
      return (await right.locator(".view-overlays [class*='ced-']").count()) > 0;
    });
  },

  async "brings the derivative up to date when the primal is saved"(vscode) {
    const names = () => derivativeTabs(vscode);
    const [before] = await names();
    await vscode.goTo(1);
    await vscode.page.keyboard.press("Enter");
    await vscode.page.keyboard.press("Control+s");
    const after = await until("another file is shown", async () => {
      const now = await names();
      return now.length === 1 && now[0] !== before && now;
    });
    assert.equal(after.length, 1);
    await vscode.page.keyboard.press("Control+z");
    await vscode.page.keyboard.press("Control+s");
    await until("the first file is back", async () => {
      const now = await names();
      return now.length === 1 && now[0] === before;
    });
  },

  async "shows a live adjoint that follows unsaved text"(vscode) {
    const place = hiddenLayer();
    await vscode.goTo(place.line, place.column);
    await vscode.command("adlsp: Show Adjoint (Live)");
    const text = await until("it is shown", () => vscode.editorText("loss_adjoint"));
    assert.match(text, /def loss_/);
    const isChanged = async () => /\* ?1\.25/.test(await vscode.editorText("loss_adjoint"));
    assert.equal(await isChanged(), false);
    await vscode.goTo(place.line);
    await vscode.page.keyboard.press("End");
    await vscode.page.keyboard.type("*1.25");
    await until("it has the change", isChanged);
    await vscode.page.keyboard.press("Control+z");
    await until("it has the old text", async () => !(await isChanged()));
  },

  async "shows a function on its way to its derivative"(vscode) {
    const place = hiddenLayer();
    await vscode.closeTab("loss_adjoint");
    await vscode.open(MODEL);
    await vscode.goTo(place.line, place.column);
    await vscode.command("adlsp: Show Stage…");
    const rows = vscode.page.locator(".quick-input-list .monaco-list-row");
    await until("there are five stages", async () => (await rows.count()) === 5);
    await rows.filter({ hasText: "facts" }).first().click();
    const text = await until("it is shown", () => vscode.editorText("loss.facts"));
    assert.match(text, /# with respect to/);
    assert.match(text, /active h\b/);
    await vscode.closeTab("loss.facts");
  },

  async "stops in ordinary code without an error"(vscode) {
    const lines = readFileSync(join(folder, MODEL), "utf8").split("\n");
    const line = lines.findIndex((each) => each.includes("order = random.permutation")) + 1;
    await vscode.open(MODEL);
    await vscode.goTo(line);
    await vscode.page.keyboard.press("F9");
    await vscode.page.keyboard.press("F5");
    const standsAt = (expected) => async () => {
      const rows = await vscode.texts(".debug-call-stack .monaco-list-row");
      return rows.some((each) => each.includes("train") && each.includes(`${expected}:`));
    };
    await until("the program stands there", standsAt(line));
    await vscode.page.keyboard.press("F10");
    await until("it made a step", standsAt(line + 1));
    await vscode.page.waitForTimeout(1000); // errors would be shown by now
    assert.deepEqual(await vscode.texts(".notification-toast"), []);
    await vscode.goTo(line);
    await vscode.page.keyboard.press("F9");
    await ended(vscode);
  },

  async "marks a backward breakpoint from the menu of a line number"(vscode) {
    const { line } = hiddenLayer();
    await vscode.lineMenu(line, "Toggle Backward Breakpoint");
    await until("the line is marked", async () => (await vscode.marks()).includes("backward"));
  },

  async "stops in the backward sweep"(vscode) {
    const { line } = hiddenLayer();
    const shown = await derivativeTabs(vscode);
    await vscode.open(MODEL);
    await vscode.page.keyboard.press("F5");
    const stack = await until("the program stands in the backward sweep", async () => {
      const rows = await vscode.texts(".debug-call-stack .monaco-list-row");
      return rows.some((each) => each.includes(`backward of loss, line ${line}`)) && rows;
    });
    assert.match(stack[0], /loss_\w+/);
    assert.match(await vscode.editorText("loss_"), /# backward of/);
    await until("what runs takes the place of what was shown", async () => {
      const tabs = await derivativeTabs(vscode);
      return tabs.length === 1 && tabs[0] !== shown[0] && tabs;
    });
    assert.match(await vscode.editorText("loss_"), /b2_bar = np.sum/);
    const scopes = await until("variables are shown", async () => {
      const rows = await vscode.texts(".debug-variables .monaco-list-row");
      return rows.length > 1 && rows;
    });
    assert.ok(scopes.length > 1);
  },

  async "highlights the primal line meanwhile"(vscode) {
    await until("the line is highlighted", async () => {
      const left = vscode.page.locator(".editor-group-container").first();
      return (await left.locator(".view-overlays [class*='ced-']").count()) > 0;
    });
  },

  async "shows the primal line when its frame is chosen"(vscode) {
    const { line } = hiddenLayer();
    const row = vscode.page.locator(".debug-call-stack .monaco-list-row", {
      hasText: `backward of loss, line ${line}`,
    });
    await row.first().click();
    await until("the primal is shown at its line", async () => {
      const shown = await vscode.texts(".tab.active");
      return (
        shown.some((each) => each.includes(MODEL)) &&
        (await vscode.page.locator(".debug-focused-stack-frame-line").count()) > 0
      );
    });
  },

  async "ends the session"(vscode) {
    await ended(vscode);
  },

  async "shows a derivative in which the program stops beside the primal"(vscode) {
    for (const name of await derivativeTabs(vscode)) await vscode.closeTab(name.trim());
    writeFileSync(join(folder, "recurrent.py"), RECURRENT);
    await vscode.open("recurrent.py");
    await vscode.lineMenu(STEP, "Toggle Backward Breakpoint");
    await vscode.page.keyboard.press("F5");
    await until("both are shown", async () => {
      const shown = await vscode.texts(".editor-group-container .tab.active");
      return shown.length === 2 && /recurrent/.test(shown[0]) && /^loss_/.test(shown[1].trim());
    });
    assert.equal((await derivativeTabs(vscode)).length, 1);
    assert.match(await vscode.editorText("loss_"), /# backward of/);
    await until("values are beside its lines", async () =>
      (await vscode.marks()).some((each) => /^h: \|g\| \S+, \|value\|/.test(each)),
    );
  },

  async "compares gradients with finite differences where the program stands"(vscode) {
    const row = vscode.page.locator(".debug-call-stack .monaco-list-row", {
      hasText: `backward of loss, line ${STEP}`,
    });
    await row.first().click();
    await vscode.menu(row.first(), "Check This Gradient");
    const told = await until("it is told", async () => {
      const console = await consoleText(vscode);
      return /w: .*differences/.test(console) && console;
    });
    assert.match(told, /h: right, along a random direction: gradient /);
    assert.doesNotMatch(told, /DIFFERS/);
  },

  async "shows the value and the gradient of what one points at in the primal"(vscode) {
    const derivative = vscode.page.locator(".debug-call-stack .monaco-list-row").first();
    await derivative.click(); // it is the derivative's frame that is in focus
    await until("it is", async () => /^loss_/.test((await vscode.texts(".tab.active")).at(-1).trim()));
    await vscode.open("recurrent.py");
    await vscode.goTo(STEP, 9);
    assert.match(await vscode.hover(/h: \|g\| \S+, \|value/), /active/);
    await vscode.page.keyboard.press("Escape");
    await vscode.page.locator(".debug-call-stack .monaco-list-row").nth(1).click();
  },

  async "shows values and gradients beside the lines of the primal"(vscode) {
    await until("they are shown", async () =>
      /h: \|g\| \S+, \|value\|/.test(await vscode.editorText("recurrent.py")),
    );
  },

  async "takes them away when the session ends"(vscode) {
    await vscode.page.keyboard.press("Shift+F5");
    await until("they are gone", async () =>
      !/\|value\|/.test(await vscode.editorText("recurrent.py")),
    );
    await vscode.lineMenu(STEP, "Toggle Backward Breakpoint");
  },

  async "stays in one's own file where a setting says so"(vscode) {
    const settings = join(folder, ".vscode");
    mkdirSync(settings, { recursive: true });
    const path = join(settings, "settings.json");
    writeFileSync(path, JSON.stringify({ "adlsp.debug.layout": "primal" }));
    for (const name of await derivativeTabs(vscode)) await vscode.closeTab(name.trim());
    await vscode.open("recurrent.py");
    await vscode.lineMenu(STEP, "Toggle Backward Breakpoint");
    await vscode.page.keyboard.press("F5");
    const rows = await until("the program stands there", async () => {
      const found = await vscode.texts(".debug-call-stack .monaco-list-row");
      return found.some((each) => each.includes("backward of loss")) && found;
    });
    assert.match(rows[0], /^backward of loss/);
    await cursorIsAt(vscode, STEP);
    assert.deepEqual(await derivativeTabs(vscode), []);
    await ended(vscode);
    await vscode.lineMenu(STEP, "Toggle Backward Breakpoint");
    rmSync(settings, { recursive: true });
  },

  async "marks a gradient red that differences contradict"(vscode) {
    for (const name of await derivativeTabs(vscode)) await vscode.closeTab(name.trim());
    writeFileSync(join(folder, "wrong.py"), WRONG);
    await vscode.open("wrong.py");
    await vscode.lineMenu(DOUBLED, "Toggle Backward Breakpoint");
    await vscode.page.keyboard.press("F5");
    const row = vscode.page.locator(".debug-call-stack .monaco-list-row", {
      hasText: `backward of loss, line ${DOUBLED}`,
    });
    await until("the program stands there", async () => (await row.count()) > 0);
    await vscode.menu(row.first(), "Check This Gradient");
    const mark = vscode.page.locator(".debug-variables .monaco-list-row span", {
      hasText: /^DIFFERS$/,
    });
    const color = await until("the gradient is marked", () =>
      mark.first().evaluate((each) => getComputedStyle(each).color, null, { timeout: 3000 }),
    );
    const [red, green, blue] = color.match(/\d+/g).map(Number);
    assert.ok(red > 1.5 * Math.max(green, blue), color);
    await until("the console tells by how much", async () =>
      /y: DIFFERS.* differences give 0\.880797/.test(await consoleText(vscode)),
    );
  },

  async "ends that session"(vscode) {
    await ended(vscode);
    await vscode.lineMenu(DOUBLED, "Toggle Backward Breakpoint");
  },

  async "stops where a value is not finite when that box is checked"(vscode) {
    for (const name of await derivativeTabs(vscode)) await vscode.closeTab(name.trim());
    writeFileSync(join(folder, "recurrent.py"), RECURRENT);
    await vscode.open("recurrent.py");
    await chooseFilter(vscode, true);
    await vscode.page.keyboard.press("F5");
    await until("the program stands there", async () => {
      const stack = await vscode.texts(".debug-call-stack .monaco-list-row");
      return stack.some((each) => each.includes("forward of loss, line 6"));
    });
    await until("both are shown", async () => (await derivativeTabs(vscode)).length === 1);
    const why = /forward of recurrent\.py:5: `xs`, an argument of loss_grad, arrives bad: 240 of 240/;
    await until("it is told why", async () => {
      const shown = await vscode.texts(".editor-group-container .exception-widget:visible");
      return why.test(shown.join("\n").replaceAll("\u00a0", " "));
    });
  },

  async "goes on to the end when it is not checked any more"(vscode) {
    await chooseFilter(vscode, false);
    await vscode.page.keyboard.press("F5");
    await ended(vscode, null);
  },

  async "records the gradients of a run"(vscode) {
    await vscode.command("adlsp: Record Gradients");
    const state = gradients(vscode).locator("header span").first();
    await until("it says so", async () => (await state.innerText()) === "the next run is recorded");
    await vscode.open("recurrent.py");
    await vscode.page.keyboard.press("F5");
    const rows = gradients(vscode).locator("tbody tr", { hasText: /^h_bar\s*recurrent.py:8/ });
    await until("all is there", async () => {
      const cells = (await rows.first().innerText()).split("\t");
      return Number(cells[6]) === 10 * 30 * 8 && cells[2] === "—" && cells;
    });
    const [, , , least, greatest] = (await rows.first().innerText()).split("\t").map(Number);
    assert.ok(Math.abs(greatest / least / 3 ** 29 - 1) < 0.01, `${least} to ${greatest}`);
    assert.equal(await gradients(vscode).locator(".u-over").count(), 2);
    await ended(vscode, null);
    await vscode.command("adlsp: Record Gradients");
    await until("no run is recorded", async () => (await state.innerText()) === "not recording");
  },

  async "opens the line of a variable, and of a point of a plot"(vscode) {
    const page = gradients(vscode);
    await vscode.open("recurrent.py");
    await page.locator("tbody tr", { hasText: `recurrent.py:${STEP + 1}` }).first().click();
    await cursorIsAt(vscode, STEP + 1);
    const title = page.locator(".u-title").nth(1);
    const steps = await page.locator(".u-over").nth(0).boundingBox();
    await vscode.page.mouse.move(steps.x + steps.width * 0.5, steps.y + 2);
    await vscode.page.mouse.click(steps.x + steps.width * 0.5, steps.y + 2);
    const chosen = await until("a step is chosen", async () =>
      /^along the sweep of step (2\d)$/.exec(await title.innerText()),
    );
    await cursorIsAt(vscode, STEP);
    await vscode.goTo(1);
    const sweep = await page.locator(".u-over").nth(1).boundingBox();
    const place = [sweep.x + sweep.width * 0.75, sweep.y + sweep.height * 0.25];
    await vscode.page.mouse.move(...place);
    const readout = page.locator(".readout");
    await until("the point is told", async () =>
      /^[ht]_bar, recurrent.py:8, pass [5-9] of 30: /.test(await readout.innerText()),
    );
    await vscode.page.mouse.click(...place);
    await cursorIsAt(vscode, STEP);
    assert.equal(await title.innerText(), chosen[0]);
  },

  async "writes the run into a file, and shows it again"(vscode) {
    const path = join(ADLSP_SCRATCH, "run.jsonl");
    await giveFile(vscode, "adlsp: Export Recorded Gradients", path);
    const last = await until("it is all written", () => {
      const lines = readFileSync(path, "utf8").trim().split("\n");
      const rows = lines.map((line) => JSON.parse(line)); // raises in the middle of one
      const found = rows.filter(({ variable, step }) => variable === "w" && step === 49);
      return found.length > 0 && found;
    });
    assert.equal(last.length, 1);
    assert.equal(last[0].bad, 16);
    await giveFile(vscode, "adlsp: Open Recorded Gradients", path);
    const names = gradients(vscode).locator("select option");
    await until("it is one of two runs", async () => (await names.count()) === 2);
    assert.equal(await names.nth(1).innerText(), "run.jsonl");
    const select = gradients(vscode).locator("select");
    await until("it is shown", async () => (await select.inputValue()) === "1");
    const title = await gradients(vscode).locator(".u-title").nth(1).innerText();
    assert.equal(title, "along the sweep of step 49");
  },

  async "starts the server again when it was killed"(vscode) {
    const first = await until("the server runs", serverProcess);
    process.kill(first, "SIGKILL");
    await until("another one runs", () => serverProcess() && serverProcess() !== first);
    const place = hiddenLayer();
    await vscode.open(MODEL);
    await vscode.goTo(place.line, place.column);
    await vscode.hover(/active/);
  },

  async "runs the copy in the extension where adlsp is not installed"(vscode) {
    const before = serverProcess();
    useInterpreter(ADLSP_BARE_PYTHON);
    await until("another server runs", () => serverProcess() && serverProcess() !== before);
    await vscode.hover(/active/);
    assert.match(readFileSync(`/proc/${serverProcess()}/environ`, "utf8"), /=[^=]*\/bundled/);
  },

  async "says which setting is wrong when there is no interpreter"(vscode) {
    useInterpreter("/nowhere/python");
    const message = await until("an error is shown", async () => {
      const shown = await vscode.texts(".notification-toast");
      return shown.find((each) => each.includes("adlsp.interpreter"));
    });
    assert.match(message, /\/nowhere\/python: not found/);
    assert.equal(serverProcess(), 0);
    await vscode.page.getByRole("button", { name: "Choose Interpreter" }).click();
    await until("the setting is shown", async () =>
      (await vscode.texts(".settings-editor")).join("\n").includes("Adlsp: Interpreter"),
    );
    useInterpreter(ADLSP_PYTHON);
    await until("the server runs again", serverProcess);
  },
};

const vscode = await openWindow({
  cache: process.env.ADLSP_VSCODE_CACHE,
  chromium: ADLSP_CHROMIUM,
  vsix: process.env.ADLSP_VSIX,
  scratch: ADLSP_SCRATCH,
  folder,
  settings: { "adlsp.interpreter": ADLSP_PYTHON },
  env: { ADLSP_CACHE_DIR: join(ADLSP_SCRATCH, "cache") },
});
let number = 0;
for (const [name, step] of Object.entries(STEPS)) {
  const picture = `${String(++number).padStart(2, "0")}-${name.replaceAll(/\W+/g, "-")}`;
  try {
    await step(vscode);
    console.log(`ok: ${name}`);
  } catch (error) {
    console.log(`FAILED: ${name}\n${error.stack}\n${vscode.output()}`);
    process.exitCode = 1;
  }
  const suffix = process.exitCode ? "-FAILED" : "";
  await vscode.page.screenshot({ path: join(ADLSP_SCREENSHOTS, `${picture}${suffix}.png`) });
  if (process.exitCode) break;
}
await vscode.close();
