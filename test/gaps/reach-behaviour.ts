/**
 * Why nothing can meet a gap of a limit, an input, a transition, a call or a key: each reason holds
 * for what stands in the plan.
 */
import type { Code } from "../../src/expr/index.ts";
import { type Plan, pathText, stepsOf } from "../../src/plan/index.ts";
import type { Clause } from "./clauses.ts";
import { codeText, knownAt } from "./facts.ts";
import { letsNobodyIn, living } from "./living.ts";
import { neverRefused } from "./never.ts";
import { rowAt } from "./rows.ts";

/** What is counted in one request, or in rows that are there, has no window. */
function windowWhy(plan: Plan, { where }: Clause): string | undefined {
  const [, name, column] = /^Limits, `([^`]+)`, (Window|Per)$/.exec(where) ?? [];
  const counts = plan.limits.find((one) => one.name === name)?.counts.is;
  if (counts === undefined || column === undefined) return undefined;
  const isOfOne = counts.endsWith(" bytes") || counts === "request time";
  const hasNone = isOfOne || (column === "Window" && counts === "rows kept");
  return hasNone ? "what is counted leaves no choice" : undefined;
}

/** What is always sent, or has a value where it is not, is never missed. */
function neededWhy({ endpoints }: Plan, { where }: Clause): string | undefined {
  const [, heading = "", name = ""] = /^(`[A-Z]+ [^`]+`).*, `([^`]+)`, Needed$/.exec(where) ?? [];
  const endpoint = endpoints.find((one) => heading === `\`${one.method} ${pathOf(one)}\``);
  const input = endpoint?.inputs.find((one) => one.name === name);
  if (input === undefined) return undefined;
  if (input.in === "path") return "the path always has it";
  const hasValue = input.rules.some(({ kind }) => kind === "absent means");
  return hasValue ? "it has a value where it is not sent" : undefined;
}

function pathOf({ path }: Plan["endpoints"][number]): string {
  return pathText(path);
}

/** A transition that no step fires, and one that is fired on rows just made and never again. */
function machineWhy(whole: Plan, { where, before }: Clause): string | undefined {
  const plan = living(whole);
  const fires = stepsOf(plan).filter((step) => step.kind === "fire" || step.kind === "may fire");
  const namesOf = (step: (typeof fires)[number]): readonly string[] =>
    step.kind === "fire" ? step.transitions : [step.transition];
  const [, owner, name] = /^`([^`]+)`, `([^`]+)`, (?:From|To|On|When|Then)$/.exec(where) ?? [];
  const machine = plan.machines.find(({ resource }) => resource === owner);
  const found = machine?.transitions.find((one) => one.name === name);
  const isStep = found?.on.is === "step" || (where.endsWith(", On") && before === "step");
  if (isStep && !fires.some((step) => namesOf(step).includes(name ?? ""))) {
    return "no step fires the transition";
  }
  const isOn = where.endsWith(", On");
  if (found?.on.is === "refused" && machine !== undefined && !isOn) {
    if (neverRefused(plan, machine, found.on.transition)) return "nothing refuses what it follows";
  }
  const [, whose] = /^`([^`]+)`, Any other transition$/.exec(where) ?? [];
  return whose === undefined ? undefined : anyOtherWhy(plan, whose);
}

/** Why no transition of the resource is ever refused; undefined: one may be. */
function anyOtherWhy(plan: Plan, whose: string): string | undefined {
  const fires = stepsOf(plan).filter((step) => step.kind === "fire" || step.kind === "may fire");
  const namesOf = (step: (typeof fires)[number]): readonly string[] =>
    step.kind === "fire" ? step.transitions : [step.transition];
  const other = plan.machines.find(({ resource }) => resource === whose);
  if (other === undefined) return undefined;
  const own = new Set(other.transitions.map((one) => one.name));
  const on = fires.filter(
    (step) =>
      namesOf(step).some((one) => own.has(one)) &&
      [whose, undefined].includes(rowAt(plan, step, step.on)),
  );
  const isNew = (step: (typeof fires)[number]): boolean =>
    step.kind === "fire" && isJustMade(plan, step, other);
  if (on.every(isNew)) return "its transitions are fired once, on rows just made";
  return on.every((step) => isNew(step) || (step.kind === "fire" && isGuarded(plan, step, other)))
    ? "its transitions are fired where a condition says that they can be taken"
    : undefined;
}

/** Whether conditions hold when the step is done: of the row's state, and of the transition. */
function isGuarded(plan: Plan, step: Fire, { transitions, field }: Machine): boolean {
  const own = transitions.filter((one) => step.transitions.includes(one.name));
  const names = new Map([["it", step.on]]);
  const stateIn = (code: Code): string | undefined => {
    const [a, b] = code.op === "call" && code.fn === "==" ? code.args : [];
    if (a?.op !== "get" || b?.op !== "literal" || a.of.op !== "name") return undefined;
    return a.of.name === step.on && a.member === field ? String(b.value) : undefined;
  };
  return knownAt(plan, step).every(({ facts }) => {
    const states = facts.flatMap((one) => stateIn(one) ?? []);
    const texts = new Set(facts.map((one) => codeText(one)));
    return own.some(
      ({ from, when }) =>
        states.some((state) => from.includes(state)) &&
        (when === undefined || texts.has(codeText(when.code, names))),
    );
  });
}

type Machine = Plan["machines"][number];

type Fire = Extract<ReturnType<typeof stepsOf>[number], { kind: "fire" }>;

/** Whether what is fired on is a row that the same steps have made, in its first state. */
function isJustMade(
  plan: Plan,
  step: Fire,
  { transitions, states, resource }: Plan["machines"][number],
): boolean {
  const first = states.find((one) => one.initial)?.name ?? "";
  const fits = transitions.some(
    (one) =>
      step.transitions.includes(one.name) && one.from.includes(first) && one.when === undefined,
  );
  const lists = [
    ...plan.endpoints.map((one) => one.steps),
    ...plan.routines.map((one) => one.steps),
  ];
  return (
    fits &&
    lists
      .filter((one) => one.includes(step))
      .some((all) => {
        const made = all.some(
          (one) => one.kind === "create" && one.as === step.on && one.resource === resource,
        );
        const fired = all.filter((one) => one.kind === "fire" && one.on === step.on);
        return made && fired.length === 1;
      })
  );
}

/** How finely times are written, where all of them are written as whole seconds. */
function timestampsWhy(plan: Plan, { where }: Clause): string | undefined {
  if (!where.endsWith(", Timestamps")) return undefined;
  const isText = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(isText);
    if (typeof node !== "object" || node === null) return false;
    const { kind, wire } = node as { kind?: unknown; wire?: unknown };
    return (kind === "timestamp" && wire !== "unix seconds") || Object.values(node).some(isText);
  };
  const { resources, partTypes, shapes, endpoints, calls, events } = plan;
  const types = [
    ...[...resources, ...partTypes, ...shapes].flatMap(({ fields }) =>
      fields.map(({ type }) => type),
    ),
    ...endpoints.flatMap(({ inputs }) => inputs.map(({ type }) => type)),
    ...[calls, events].flat(),
  ];
  return isText(types) ? undefined : "every time is written in whole seconds";
}

/** Two requests run at once where one of them waits for a call. */
function runningWhy({ calls }: Plan, { where }: Clause): string | undefined {
  const asks = where.endsWith(", Same key while the first runs");
  return asks && calls.length === 0
    ? "no request waits for a call, so none runs beside another"
    : undefined;
}

/** An error that answers nobody: who comes while another request runs, or what never comes. */
function errorWhy(plan: Plan, { where }: Clause): string | undefined {
  const [, error] = /^Errors, `([^`]+)`, [^,]+$/.exec(where) ?? [];
  if (error === undefined || !plan.errors.some((one) => one.name === error)) return undefined;
  const lived = living(plan);
  const endpoints = lived.endpoints.map(({ idempotency: _, ...one }) => one);
  const keys = lived.endpoints.flatMap(({ idempotency }) => {
    if (idempotency === undefined) return [];
    const { running, ...rest } = idempotency;
    return plan.calls.length > 0 ? [rest, running] : [rest];
  });
  const machines = lived.machines.map((one) =>
    anyOtherWhy(lived, one.resource) === undefined ? one : { ...one, anyOther: undefined },
  );
  const answers = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(answers);
    if (typeof node !== "object" || node === null) return false;
    return ("error" in node && node.error === error) || Object.values(node).some(answers);
  };
  const { errors: __, endpoints: ___, machines: ____, ...others } = lived;
  const isElsewhere = answers([endpoints, keys, machines, others]);
  return isElsewhere ? undefined : "nothing that can come about is answered with it";
}

