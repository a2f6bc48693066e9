/** Sessions built from the plan for what chance does not bring about; knows no document. */
import { durationOf, type Plan, withStreams } from "../../src/plan/index.ts";
import { compile } from "../../src/run/index.ts";
import type { RawRequest } from "../histories/talk.ts";
import { hear, type Session, type Step } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";
import { under } from "./texts.ts";

type Fields = RawRequest["headers"];

const CREDENTIALS = /^(authorization|cookie|x-.*key|x-person)$/i;
const SEED = 3_000_000;
const MINUTE = 60_000_000n;

/** What has been tried and seen, in all sessions of a document. */
export interface Tried {
  /** What has refused. */
  readonly seen: Set<string>;
  /** What has been done more than once. */
  readonly done: Set<string>;
}

/** A document, and what its sessions have come to. */
export interface Around {
  readonly ready: Ready;
  readonly subject: Subject;
  readonly tried: Tried;
}

/** A request that was well, and what came before it. */
export interface Good {
  readonly request: RawRequest;
  readonly endpoint: number;
  readonly at: number;
}

/** For each endpoint the last request of a session that was well. */
export async function goodOf(ready: Ready, subject: Subject, session: Session): Promise<Good[]> {
  const { answers } = await hear(ready, subject, session);
  const { match } = compile(withStreams(ready.plan));
  const found = new Map<number, Good>();
  for (const [at, step] of session.steps.entries()) {
    if (step.is !== "request" || (answers[at]?.status ?? 500) >= 400) continue;
    const { request } = step;
    const one = match(request.method, request.target.split("?", 1)[0] ?? "");
    if (one.is === "endpoint") found.set(one.endpoint, { request, endpoint: one.endpoint, at });
  }
  return [...found.values()];
}

export const isRead = ({ method }: RawRequest): boolean =>
  ["GET", "HEAD", "OPTIONS"].includes(method);

/** The session up to a request that was well, without those that only read. */
export function upTo({ start, steps }: Session, { at }: Good): Session {
  const before = steps.slice(0, at);
  return { start, steps: before.filter((one) => one.is === "move" || !isRead(one.request)) };
}

function request(
  seed: number,
  one: RawRequest,
  more: { readonly fails?: true; readonly waits?: true } = {},
): Extract<Step, { is: "request" }> {
  return { seed: SEED + seed, is: "request", request: one, ...more };
}

/** Each that writes once more, while the store fails. */
export function failing(good: readonly Good[]): Step[] {
  const writing = good.filter((one) => !isRead(one.request));
  return writing.map((one, i) => request(i, one.request, { fails: true }));
}

/** The longest time to answer that a limit states. */
function timeToAnswer({ limits }: Plan): bigint {
  const texts = limits.flatMap(({ counts, amount }) =>
    counts.is === "request time" && amount.is === "stated" ? [amount.value.value.text] : [],
  );
  const times = texts.flatMap((text) => {
    const found = /(\d+ ?(?:ms|s|min|h))/.exec(text)?.[1];
    return found === undefined ? [] : [durationOf(found)];
  });
  return times.reduce((most, one) => (one > most ? one : most), MINUTE);
}

/** So many pairs: not every one comes to a call. */
const PAIRS = 4;

/**
 * Two at once, where the first waits for a call: the same again, and another with its key. Then one
 * whose time to answer passes.
 */
export function together(plan: Plan, good: readonly Good[]): Step[] {
  const made: Step[] = [];
  for (const { request: one, endpoint } of good) {
    if (isRead(one)) continue;
    const key = plan.endpoints[endpoint]?.idempotency?.header;
    const field = key?.is === "stated" ? key.value.toLowerCase() : undefined;
    const other = { ...one, body: one.body.replace(/(\d)(?=[,}\]])/, "$11") };
    for (let i = 0; field !== undefined && plan.calls.length > 0 && i < PAIRS; i++) {
      for (const second of [one, other]) {
        const at = made.length;
        const named = (text: RawRequest): RawRequest => under(text, field, `at once ${at}`);
        made.push(request(at, named(one), { waits: true }), request(at + 1, named(second)));
      }
    }
    if (!plan.limits.some(({ counts }) => counts.is === "request time")) continue;
    const at = made.length;
    const passing: Step = { seed: SEED + at + 1, is: "move", micros: timeToAnswer(plan) + 1n };
    made.push(request(at, one, { waits: true }), passing);
  }
  return made;
}

