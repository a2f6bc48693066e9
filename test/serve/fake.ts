/** A service without meaning: a program and a store made by hand, to try the host around them. */
import type { Endpoint, Plan } from "../../src/plan/index.ts";
import type {
  Invocation,
  Match,
  Outcome,
  Program,
  Response,
  Session,
} from "../../src/run/index.ts";
import { CallCoordinator } from "../../src/serve/calls/coordinator.ts";
import { makeCredentials } from "../../src/serve/credentials/index.ts";
import { AssumptionHeaders } from "../../src/serve/engine/assumption-headers.ts";
import { Engine } from "../../src/serve/engine/engine.ts";
import type { HostOptions, Running } from "../../src/serve/host.ts";
import { host } from "../../src/serve/host.ts";
import type { Storage } from "../../src/serve/jobs/storage.ts";
import { Keys } from "../../src/serve/limits/idempotency.ts";
import { makeLimits } from "../../src/serve/limits/limits.ts";
import { Hub } from "../../src/serve/streams/hub.ts";
import { inlineWriter } from "../../src/serve/threads/writer.ts";
import { Alarm } from "../../src/serve/time/alarm.ts";
import type { Clock } from "../../src/serve/time/clock.ts";
import { systemClock } from "../../src/serve/time/clock.ts";
import { endpoint, input, plan, type } from "../run/read/plans.ts";

/** What the fake store was asked to do, and the items that it holds. */
export interface Record {
  readonly log: string[];
  items: string[];
  /** Makes the next commit fail. */
  failing: boolean;
  /** Nothing can be read any more. */
  unreadable?: boolean;
  due: bigint | undefined;
}

export function fakeStorage(record: Record): Storage {
  let before: string[] = [];
  return {
    session: {} as Session,
    secret: new Uint8Array(32),
    notes: { read: () => undefined, keep: () => {} },
    loss: { hear: () => {}, listen: () => {} },
    begin: (mode) => {
      if (record.unreadable) throw new Error("no disk");
      record.log.push(mode);
      before = [...record.items];
    },
    commit: () => {
      if (record.failing) {
        record.failing = false;
        throw new Error("disk full");
      }
      record.log.push("commit");
    },
    version: () => undefined,
    rollback: () => {
      record.log.push("rollback");
      record.items = before;
    },
    watch: () => {},
    close: () => record.log.push("close"),
  };
}

const text = input("text", { in: "body", type: type("string"), needed: "yes" });

export const fakePlan: Plan = plan({
  endpoints: [
    endpoint("GET", "/items"),
    endpoint("POST", "/items", { inputs: [text] }),
    endpoint("GET", "/items/{id}", { inputs: [input("q")] }),
  ],
});

const JSON_TYPE = [["Content-Type", "application/json"]] as const;
const effects = { events: [], timersChanged: false, freedoms: [] };

function answer(status: number, value: unknown, headers: Response["headers"] = []): Outcome {
  const body = value === undefined ? undefined : JSON.stringify(value);
  return { response: { status, headers: [...JSON_TYPE, ...headers], body }, commit: true, effects };
}

function matchOf(endpoints: readonly Endpoint[], method: string, path: string): Match {
  const segments = path.split("/").slice(1);
  const found = endpoints.filter(
    (one) =>
      one.path.length === segments.length &&
      one.path.every((part, i) => "param" in part || part.literal === segments[i]),
  );
  const allow = found.map((one) => one.method);
  if (found.length === 0) return { is: "unknown path" };
  if (method === "OPTIONS") return { is: "options", allow };
  const index = found.findIndex((one) => one.method === (method === "HEAD" ? "GET" : method));
  const one = found[index];
  if (!one) return { is: "unknown method", allow };
  const params = new Map(
    one.path.flatMap((part, i) =>
      "param" in part ? [[part.param, segments[i] ?? ""] as const] : [],
    ),
  );
  return { is: "endpoint", endpoint: endpoints.indexOf(one), head: method === "HEAD", params };
}

