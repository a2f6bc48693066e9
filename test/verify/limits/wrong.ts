/** Services that are wrong in a limit, a size, a version or a time, and the line that says so. */
import { readFileSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Running, serve } from "../../../src/serve/index.ts";
import { type Session, verify } from "../../../src/verify/index.ts";
import { compiled } from "../clauses/trial.ts";

const text = readFileSync(join(import.meta.dirname, "spec.md"), "utf8");

function compiledText(of: string) {
  const found = compiled(of);
  if (found === undefined) throw new Error("the document has errors");
  return found;
}

const original = compiledText(text);

/** A service that is wrong. */
export interface Wrong {
  readonly name: string;
  /** What stands in the document, and what the service does in its place. */
  readonly clause?: readonly [from: string, to: string];
  /** A header that is answered otherwise; undefined: it is left out. */
  readonly header?: readonly [name: string, value: string | undefined];
  /** The beginning of the line that is broken, where it is not that of the clause. */
  readonly line?: string;
}

const changed = (name: string, from: string, ...all: readonly string[]): readonly Wrong[] =>
  all.map((to) => ({ name: `${name}: ${to}`, clause: [from, to] }));

/** Stands in the rows of all limits that send the header. */
const RETRIED = "with `Retry-After` |";

export const wrongs: readonly Wrong[] = [
  ...changed(
    "amount of a window that slides",
    "| caller | 20 |",
    "| caller | 19 |",
    "| caller | 21 |",
  ),
  ...changed("window that slides", "1 s, sliding", "500 ms, sliding", "2 s, sliding", "1 s, fixed"),
  ...changed("whose requests are counted", "| caller | 20", "| everyone | 20"),
  ...changed(
    "amount of a fixed window",
    "| everyone | 8 |",
    "| everyone | 7 |",
    "| everyone | 9 |",
  ),
  ...changed("fixed window", "1 s, fixed", "500 ms, fixed", "2 s, fixed"),
  ...changed(
    "which requests are counted",
    "requests to `POST /accounts`",
    "requests",
    "requests to `POST /scraps`",
  ),
  ...changed("error of a limit", "fixed | `come_back`", "fixed | `slow_down`"),
  ...changed("rows that are kept", "| `owner` | 5 |", "| `owner` | 4 |", "| `owner` | 6 |"),
  ...changed("bytes of a body", "| 600 |", "| 599 |", "| 601 |"),
  ...changed("bytes of a path", "| 300 |", "| 299 |", "| 301 |"),
  ...changed("items of a list", "0 to 30 items", "0 to 29 items", "0 to 31 items"),
  ...changed(
    "characters of a text",
    "1 to 40 characters |\n| `tags`",
    "1 to 39 characters |\n| `tags`",
    "1 to 41 characters |\n| `tags`",
  ),
  ...changed("version", "- This version: `2`", "- This version: `3`"),
  ...changed(
    "no version",
    "| no version | `no_version` |",
    "| no version | ignored |",
    "| no version | `other_version` |",
  ),
  ...changed("day of an end", "| 2026-10-01 |", "| 2026-10-02 |"),
  ...changed("last day", "| 2027-04-01 |", "| 2027-03-31 |"),
  ...changed(
    "time for which rows are kept",
    "- Kept: 1 s",
    "- Kept: 500 ms",
    "- Kept: 3 s",
    "- Kept: 1 day",
  ),
  ...changed("time of a transition", 'duration("1s")', 'duration("0.5s")', 'duration("3s")'),
  ...changed("transition that never comes", "time `endsAt`", "step"),
  ...changed(
    "time for which a key is kept",
    "- Key kept: 1 s",
    "- Key kept: 400 ms",
    "- Key kept: 3 s",
  ),
  { name: "Retry-After is too long", header: ["retry-after", "30"], line: RETRIED },
  { name: "no Retry-After", header: ["retry-after", undefined], line: RETRIED },
  { name: "no Deprecation", header: ["deprecation", undefined], line: "- Sent with deprecated" },
  { name: "Sunset as a number", header: ["sunset", "@1806537600"], line: "| `GET /account`" },
];

/** Passes on, with one header of answers otherwise. */
async function changing(address: string, [name, value]: readonly [string, string | undefined]) {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = ask(new URL(url ?? "", address), { method, headers }, (answer) => {
      const own = { ...answer.headers };
      if (own[name] !== undefined) own[name] = value;
      if (value === undefined) delete own[name];
      outgoing.writeHead(answer.statusCode ?? 0, own);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Tried {
  readonly session: Session;
  /** Numbers of the lines that the first break names. */
  readonly lines: readonly (number | undefined)[];
  /** The lines that are wrong: a header may be stated in several. */
  readonly wanted: readonly number[];
}

interface Bounds {
  readonly seed: number;
  readonly requests: number;
  readonly seconds: number;
}

/** Verifies a service against the document; without `wrong` it is right. */
export async function tried(wrong: Wrong | undefined, bounds: Bounds): Promise<Tried> {
  const { clause: [from, to] = ["", ""], header, line } = wrong ?? {};
  const other = from === "" ? text : text.replace(from, () => to);
  if (from !== "" && other === text) throw new Error(`nowhere: ${from}`);
  const linesWith = (part: string): readonly number[] =>
    text.split("\n").flatMap((one, i) => (one.includes(part) ? [i + 1] : []));
  const first = text.slice(0, text.indexOf(from)).split("\n").length;
  const { seed, requests, seconds } = bounds;
  const options = { memory: true, inline: true, shake: String(seed) };
  const running: Running = await serve(compiledText(other).plan, options);
  const proxy = header && (await changing(running.address, header));
  try {
    const { session } = await verify(original.plan, proxy?.url ?? new URL(running.address), {
      ...{ seed, tag: `v${seed.toString(36)}`, requestsMax: requests, secondsMax: seconds },
      ...{ breaksMax: wrong === undefined ? 25 : 1, shrinkMax: 0, patienceMs: 2_000 },
      occurring: original.occurring,
    });
    const lines = session.breaks.slice(0, 1).flatMap(({ items }) => items);
    return {
      session,
      lines: lines.map((item) => original.lines.get(item)),
      wanted: line === undefined ? [first] : linesWith(line),
    };
  } finally {
    await proxy?.stop();
    await running.stop();
  }
}
