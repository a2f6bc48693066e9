/** Runs a history on both sides, step by step, and shrinks one that shows a difference. */
import type { Plan } from "../../src/plan/index.ts";
import { makeId } from "../../src/run/chance/random.ts";
import { seededRandom } from "../../src/serve/calls/call-run.ts";
import { listen, meet } from "../reference/coverage.ts";
import { parse } from "../reference/json.ts";
import { type Reading, readValue } from "../reference/reading.ts";
import { Reference } from "../reference/service.ts";
import type { Value } from "../reference/values.ts";
import { type Outside, Work } from "../reference/work.ts";
import { type Answer, copyWorld, emptyWorld } from "../reference/world.ts";
import { answersDiffer, isUnsupported, statesDiffer } from "./compare.ts";
import { type EngineOptions, EngineSide, type StoreKind } from "./engine.ts";
import { Random, SEED_BYTES, StepBytes } from "./random.ts";
import { nextStep, type Step } from "./requests.ts";
import { fieldsSent, type RawAnswer } from "./talk.ts";

export interface Subject {
  readonly name: string;
  readonly plan: Plan;
  /** What the engine does instead: a deliberate fault. */
  readonly enginePlan?: Plan;
  /** The document beside which the engine serves it, as an older version. Default: none. */
  readonly newest?: Plan;
  readonly settings: Readonly<Record<string, string>>;
  /** Whether code is behind the calls that says what it was given, under the same names. */
  readonly echoes?: boolean;
  /** For each resource rows, each field as JSON text. */
  readonly startRows: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
}

/** 2026-03-28T22:30:00Z: clocks change in many zones the night after. */
export const START = 1_774_737_000_000_000n;

export interface Difference {
  readonly at: number;
  readonly what: string;
}

export interface Ran {
  readonly steps: readonly Step[];
  readonly difference: Difference | undefined;
  readonly unsupported: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<string, number>;
}

/** Values of the settings, read from the texts that the operator gives. */
export function settingsOf({
  plan,
  settings,
}: Pick<Subject, "plan" | "settings">): ReadonlyMap<string, Value> {
  const outside: Outside = {
    settings: new Map(),
    random: () => new Uint8Array(),
    idText: () => "",
  };
  const work = new Work(plan, outside, emptyWorld(), START);
  return new Map(
    plan.about.settings.map(({ name, type }) => {
      // What has items or members is given as JSON text.
      const isJson = ["list", "map", "structure", "json"].includes(type.type.kind);
      const form = isJson ? "json" : "text";
      const reading: Reading = { plan, names: new Map(), host: work, failures: [], form };
      const given = settings[name];
      const sent = isJson && given !== undefined ? parse(given)?.tree : given;
      return [name, readValue(reading, { type, rules: [], sent }, { name })];
    }),
  );
}

/** The service under test and the reference beside it, at the same instant, with the same chance. */
export interface Sides {
  readonly engine: EngineSide;
  readonly reference: Reference;
  readonly bytes: readonly [StepBytes, StepBytes];
}

/** What code was given as it says it: a row that came as a view is named by its `code`. */
function said(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  if (Array.isArray(given)) return given.map(said);
  if ("code" in given && "is" in given) return given.code;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, said(one)]));
}

/** Code for every call: it says the word of the stand-in, and what it was given. */
function echoing({ calls }: Plan): NonNullable<EngineOptions["code"]> {
  return Object.fromEntries(
    calls.map(({ name, standIn }) => [
      name,
      (given: never) => ({
        word: standIn.is === "stated" ? standIn.value : "",
        ...(said(given) as object),
      }),
    ]),
  );
}

/** Starts the service on a store that is new; its chance is that of the step which began. */
export function openEngine(
  { plan, enginePlan, newest, settings, startRows, echoes }: Subject,
  store: StoreKind,
  bytes: StepBytes,
): Promise<EngineSide> {
  return EngineSide.open({
    plan: enginePlan ?? plan,
    newest,
    start: START,
    settings,
    store,
    random: bytes.draw,
    ...(echoes === true ? { code: echoing(plan) } : {}),
    startRows: startText(startRows),
  });
}

/** Rows at the start as JSON text; undefined: there are none. */
export function startText(startRows: Subject["startRows"]): string | undefined {
  const rows = Object.entries(startRows).map(
    ([name, list]) =>
      `${JSON.stringify(name)}:[${list
        .map(
          (row) =>
            `{${Object.entries(row)
              .map(([field, text]) => `${JSON.stringify(field)}:${text}`)
              .join()}}`,
        )
        .join()}]`,
  );
  return rows.length === 0 ? undefined : `{${rows.join()}}`;
}

/** The reference on a store that is new. */
export function openReference(subject: Subject, bytes: StepBytes): Reference {
  const { plan, startRows } = subject;
  const turn =
    plan.calls.length === 0
      ? undefined
      : () => seededRandom(Buffer.from(bytes.draw(SEED_BYTES)).toString("base64url"));
  const outside: Outside = {
    settings: settingsOf(subject),
    echoes: subject.echoes === true,
    random: bytes.draw,
    turn,
    idText: (now, random) => makeId({ now, random }),
  };
  const reference = new Reference(plan, outside);
  reference.start(START, startRows);
  return reference;
}

/** Starts both sides on a store that is new. */
export async function open(subject: Subject, store: StoreKind): Promise<Sides> {
  const bytes = [new StepBytes(), new StepBytes()] as const;
  for (const one of bytes) one.begin(1);
  const reference = openReference(subject, bytes[1]);
  const engine = await openEngine(subject, store, bytes[0]);
  return { engine, reference, bytes };
}

