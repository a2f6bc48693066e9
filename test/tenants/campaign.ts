/**
 * Asks for all that can be reached as callers who may see nothing of it, in two worlds that differ
 * in hidden rows alone: an answer that differs tells something, and one that shows a mark tells it
 * plainly. What is written must leave the rows of the others as they were.
 */
import { createHash } from "node:crypto";
import type { Plan } from "../../src/plan/index.ts";
import { movableClock, type Running, serve } from "../../src/serve/index.ts";
import type { Way } from "./document.ts";

const START = 1_800_000_000_000_000n;
const HOUR = 3_600_000_000n;

/** What only the first tenant may see. */
interface Hidden {
  readonly slug: string;
  readonly name: string;
  readonly n: number;
  readonly note?: string;
  readonly more: number;
}
const WORLDS: readonly Hidden[] = [
  { slug: "mark-one", name: "alphamarked", n: 77, note: "a", more: 0 },
  { slug: "mark-two", name: "zulumarked", n: 3, more: 2 },
];
const MARK = /mark/;
/** A secret, and what is kept of one. */
const KEPT = ["key owner", "key other", "key blocked", "key expired", "t"].map((text) =>
  createHash("sha256").update(text).digest("hex"),
);
const SECRET = new RegExp(`token of|key o|${KEPT.join("|")}`);

/** Who asks. `lets`: the one to whom the hidden rows belong. */
const CALLERS = ["other", "nobody", "unknown", "blocked", "expired", "owner"] as const;
type CallerKind = (typeof CALLERS)[number];

export interface Leak {
  readonly way: string;
  readonly caller: CallerKind;
  readonly why: string;
}

export interface Result {
  readonly asked: number;
  readonly leaks: readonly Leak[];
  /** Ways by which the owner of the rows is told of them: the others could find no leak. */
  readonly effective: ReadonlySet<string>;
}

