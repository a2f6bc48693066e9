/** A headless Chromium, driven by the DevTools protocol over a pipe with Node's own modules. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The Chromium of this machine; undefined: there is none. */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM"];
  if (named !== undefined) return named;
  return NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);
}

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly sessionId?: string;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

/** One page of a browser. */
export class Tab {
  readonly requests: string[] = [];
  readonly problems: string[] = [];
  readonly #browser: Browser;
  readonly #session: string;
  readonly #target: string;
  #loaded: (() => void) | undefined;

  constructor(browser: Browser, session: string, target: string) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
  }

  async close(): Promise<void> {
    await this.#browser.send("Target.closeTarget", { targetId: this.#target });
  }

  /** Takes what the browser tells of this page. */
  take({ method, params = {} }: Message): void {
    if (method === "Page.loadEventFired") this.#loaded?.();
    if (method === "Network.requestWillBeSent") {
      this.requests.push((params["request"] as { url: string }).url);
    }
    if (method === "Log.entryAdded") {
      const { level, text } = params["entry"] as { level: string; text: string };
      if (level === "error") this.problems.push(text);
    }
    if (method === "Runtime.exceptionThrown") this.problems.push(JSON.stringify(params));
  }

  send(method: string, params: Params = {}): Promise<Params> {
    return this.#browser.send(method, params, this.#session);
  }

  /** Opens an address and waits until it is loaded. */
  async open(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.#loaded = resolve;
    });
    await this.send("Page.navigate", { url });
    await loaded;
  }

  /** The value of an expression in the page. */
  async ask<T>(expression: string): Promise<T> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = (await this.send("Runtime.evaluate", asked)) as {
      result: { value: T };
      exceptionDetails?: object;
    };
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Presses a key: its name, and the text that it writes. */
  async press(key: string, text?: string, modifiers = 0): Promise<void> {
    const code = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40, " ": 32 }[key] ?? 0;
    const one = { key, code: key, windowsVirtualKeyCode: code, modifiers };
    const down = text === undefined ? { type: "rawKeyDown" } : { type: "keyDown", text };
    await this.send("Input.dispatchKeyEvent", { ...one, ...down });
    await this.send("Input.dispatchKeyEvent", { ...one, type: "keyUp" });
  }

  /** Writes a text where the focus is. */
  async write(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
  }

  /** Gives the page a width, and a system that prefers light or dark. */
  async size(width: number, theme: "light" | "dark" = "light", height = 900): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.send("Emulation.setDeviceMetricsOverride", metrics);
    const features = [{ name: "prefers-color-scheme", value: theme }];
    await this.send("Emulation.setEmulatedMedia", { features });
  }
}

/** A browser that ends with `close`. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #input: Writable;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #tabs = new Map<string, Tab>();
  #count = 0;

  constructor(chromium: string) {
    this.#profile = mkdtempSync(join(tmpdir(), "lacuna-chromium-"));
    const flags = [
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
      ...["--no-first-run", "--hide-scrollbars", "--disable-background-networking"],
      ...["--remote-debugging-pipe", `--user-data-dir=${this.#profile}`, "about:blank"],
    ];
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"] as const;
    this.#process = spawn(chromium, flags, { stdio: [...stdio] });
    this.#input = this.#process.stdio[3] as Writable;
    let rest = "";
    const output = this.#process.stdio[4] as Readable;
    output.setEncoding("utf8").on("data", (piece: string) => {
      const messages = (rest + piece).split("\0");
      rest = messages.pop() ?? "";
      for (const one of messages) this.#take(JSON.parse(one) as Message);
    });
  }

  #take(message: Message): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    else this.#tabs.get(message.sessionId ?? "")?.take(message);
  }

  send(method: string, params: Params, sessionId?: string): Promise<Params> {
    const id = ++this.#count;
    const sent = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
    this.#input.write(`${JSON.stringify(sent)}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result = {}, error }) => {
        this.#waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  }

  /** A new page; `scripts` false: none of its scripts run. */
  async tab(scripts = true): Promise<Tab> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const attached = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const session = attached["sessionId"] as string;
    const tab = new Tab(this, session, targetId as string);
    this.#tabs.set(session, tab);
    for (const one of ["Page", "Network", "Log", "Runtime"]) await tab.send(`${one}.enable`);
    if (!scripts) await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
    return tab;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    await this.send("Browser.close", {});
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
