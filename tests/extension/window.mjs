/**
 * A real VS Code window, driven as a person drives it: by keyboard, looking at what is shown.
 *
 * `openWindow` starts code-server with a fresh profile and the packaged extension, and a browser
 * that shows it. Everything waits for a condition and fails with a sentence and a screenshot.
 */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";

const PATIENCE = Number(process.env.ADLSP_PATIENCE ?? 60) * 1000;

/** Opens a folder in a new VS Code that has the extension. */
export async function openWindow({ cache, chromium, vsix, scratch, folder, settings, env }) {
  const data = join(scratch, "user-data");
  const extensions = join(scratch, "extensions");
  writeFileSync(join(scratch, "config.yaml"), "auth: none\n");
  for (const scope of ["User", "Machine"]) {
    mkdirSync(join(data, scope), { recursive: true });
    const content = JSON.stringify({ ...QUIET, ...settings }); // paths are settings of the machine
    writeFileSync(join(data, scope, "settings.json"), content);
  }
  const entry = join(cache, "node_modules/code-server/out/node/entry.js");
  const config = join(scratch, "config.yaml");
  const common = ["--config", config, "--user-data-dir", data, "--extensions-dir", extensions];
  const environment = { ...process.env, ...env, EXTENSIONS_GALLERY: "{}" };
  execFileSync(process.execPath, [entry, ...common, "--install-extension", vsix], {
    env: environment,
  });
  const port = await freePort();
  const server = spawn(
    process.execPath,
    [entry, ...common, "--bind-addr", `127.0.0.1:${port}`, ...PRIVATE, folder],
    { env: environment, stdio: ["ignore", "pipe", "pipe"] },
  );
  const output = collect(server);
  const playwright = createRequire(join(cache, "package.json"))("playwright-core");
  const browser = await playwright.chromium.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const close = async () => {
    await browser.close();
    server.kill();
  };
  try {
    await until("code-server answers", () => fetch(`http://127.0.0.1:${port}/healthz`));
    const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
    await page.waitForSelector(".monaco-workbench .explorer-viewlet", { timeout: PATIENCE });
    return { ...actions(page), page, close, output };
  } catch (error) {
    await close();
    throw new Error(`${error}\n${output()}`);
  }
}

/** Waits until `probe` gives something true, and gives that; says what it waited for if it fails. */
export async function until(what, probe, patience = PATIENCE) {
  const end = Date.now() + patience;
  let trouble;
  while (Date.now() < end) {
    try {
      const result = await probe();
      if (result) return result;
      trouble = undefined;
    } catch (error) {
      trouble = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(`waited in vain until ${what}${trouble ? ` (${trouble})` : ""}`);
}

const QUIET = {
  "chat.commandCenter.enabled": false,
  "editor.hover.delay": 100,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

const PRIVATE = [
  "--auth=none",
  "--disable-telemetry",
  "--disable-update-check",
  "--disable-workspace-trust",
  "--disable-getting-started-override",
];

/** What a person does in the window. */
function actions(page) {
  const texts = (selector) => page.locator(selector).allInnerTexts();

  /** Opens the quick input by a key, types, and takes the first row that has `wanted`. */
  async function pick(key, text, wanted) {
    await until(`“${wanted}” can be chosen`, async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press(key);
      const input = page.locator(".quick-input-widget:visible input[type=text]");
      await input.fill(text, { timeout: 3000 });
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: wanted }).first();
      await row.click({ timeout: 3000 });
      return true;
    });
  }

  const command = (title) => pick("F1", `>${title}`, title);

  /** Places the cursor; lines and columns count from 1. */
  async function goTo(line, column = 1) {
    await until(`the cursor is at ${line}:${column}`, async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+g");
      const input = page.locator(".quick-input-widget:visible input[type=text]");
      await input.fill(`:${line}:${column}`, { timeout: 3000 });
      await page.keyboard.press("Enter");
      const place = await texts(".statusbar-item [aria-label^='Ln ']");
      return place.some((each) => each.includes(`Ln ${line}, Col ${column}`));
    });
  }

  /** Opens a file on the left. */
  async function open(name) {
    await page.keyboard.press("Control+1");
    await pick("Control+p", name, name);
    await until(`the tab of ${name} is active`, async () =>
      (await texts(".part.editor .tab.active")).some((each) => each.includes(name)),
    );
  }

  /** Rows of the Problems view. */
  async function problems() {
    await command("Problems: Focus on Problems View");
    return () => texts(".markers-panel .monaco-list-row");
  }

  /** Shows the hover at the cursor until it says what is expected, and gives its text. */
  async function hover(expected) {
    await page.mouse.move(1, 1); // what lies under the mouse has hovers as well
    return until(`a hover says ${expected}`, async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+i");
      await page.waitForTimeout(700);
      const shown = (await texts(".monaco-hover:visible")).join("\n");
      return expected.test(shown) && shown;
    });
  }

  /** The visible text of the editor whose tab has this name. */
  async function editorText(name) {
    const group = page.locator(".editor-group-container", {
      has: page.locator(".tab.active", { hasText: name }),
    });
    const text = await group.locator(".view-lines").first().innerText({ timeout: 2000 });
    return text.replaceAll("\u00a0", " ");
  }

  async function closeTab(name) {
    const tab = page.locator(".tab", { hasText: name });
    await tab.click({ button: "middle" });
    await until(`the tab of ${name} is closed`, async () => (await tab.count()) === 0);
  }

  /** Chooses an entry of the menu that a right click on a line number opens, on the left. */
  async function lineMenu(line, entry) {
    const number = page.locator(".editor-group-container .line-numbers", {
      hasText: new RegExp(`^${line}$`),
    });
    await menu(number.first(), entry);
  }

  /** Chooses an entry of the menu that a right click opens. */
  async function menu(place, entry) {
    await until(`“${entry}” is chosen`, async () => {
      await place.click({ button: "right", timeout: 3000 });
      const item = page.locator(".monaco-menu .action-label", { hasText: entry });
      await item.hover({ timeout: 3000 });
      await page.waitForTimeout(300); // a menu takes the first click for the end of the right click
      await item.click({ timeout: 3000 });
      await item.waitFor({ state: "detached", timeout: 3000 });
      return true;
    });
  }

  /** The texts that are painted behind lines, which the editor does in its style sheet. */
  function marks() {
    return page.evaluate(() => {
      const lines = [...document.querySelectorAll(".view-line span")];
      const painted = lines.map((each) => getComputedStyle(each, "::after").content);
      return painted.filter((each) => each.startsWith('"')).map((each) => each.slice(1, -1));
    });
  }

  return {
    ...{ texts, pick, command, goTo, open, problems, hover, editorText },
    ...{ closeTab, lineMenu, menu, marks },
  };
}

function collect(child) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => (text += chunk));
  }
  return () => text;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