/** Items by number; the path `/items/boom` is a fault of the program itself. */
export function fakeProgram(record: Record): Program {
  const execute = ({ endpoint: at, inputs }: Invocation): Outcome => {
    const [failure] = inputs.failures;
    if (failure) return answer(400, { condition: failure.condition, field: failure.field });
    if (at === 0) return answer(200, record.items);
    if (at === 1) {
      const item = (inputs.body as ReadonlyMap<string, string>).get("text") ?? "";
      record.items.push(item);
      return answer(201, { id: record.items.length - 1 });
    }
    const id = inputs.path.get("id");
    if (id === "boom") throw new Error("boom");
    return answer(200, { id, q: inputs.query.get("q"), text: record.items[Number(id)] });
  };
  return {
    endpoints: fakePlan.endpoints.map(({ id, method }) => ({
      id,
      method,
      writes: method === "POST",
    })),
    match: (method, path) => matchOf(fakePlan.endpoints, method, path),
    execute,
    print: () => ({ lines: [], hidden: [] }),
    adding: () => ({ add: () => {}, end: () => {} }),
    kept: () => ({
      value: () => () => true,
      row: () => () => true,
      evaluate: () => () => null,
      stored: () => (_, one) => one,
    }),
    fail: ({ condition, allow }) => {
      if (condition === "fault inside")
        return answer(501, { gap: { id: `failures/${condition}` } });
      const headers = allow ? [["Allow", allow.join(", ")] as const] : [];
      return answer(condition === "unknown path" ? 404 : 405, { condition }, headers);
    },
    headed: ({ response }) => ({ response, commit: false, effects }),
    anyDue: (_, now) => record.due !== undefined && record.due <= now,
    nextDue: () => record.due,
    fireDue: () => {
      record.log.push("fired");
      record.due = undefined;
      const due = { resource: "R", key: 1, item: "", at: 0n };
      return [{ due, resource: "R", key: 1, refused: false, left: false, effects }];
    },
    retry: () => {},
    start: () => {},
    answered: () => effects,
    streams: {
      listener: () => ({ caller: null, rows: new Map(), isOver: false }),
      sees: () => false,
    },
    deliveries: {
      attempt: () => ({ is: "gone" }),
      answered: () => undefined,
      givenUp: () => effects,
    },
  };
}

export interface Fake {
  readonly running: Running;
  readonly record: Record;
}

/** A running host around the fake program, on a free port. */
export async function startFake(
  options: HostOptions = {},
  { clock = systemClock(), timed = false }: { clock?: Clock; timed?: boolean } = {},
): Promise<Fake> {
  const record: Record = { log: [], items: [], failing: false, due: undefined };
  const settings = new Map();
  const machine = timed
    ? {
        machines: [
          {
            resource: "items",
            transitions: [{ on: { is: "time", field: "f" }, then: [] }],
            states: [],
          },
        ],
      }
    : {};
  const whole = { ...fakePlan, ...machine } as Plan;
  const engine = new Engine({
    plan: whole,
    program: fakeProgram(record),
    storage: fakeStorage(record),
    credentials: makeCredentials(whole, settings),
    random: (bytes) => new Uint8Array(bytes),
    settings,
    keys: new Keys(whole),
    calls: new CallCoordinator(new Map(), () => new Uint8Array()),
    limits: makeLimits(whole, settings),
    hooks: {},
    marks: new AssumptionHeaders(whole),
    said: [],
    isAlone: true,
    placeOf: () => "",
  });
  let fire = (_now: bigint): void => {};
  const alarm = new Alarm(clock, (now) => fire(now));
  const writer = inlineWriter(engine, { due: (at) => alarm.set(at), news: () => {} });
  fire = (now) => writer.fire(now);
  const running = await host(
    { engine, writer, alarm, inline: true, hub: new Hub(engine.source(clock), clock) },
    clock,
    options,
  );
  return { running, record };
}