interface World {
  readonly running: Running;
  readonly hidden: Hidden;
  ask(
    caller: CallerKind,
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<string>;
}

async function worldOf(plan: Plan, hidden: Hidden): Promise<World> {
  const clock = movableClock(START);
  const random = (count: number): Uint8Array => new Uint8Array(count).fill(7);
  const running = await serve(plan, { memory: true, inline: true, clock, random });
  const ask: World["ask"] = async (caller, method, path, body, key) => {
    const headers: Record<string, string> = caller === "nobody" ? {} : { "X-Key": `key ${caller}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== undefined) headers["Idempotency-Key"] = key;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${running.address}${path}`, { method, headers, ...sent });
    const shown = ["location", "etag", "x-name"].map((name) => answer.headers.get(name) ?? "");
    return `${answer.status} ${shown.join(" ")} ${await answer.text()}`;
  };
  const world = { running, hidden, ask };
  await fill(world);
  clock.move(2n * HOUR);
  return world;
}

const timeAt = (micros: bigint): string => new Date(Number(micros / 1000n)).toISOString();

async function must(answer: Promise<string>): Promise<void> {
  const text = await answer;
  if (!text.startsWith("204")) throw new Error(`the rows of the campaign are refused: ${text}`);
}

async function fill({ ask, hidden }: World): Promise<void> {
  const users = [
    ["owner", "one", true],
    ["other", "two", true],
    ["blocked", "one", false],
    ["expired", "one", true],
  ] as const;
  for (const [name, tenant, active] of users) {
    const until = timeAt(START + (name === "expired" ? HOUR : 100n * HOUR));
    await must(
      ask("nobody", "POST", "/users", { name, tenant, key: `key ${name}`, active, until }),
    );
  }
  const { slug, name, n, note, more } = hidden;
  const token = `token of ${name}`;
  await must(
    ask("owner", "POST", "/projects", { slug, name, n, token, ...(note ? { note } : {}) }),
  );
  for (let i = 0; i < more; i++) {
    const further = { slug: `${slug}-${i}`, name: `${name} ${i}`, n: 20 + i, token };
    await must(ask("owner", "POST", "/projects", further));
  }
  await must(ask("other", "POST", "/projects", { slug: "own", name: "own", n: 4, token: "t" }));
  const others = { links: [slug], pins: { a: slug }, spot: { project: slug } };
  await must(
    ask("owner", "POST", "/tasks", { slug: "task", project: slug, other: slug, ...others }),
  );
  await ask("owner", "POST", "/kept", undefined, "first");
}

/** What a stream sends to a caller while the owner makes a row. */
async function heard({ running, ask, hidden }: World, caller: CallerKind): Promise<string> {
  const aborting = new AbortController();
  const headers: Record<string, string> = caller === "nobody" ? {} : { "X-Key": `key ${caller}` };
  const answer = await fetch(`${running.address}/feed`, { headers, signal: aborting.signal });
  if (answer.status !== 200) return `${answer.status} ${await answer.text()}`;
  let text = "";
  const reading = (async () => {
    for await (const some of answer.body ?? []) text += Buffer.from(some).toString();
  })().catch(() => {});
  const slug = `${hidden.slug}-heard-${caller}`;
  await ask("owner", "POST", "/projects", { slug, name: hidden.name, n: 1, token: "t" });
  await ask("other", "POST", "/projects", { slug: `own-${caller}`, name: "own", n: 1, token: "t" });
  for (let i = 0; i < 200 && !/own/.test(text) && caller !== "owner"; i++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  if (caller === "owner") await new Promise((resolve) => setTimeout(resolve, 30));
  aborting.abort();
  await reading;
  return text.replaceAll(/^id: .*$/gm, "");
}

interface Asking {
  readonly way: string;
  readonly of: (world: World, caller: CallerKind) => Promise<string>;
}

/** What is reached without steps of its own: paths, unique values, keys, streams. */
const OTHERS: readonly Asking[] = [
  { way: "path", of: ({ ask, hidden }, caller) => ask(caller, "GET", `/projects/${hidden.slug}`) },
  { way: "list", of: ({ ask }, caller) => ask(caller, "GET", "/projects") },
  {
    way: "body",
    of: ({ ask, hidden: { slug } }, caller) =>
      ask(caller, "POST", "/tasks", {
        ...{ slug: `b-${caller}`, project: slug, other: null },
        ...{ links: [], pins: {}, spot: { project: slug } },
      }),
  },
  { way: "kept answer", of: ({ ask }, caller) => ask(caller, "POST", "/kept", undefined, "first") },
  { way: "stream", of: heard },
];

function askingOf({ name, writes }: Way): Asking {
  const method = writes === true ? "POST" : "GET";
  return { way: name, of: ({ ask }, caller) => ask(caller, method, `/ways/${name}/task`) };
}

function judge(caller: CallerKind, answers: readonly string[]): string | undefined {
  const [one = "", two = ""] = answers;
  const isServed = /^2\d\d /.test(one);
  if (caller !== "other" && isServed) return `served: ${one}`;
  if (answers.some((text) => SECRET.test(text))) return `shows a secret: ${one}`;
  if (answers.some((text) => MARK.test(text))) return `shows a mark: ${one} | ${two}`;
  return one === two ? undefined : `differs: ${one} | ${two}`;
}

/** Goes every way in both worlds as every caller. */
export async function campaign(plan: Plan, ways: readonly Way[]): Promise<Result> {
  const worlds = await Promise.all(WORLDS.map((hidden) => worldOf(plan, hidden)));
  const leaks: Leak[] = [];
  const effective = new Set<string>();
  let asked = 0;
  const rows = () => Promise.all(worlds.map(({ ask }) => ask("owner", "GET", "/projects")));
  const all = [...ways.map(askingOf), ...OTHERS];
  const writing = new Set(ways.filter(({ writes }) => writes).map(({ name }) => name));
  try {
    let before = await rows();
    for (const { way, of } of all) {
      for (const caller of CALLERS) {
        if (caller === "owner" && writing.has(way)) continue;
        const answers = await Promise.all(worlds.map((world) => of(world, caller)));
        asked += answers.length;
        if (caller === "owner") {
          if (answers.some((text) => SECRET.test(text))) {
            leaks.push({ way, caller, why: "shows a secret to the owner" });
          }
          if (answers[0] !== answers[1]) effective.add(way);
          continue;
        }
        const why = judge(caller, answers);
        if (why !== undefined) leaks.push({ way, caller, why });
        if (!writing.has(way)) continue;
        const after = await rows();
        if (after.some((text, i) => text !== before[i])) {
          leaks.push({ way, caller, why: "rows of others were changed" });
        }
        before = after;
      }
    }
  } finally {
    await Promise.all(worlds.map(({ running }) => running.stop()));
  }
  return { asked, leaks, effective };
}
