/** A page that is done as a reader does it: pastes and edits of a document, commands, requests. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { lacuna } from "../cli/world.ts";
import type { Sample } from "./prose.ts";
import { assertLike, commandsOf } from "./transcript.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const env = { ...process.env, NO_COLOR: "1" };
const COLUMNS = 100;
/** How long an edit may take to be served. */
const EDIT_MS = 10_000;
/** Header fields that pages show, in the order in which the service sends them. */
const SHOWN = ["Content-Type", "Lacuna-Gap"];

/** The document with text behind what stands in a part. */
function pasted(document: string, part: string, text: string): string {
  const start = document.indexOf(`## ${part}\n`);
  assert.ok(start >= 0, `there is a part ${part}`);
  const next = document.indexOf("\n## ", start);
  const end = next < 0 ? document.length : next + 1;
  return `${document.slice(0, end).trimEnd()}\n\n${text}\n${document.slice(end)}`;
}

/** The document with the lines of a diff in place of those that it takes away. */
function edited(document: string, diff: string): string {
  const lines = (sign: string): string =>
    diff
      .split("\n")
      .filter((each) => each.startsWith(sign))
      .map((each) => `${each.slice(1)}\n`)
      .join("");
  assert.ok(document.includes(lines("-")), `these lines stand in the document: ${diff}`);
  return document.replace(lines("-"), () => lines("+"));
}

/** One reader with a folder and a document; `end` stops what was started. */
export class Session {
  readonly #folder = mkdtempSync(join(tmpdir(), "lacuna-page-"));
  readonly #name: string;
  #document = "";
  #service: ChildProcess | undefined;
  #address = "";
  /** The id that the last answer began with: `…` in an address stands for its end. */
  #id = "";

  constructor(name: string) {
    this.#name = name;
  }

  /** Does what a block of the page says, by the words behind its fence. */
  async does({ info, text, place }: Sample): Promise<void> {
    const [kind, how = "", ...rest] = info.split(" ");
    if (kind === "console") {
      for (const { line, output } of commandsOf(text)) await this.#command(line, output, place);
      return;
    }
    if (kind === "diff") this.#document = edited(this.#document, text);
    else if (how === "below") this.#document = pasted(this.#document, rest.join(" "), text);
    else this.#document = text;
    writeFileSync(join(this.#folder, this.#name), this.#document);
  }

  /** Stops the service, and takes the folder away. */
  async end(): Promise<void> {
    await this.#stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #stop(): Promise<void> {
    const service = this.#service;
    if (service?.exitCode === null && service.kill("SIGTERM")) await once(service, "exit");
  }

  async #command(line: string, output: string, place: string): Promise<void> {
    const where = `${place}: ${line}`;
    const args = line.split(" ").slice(1);
    if (line.endsWith(" &")) return this.#serve(args.slice(0, -1));
    if (line.startsWith("curl ")) return this.#request(line, output, where);
    const file = join(this.#folder, this.#name);
    const paths = args.map((each) => (each === this.#name ? file : each));
    const { out } = await lacuna(paths, { columns: COLUMNS + this.#folder.length });
    assertLike(out.replaceAll(`${this.#folder}/`, ""), output, where);
  }

  /** Starts a service, in place of one that runs; settles when it answers. */
  async #serve(args: readonly string[]): Promise<void> {
    await this.#stop();
    this.#address = "";
    const child = spawn(process.execPath, [main, ...args, "--port", "0"], {
      cwd: this.#folder,
      env,
    });
    this.#service = child;
    const ended = once(child, "exit").then(() => "");
    for (let told = ""; this.#address === ""; ) {
      const more = await Promise.race([once(child.stdout, "data"), ended]);
      assert.notEqual(more, "", `not served: ${told}`);
      told += String(more);
      this.#address = /served at (\S+)/.exec(told)?.[1] ?? "";
    }
    child.stdout.resume();
    child.stderr.resume();
  }

  /** Sends the request until it is answered as stated: an edit may not be served yet. */
  async #request(line: string, output: string, where: string): Promise<void> {
    const end = Date.now() + EDIT_MS;
    for (;;) {
      const told = await this.#answer(line);
      try {
        assertLike(told, output, where);
        this.#id = /"id":"([^"]+)"/.exec(told)?.[1] ?? this.#id;
        return;
      } catch (wrong) {
        if (Date.now() > end) throw wrong;
        await pause(50);
      }
    }
  }

  /** What a `curl -i` line would print, of the fields that pages show. */
  async #answer(line: string): Promise<string> {
    const path = /http:\/\/[^/\s]+(\S*)/.exec(line)?.[1] ?? "/";
    const body = / -d '([^']*)'/.exec(line)?.[1];
    const method = / -X (\w+)/.exec(line)?.[1] ?? (body === undefined ? "GET" : "POST");
    const [name, value = ""] = / -H '([^']*)'/.exec(line)?.[1]?.split(": ") ?? [];
    const answer = await fetch(new URL(path.replace(/\w*…/, this.#id), this.#address), {
      method,
      headers: name === undefined ? {} : { [name]: value },
      body: body ?? null,
    });
    const fields = SHOWN.flatMap((each) => {
      const text = answer.headers.get(each);
      return text === null ? [] : [`${each}: ${text}`];
    });
    const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`;
    return `${[head, ...fields].join("\n")}\n\n${await answer.text()}`;
  }
}
