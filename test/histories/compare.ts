/** Compares what the engine answered and stored with what the reference did. */
import type { Plan } from "../../src/plan/index.ts";
import { sha256 } from "../reference/encodings.ts";
import { isList, isMap, isRef, type Value } from "../reference/values.ts";
import type { Answer, World } from "../reference/world.ts";
import type { EngineSide } from "./engine.ts";
import type { RawAnswer } from "./talk.ts";

/** Headers that the connection adds, or that the reference leaves out. */
const NOT_JUDGED = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "lacuna-assumed",
  "vary",
  "transfer-encoding",
]);
const TOKEN = /[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;

/** Tokens as what they claim: the order of claims is free. */
export function claimed(text: string): string {
  return text.replace(TOKEN, (token) => {
    try {
      const [head, claims] = token
        .split(".")
        .slice(0, 2)
        .map(
          (part) =>
            JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Record<string, unknown>,
        );
      const sorted = (of: Record<string, unknown> | undefined): string =>
        Object.entries(of ?? {})
          .filter(([name]) => name !== "jti" && name !== "kid")
          .sort()
          .map((one) => one.join(" "))
          .join();
      return `token(${sorted(head)};${sorted(claims)})`;
    } catch {
      return token;
    }
  });
}

export function headerLines(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !NOT_JUDGED.has(name) && !name.startsWith("access-control-"))
    .map(([name, value]) => {
      if (name === "allow") return `allow: ${value.split(", ").sort().join(", ")}`;
      if (name === "www-authenticate") return `${name}: ${value.split(" ")[0]}`;
      return `${name}: ${value}`;
    })
    .sort();
}

/** Whether the engine says that it does not serve something yet. */
export function isUnsupported(answer: RawAnswer): boolean {
  return answer.status === 501 && answer.body.includes('"unsupported":');
}

/** Where the answers differ; undefined: they are the same. */
export function answersDiffer(got: RawAnswer, wanted: Answer): string | undefined {
  if (got.status !== wanted.status) {
    const gap = wanted.gap === undefined ? "" : ` (gap ${wanted.gap})`;
    return (
      `status ${got.status}, the reference ${wanted.status}${gap}\n  got ${got.body}\n` +
      `  reference ${wanted.body ?? ""}`
    );
  }
  if (wanted.gap !== undefined) return gapsDiffer(got, wanted.gap);
  const [mine, theirs] = [headerLines(got.headers), headerLines(wanted.headers)];
  if (mine.join("\n") !== theirs.join("\n")) {
    return `headers\n  got ${mine.join(" | ")}\n  reference ${theirs.join(" | ")}`;
  }
  const [body, other] = [claimed(got.body), claimed(wanted.body ?? "")];
  return body === other ? undefined : `body\n  got ${body}\n  reference ${other}`;
}

function gapsDiffer(got: RawAnswer, gap: string): string | undefined {
  if (got.body === "") return undefined;
  const { gap: met, call } = JSON.parse(got.body) as { gap?: { id?: string }; call?: string };
  // No code is behind a call that has no stand-in: the answer names the call.
  if (call !== undefined && gap.endsWith(`/${call}`)) return undefined;
  // A row that is missing is known by the question that asks for it, where it was asked.
  const asked = gap.replace(/^failures\//, "errors/");
  return met?.id === gap || met?.id === asked
    ? undefined
    : `gap ${met?.id ?? got.body}, the reference ${gap}`;
}

/** A value as text, alike for both sides. */
function textOf(value: Value, stored: unknown): string {
  if (isRef(value)) return `row ${value.key}`;
  if (value === null || value === undefined) return String(value);
  if (isList(value)) {
    const items = stored as readonly unknown[] | undefined;
    return `[${value.map((one, i) => textOf(one, items?.[i])).join()}]`;
  }
  if (isMap(value)) {
    const members = stored instanceof Map ? stored : undefined;
    return `{${[...value].map(([name, one]) => `${name}:${textOf(one, members?.get(name))}`).join()}}`;
  }
  if (typeof value === "object" && "digits" in value) return `number ${value.digits}`;
  if (typeof value === "object" && "hash" in value) {
    return value.hash === "sha256" ? sha256(value.plain) : "hashed";
  }
  return `${typeof value} ${String(value)}`;
}

function storedText(stored: unknown, value: Value): string {
  if (isRef(value) && typeof stored === "number") return `row ${stored}`;
  if (stored === null || stored === undefined) return String(stored);
  if (Array.isArray(stored)) {
    const items = isList(value) ? value : [];
    return `[${stored.map((one, i) => storedText(one, items[i])).join()}]`;
  }
  if (stored instanceof Map) {
    const members = isMap(value) ? value : new Map<string, Value>();
    return `{${[...stored]
      .map(([name, one]) => `${String(name)}:${storedText(one, members.get(String(name)))}`)
      .join()}}`;
  }
  if (typeof stored === "object" && "numberText" in stored)
    return `number ${String(stored.numberText)}`;
  if (typeof value === "object" && value !== null && "hash" in value) {
    if (value.hash !== "sha256") return "hashed";
    const isInside = typeof stored === "object" && "keptText" in stored;
    return String(isInside ? stored.keptText : stored);
  }
  return `${typeof stored} ${String(stored)}`;
}

/** What a service has stored. */
type Stored = Pick<EngineSide, "rows" | "events">;

/** Where the recorded events differ; undefined: they are the same, or cannot be looked at. */
function eventsDiffer(plan: Plan, engine: Stored, world: World): string | undefined {
  if (plan.events.length === 0) return undefined;
  const stored = engine.events();
  if (stored === undefined) return undefined;
  const mine = stored.map(({ event, at, content }) => `${event} at ${at}: ${content}`);
  const theirs = world.events.map(
    ({ event, resource, key, data, at }) =>
      `${event} at ${at}: {"resource":"${resource}","key":${key},"data":${data ?? "null"}}`,
  );
  const at = theirs.findIndex((one, i) => one !== mine[i]);
  if (at >= 0) return `event ${at + 1}: ${mine[at]}\n  reference ${theirs[at]}`;
  return mine.length === theirs.length
    ? undefined
    : `event ${theirs.length + 1}: ${mine[theirs.length]}, the reference none`;
}

/** Where the stored rows or the events differ; undefined: they are the same, or cannot be looked at. */
export function statesDiffer(plan: Plan, engine: Stored, world: World): string | undefined {
  for (const { name, fields } of plan.resources) {
    const rows = engine.rows(name);
    if (rows === undefined) return undefined;
    const wanted = world.rows.get(name) ?? [];
    const keys = [rows.map((row) => row.key).join(), wanted.map((row) => row.key).join()];
    if (keys[0] !== keys[1]) return `rows of ${name}: ${keys[0]}, the reference ${keys[1]}`;
    for (const [i, row] of wanted.entries()) {
      for (const [place, field] of fields.entries()) {
        const value = row.values.get(field.name);
        const stored = rows[i]?.values[place];
        const [mine, theirs] = [storedText(stored, value), textOf(value, stored)];
        if (mine !== theirs)
          return `${name} ${row.key}.${field.name}: ${mine}, the reference ${theirs}`;
      }
    }
  }
  return eventsDiffer(plan, engine, world);
}
