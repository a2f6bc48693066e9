/** Deliberate faults of the engine, by which the campaign shows that it can fail. */
import type { Plan } from "../../src/plan/index.ts";
import { Rates } from "../../src/serve/limits/rates.ts";
import { SqliteSession } from "../../src/store/index.ts";
import { SqliteEvents } from "../../src/store/sqlite/events.ts";
import type { Subject } from "./history.ts";

/** A fault of the code is there until `mend`; a fault of the meaning is another plan. */
export type Fault = { readonly name: string } & (
  | { readonly seed: () => () => void }
  | { readonly change: (plan: Plan) => Plan }
);

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Puts another method in place of one; gives what puts it back. */
function instead(of: object, name: string, make: (real: Method) => Method): () => void {
  const all = of as Record<string, Method>;
  const real = all[name] as Method;
  all[name] = make(real);
  return () => {
    all[name] = real;
  };
}

const session = (name: string, make: (real: Method) => Method) => (): (() => void) =>
  instead(SqliteSession.prototype, name, make);

/** Every so many-th call does nothing. */
const skipping =
  (every: number) =>
  (real: Method): Method => {
    let count = 0;
    return function skip(...args) {
      count++;
      return count % every === 0 ? undefined : real.apply(this, args);
    };
  };

/** Gives other rows than were found, where there are several. */
const rows =
  (change: (found: readonly unknown[]) => readonly unknown[]) =>
  (real: Method): Method =>
    function changed(...args) {
      const found = real.apply(this, args);
      return Array.isArray(found) && found.length > 1 ? change(found) : found;
    };

type Node = Readonly<Record<string, unknown>>;

/** The plan with every node that fits changed. */
function changing(
  fits: (node: Node) => boolean,
  change: (node: Node) => unknown,
): (plan: Plan) => Plan {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const node = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]));
    return fits(node) ? change(node) : node;
  };
  return (plan) => walk(plan) as Plan;
}

const kind =
  (name: string) =>
  (node: Node): boolean =>
    node["kind"] === name && typeof node["id"] === "string";
const nothing = (node: Node): Node => ({
  id: node["id"],
  kind: "for each",
  as: "none",
  own: false,
  steps: [],
  in: {
    text: "[]",
    code: { op: "list", items: [], type: { kind: "list", of: { kind: "unknown" } } },
  },
});

/** Faults of the store and of what counts. */
const CODE: readonly Fault[] = [
  {
    name: "what a refused request wrote stays",
    seed: session("rollback", () => SqliteSession.prototype.release as Method),
  },
  { name: "every fifth change of a row is lost", seed: session("update", skipping(5)) },
  { name: "a deleted row stays", seed: session("delete", () => () => undefined) },
  {
    name: "a list comes in the opposite order",
    seed: session(
      "rows",
      rows((found) => [...found].reverse()),
    ),
  },
  {
    name: "the last row of a list is left out",
    seed: session(
      "rows",
      rows((found) => found.slice(0, -1)),
    ),
  },
  { name: "a row is never found to be there", seed: session("exists", () => () => false) },
  {
    name: "a number is given twice",
    seed: session("next", (real) => {
      let last: unknown;
      return function twice(...args) {
        const next = real.apply(this, args);
        const given = last ?? next;
        last = last === undefined ? next : undefined;
        return given;
      };
    }),
  },
  { name: "what rates have counted is not stored", seed: session("tally", () => () => undefined) },
  {
    name: "a rate lets one more pass",
    seed: () =>
      instead(
        Rates.prototype,
        "entries",
        (real) =>
          function fewer(...args) {
            return (real.apply(this, args) as unknown[]).slice(1);
          },
      ),
  },
  {
    name: "an answer under a key is forgotten",
    seed: session("answerKept", () => () => undefined),
  },
  {
    name: "an event is recorded twice",
    seed: () =>
      instead(
        SqliteEvents.prototype,
        "record",
        (real) =>
          function twice(...args) {
            real.apply(this, args);
            return real.apply(this, args);
          },
      ),
  },
];

/** Faults that the engine has by doing another plan. */
const MEANING: readonly Fault[] = [
  {
    name: "guards are not looked at",
    change: changing(
      (node) => "from" in node && "when" in node,
      ({ when: _, ...rest }) => rest,
    ),
  },
  { name: "Require is passed over", change: changing(kind("require"), nothing) },
  { name: "the tag is not checked", change: changing(kind("check tag"), nothing) },
  {
    name: "orders are turned",
    change: changing(
      (node) => typeof node["descending"] === "boolean" && "by" in node,
      (node) => ({ ...node, descending: node["descending"] !== true }),
    ),
  },
  {
    name: "texts are not trimmed",
    change: changing(kind("trimmed"), (node) => ({ ...node, kind: "key" })),
  },
  {
    name: "one character more is let in",
    change: changing(
      (node) => kind("characters")(node) && "max" in node,
      (node) => ({ ...node, max: Number(node["max"]) + 1 }),
    ),
  },
  {
    name: "what is not given is set too",
    change: changing(kind("set from"), (node) => ({ ...node, givenOnly: false })),
  },
  {
    name: "a row that names a deleted one is left in another way",
    change: changing(kind("when gone"), (node) => ({
      ...node,
      action: node["action"] === "refused" ? "deleted with it" : "refused",
    })),
  },
  {
    name: "invariants are not judged",
    change: changing(kind("always"), (node) => ({ ...node, kind: "changed never" })),
  },
  {
    name: "Retry-After is left out",
    change: changing(
      (node) => "retryAfter" in node,
      ({ retryAfter: _, ...rest }) => rest,
    ),
  },
  {
    name: "rows are not hidden",
    change: changing(kind("rows"), (node) => ({ ...node, kind: "changed never" })),
  },
  {
    name: "what was done is kept",
    change: changing(kind("refuse"), (node) => ({ ...node, keep: true })),
  },
  {
    name: "one more is kept",
    change: changing(
      (node) => {
        const counts = node["counts"] as Node | undefined;
        return counts?.["is"] === "rows kept";
      },
      (node) => ({ ...node, amount: { is: "none", id: "none" } }),
    ),
  },
  {
    name: "bodies are compared as bytes",
    change: changing(
      (node) => "compares" in node,
      (node) => ({ ...node, compares: { is: "stated", id: "", value: "bytes" } }),
    ),
  },
  {
    name: "the first failure alone is told",
    change: (plan) => ({ ...plan, failuresReported: { is: "stated", id: "", value: "first" } }),
  },
  {
    name: "what is unsaid counts as null",
    change: changing(
      (node) => node["orAbsent"] === true,
      (node) => ({ ...node, orAbsent: false, orNull: true }),
    ),
  },
];

export const FAULTS: readonly Fault[] = [...CODE, ...MEANING];

/** Whether the fault can show on this document at all: else it is another plan or none. */
export function faulty(subject: Subject, fault: Fault): Subject | undefined {
  if (!("change" in fault)) return subject;
  const enginePlan = fault.change(subject.plan);
  return JSON.stringify(enginePlan) === JSON.stringify(subject.plan)
    ? undefined
    : { ...subject, enginePlan };
}