/** What a failure row says of a member, where the condition is about none. */
function saysWhy(plan: Plan, { where }: Clause): string | undefined {
  const [, condition = "", column] = /^Errors, ([a-z ]+), (\w+)$/.exec(where) ?? [];
  if (column === undefined || column === "Error" || !WHOLE.has(condition)) return undefined;
  return plan.failures.some((row) => row.condition === condition)
    ? "the condition is about no member, of which the column would tell"
    : undefined;
}

/** Conditions that are about a request as a whole, and none of its members. */
const WHOLE: ReadonlySet<string> = new Set([
  ...["unknown path", "unknown method", "other media type", "body absent", "body not expected"],
  ...["malformed body", "no member given", "malformed query", "no credentials"],
  ...["bad credentials", "not permitted", "fault inside"],
]);

/** What stands behind a door that nobody comes through. */
function nobodyWhy(plan: Plan, { where }: Clause): string | undefined {
  // Where the door is has been judged before who comes.
  if (where.endsWith(", Path")) return undefined;
  const endpoint = plan.endpoints.find((one) =>
    where.startsWith(`\`${one.method} ${pathOf(one)}\``),
  );
  const stream = plan.streams.find((one) => where.startsWith(`\`${one.name}\`, a stream, `));
  const who = (endpoint ?? stream)?.who;
  const isShut = who !== undefined && letsNobodyIn(plan, who);
  return isShut ? "nobody can be one of the actors whom it lets in" : undefined;
}

/** A setting that nothing reads. */
function settingWhy(plan: Plan, { where }: Clause): string | undefined {
  const [, name] = /, Setting `([^`]+)`$/.exec(where) ?? [];
  if (name === undefined) return undefined;
  const { about, ...others } = plan;
  const { settings: _, ...rest } = about;
  const isRead = JSON.stringify([rest, others]).includes(name);
  return isRead ? undefined : "nothing reads the setting";
}

/** Why nothing can meet the gap; undefined: something can, or it is a gap of a field. */
export function behaviourWhy(plan: Plan, clause: Clause): string | undefined {
  const all = [
    windowWhy,
    neededWhy,
    runningWhy,
    machineWhy,
    timestampsWhy,
    errorWhy,
    saysWhy,
    nobodyWhy,
    settingWhy,
  ];
  for (const one of all) {
    const why = one(plan, clause);
    if (why !== undefined) return why;
  }
  return undefined;
}