export interface Tally {
  readonly unsupported: Map<string, number>;
  readonly statuses: Map<string, number>;
  /** Is told each answer of the service, and of the reference. */
  answered?(answer: RawAnswer, wanted: Answer): void;
}

function count(tally: Map<string, number>, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

/** Turns of the event loop without a change after which nothing more is taken to happen. */
const QUIET_TURNS = 5;
/** How long there is none where the service waits for another process meanwhile. */
const QUIET_MS = 500;

/**
 * Where the states differ when all that is due has happened: where it is much, or the machine slow,
 * the service does it in several goes.
 */
async function stillDiffer(
  plan: Plan,
  engine: EngineSide,
  world: Parameters<typeof statesDiffer>[2],
): Promise<string | undefined> {
  let differs = statesDiffer(plan, engine, world);
  const quietMs = engine.isElsewhere ? QUIET_MS : 0;
  let sinceMs = performance.now();
  const isQuiet = (turns: number): boolean =>
    turns >= QUIET_TURNS && performance.now() - sinceMs >= quietMs;
  for (let quiet = 0; differs !== undefined && !isQuiet(quiet); quiet++) {
    const before = differs;
    await new Promise((go) => setImmediate(go));
    differs = statesDiffer(plan, engine, world);
    if (differs === before) continue;
    quiet = 0;
    sinceMs = performance.now();
  }
  return differs;
}

/** Does one step on both sides; where they differ. */
export async function doStep(sides: Sides, step: Step, tally: Tally): Promise<string | undefined> {
  const { engine, reference, bytes } = sides;
  for (const one of bytes) one.begin(step.seed);
  const { plan } = reference;
  if (step.is === "move") {
    engine.move(BigInt(step.micros));
    listen(() => reference.time(engine.now()));
    return await stillDiffer(plan, engine, reference.world);
  }
  if (step.is === "restart") {
    const isAnew = await engine.restart(step.how);
    listen(() => {
      meet("engine", step.how === "kill" ? "killed and started" : "stopped and started");
      if (isAnew) reference.again(engine.now());
    });
    return await stillDiffer(plan, engine, reference.world);
  }
  const before = copyWorld(reference.world);
  const got = await engine.ask(step.request);
  count(tally.statuses, String(got.status));
  const { method, target, body } = step.request;
  const wanted = listen(() =>
    reference.request(
      {
        method,
        target,
        headers: fieldsSent(step.request),
        address: "127.0.0.1",
        body: Uint8Array.from(Buffer.from(body, "latin1")),
      },
      engine.now(),
    ),
  );
  tally.answered?.(got, wanted);
  if (reference.world.events.length > before.events.length) {
    listen(() => meet("engine", "events recorded"));
  }
  if (isUnsupported(got)) {
    const { unsupported = "?" } = JSON.parse(got.body) as { unsupported?: string };
    count(tally.unsupported, unsupported);
    reference.world = before;
    return undefined;
  }
  return answersDiffer(got, wanted) ?? (await stillDiffer(plan, engine, reference.world));
}

/** Runs the steps given, or makes so many of them. */
export async function runHistory(
  subject: Subject,
  given: readonly Step[] | { readonly seed: number; readonly count: number },
  store: StoreKind = "sqlite",
): Promise<Ran> {
  const sides = await open(subject, store);
  const { engine, reference } = sides;
  const tally: Tally = { unsupported: new Map(), statuses: new Map() };
  const steps: Step[] = [];
  try {
    const random = new Random("seed" in given ? given.seed : 0);
    const most = "seed" in given ? given.count : given.length;
    for (let i = 0; i < most; i++) {
      const { plan, outside, world } = reference;
      const step =
        "seed" in given
          ? nextStep({ plan, outside, world, now: engine.now(), random, before: steps })
          : (given[i] as Step);
      steps.push(step);
      const what = await doStep(sides, step, tally);
      if (what !== undefined) return { steps, difference: { at: i, what }, ...tally };
    }
    return { steps, difference: undefined, ...tally };
  } finally {
    await engine.close();
  }
}

/** Drops steps for as long as a difference stays. */
export async function shrink(
  subject: Subject,
  failing: readonly Step[],
  store: StoreKind,
): Promise<Ran> {
  let best = await runHistory(subject, failing, store);
  for (let size = Math.ceil(failing.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best.steps.length; ) {
      const fewer = [...best.steps.slice(0, from), ...best.steps.slice(from + size)];
      const tried = fewer.length === 0 ? undefined : await runHistory(subject, fewer, store);
      if (tried?.difference !== undefined) best = tried;
      else from += size;
    }
  }
  return best;
}

/** A history as lines that a person can follow. */
export function told(ran: Ran): string {
  const lines = ran.steps.map((step, i) => {
    if (step.is === "move") return `${i}. after ${BigInt(step.micros)} microseconds`;
    if (step.is === "restart") return `${i}. the service is started anew (${step.how})`;
    const { method, target, headers, body } = step.request;
    const sent = headers.map(([name, value]) => `${name}: ${value}`).join(" | ");
    const text = Buffer.from(body, "latin1").toString("utf8");
    return `${i}. ${method} ${target}\n   ${sent}\n   ${text}`;
  });
  return `${lines.join("\n")}\n=> ${ran.difference?.what ?? "no difference"}`;
}