/** Credentials of requests that were well, with the place of the first of them. */
function callersOf({ steps }: Session, answers: readonly ({ status: number } | undefined)[]) {
  const found = new Map<string, { readonly fields: Fields; readonly at: number }>();
  for (const [at, step] of steps.entries()) {
    if (step.is !== "request" || (answers[at]?.status ?? 500) >= 300) continue;
    const fields = step.request.headers.filter(([name]) => CREDENTIALS.test(name));
    const text = JSON.stringify(fields);
    if (!found.has(text)) found.set(text, { fields, at });
  }
  return [...found.values()].slice(0, 5);
}

const idIn = (text: string | undefined): string | undefined => /^id: (.+)$/m.exec(text ?? "")?.[1];

/** The session with all streams open, to each of its callers; and opened again where one ended. */
export async function streaming(
  ready: Ready,
  subject: Subject,
  session: Session,
): Promise<Session> {
  const { about, streams } = ready.plan;
  const base = about.basePath.is === "stated" ? about.basePath.value : "";
  const targets = streams.flatMap(({ path }) => {
    const stated = path.is === "stated" ? path.value : "";
    const text = stated.slice(stated.indexOf("/")).replaceAll(/\{[^}]*\}/g, "x");
    return path.is === "stated" ? [`${base}${text}`] : [];
  });
  const { answers } = await hear(ready, subject, session);
  const callers = [{ fields: [] as Fields, at: -1 }, ...callersOf(session, answers)];
  let seed = SEED * 2;
  const opened = (fields: Fields, more: Fields = []): Step[] =>
    targets.map((target) => ({
      seed: seed++,
      is: "request",
      opens: true,
      request: { method: "GET", target, headers: [...fields, ...more], body: "" },
    }));
  const steps = [...callers.filter(({ at }) => at < 0).flatMap(({ fields }) => opened(fields))];
  for (const [at, step] of session.steps.entries()) {
    steps.push(
      step,
      ...callers.filter((one) => one.at === at).flatMap(({ fields }) => opened(fields)),
    );
  }
  const first = await hear(ready, subject, { ...session, steps });
  const ids = steps.flatMap((step, at) => {
    const isStream = step.is === "request" && targets.includes(step.request.target);
    const id = isStream ? idIn(first.answers[at]?.body) : undefined;
    return id === undefined ? [] : [id];
  });
  for (const id of [ids[0], "never given"]) {
    const names: Fields = id === undefined ? [] : [["Last-Event-ID", id]];
    for (const { fields } of callers) steps.push(...opened(fields, names));
  }
  return { ...session, steps };
}

/** Moves of the clock past each attempt to deliver a message. */
export function attempts({ webhooks }: Plan): Step[] {
  const times = webhooks.flatMap(({ attempts: stated }) =>
    stated.is === "stated" ? stated.value.map((text) => durationOf(text)) : [],
  );
  return times.map((micros, i) => ({ seed: SEED * 3 + i, is: "move", micros: micros + 1n }));
}

/** The session with code behind its calls, each request that writes sent some times. */
export function coded({ start, steps }: Session, times: number): Session {
  const all = steps.flatMap((step): Step[] => {
    if (step.is === "move" || isRead(step.request)) return [step];
    return Array.from({ length: times }, (_, i) => ({ ...step, seed: step.seed + i * 7919 }));
  });
  return { start, steps: all, code: true };
}
