/** Compares steps: their order is meaning, the names that they give to rows and values are not. */
import {
  type Assignment,
  boundBy,
  type Case,
  type Expression,
  type OrderKey,
  type Refusal,
  type ResponseBody,
  type Step,
  targetOf,
} from "../plan/index.ts";
import {
  type Change,
  type Compare,
  each,
  type Members,
  type On,
  tell,
  tellAdded,
  tellGap,
  tellGone,
  told,
  toldSet,
  wording,
} from "./found.ts";
import { moved, paired } from "./pairs.ts";
import { refusal } from "./refusals.ts";
import type { Names } from "./same.ts";

type Of<K extends Step["kind"]> = Step extends infer S
  ? S extends { kind: infer Q }
    ? K extends Q
      ? S
      : never
    : never
  : never;

const changed = told("step changed");

/** A name that steps have bound: the first document may call it otherwise. */
const named: Compare<string | undefined> = (before, now, on) => {
  const [first = "", ...rest] = (before ?? "").split(".");
  const known = [on.names.get(first) ?? first, ...rest].join(".");
  if (known !== (now ?? "")) changed(before, now, on);
};

/** Values by name, in any order. */
const assignments: Compare<readonly Assignment[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name);
  for (const { name } of [...gone, ...added]) tell(on, "step changed", { what: name });
  for (const [old, { value }] of both) changed(old.value, value, on);
};

const HEADER = {
  added: "header added to an answer",
  gone: "header removed from an answer",
  changed: "header of an answer changed",
} as const;

/** Headers of an answer, by their names in any case. */
const headers: Compare<readonly Assignment[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name.toLowerCase());
  for (const { name } of gone) tell(on, HEADER.gone, { what: name });
  for (const { name } of added) tell(on, HEADER.added, { what: name });
  for (const [old, { value }] of both) told(HEADER.changed)(old.value, value, on);
};

/** What `with` gives is in any order. */
const body: Compare<ResponseBody> = (before, now, on) => {
  const plain = (one: ResponseBody): ResponseBody =>
    one.is === "shape with"
      ? { ...one, with: one.with.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
      : one;
  told("body of an answer changed")(plain(before), plain(now), on);
};

const ordered: Compare<readonly OrderKey[]> = (before, now, on) => changed(before, now, on);

/** A step inside is compared as one of a list. */
const inner: Compare<readonly Step[] | undefined> = (before, now, on) =>
  stepList(before ?? [], now ?? [], on);

const cases: Compare<readonly Case[]> = (before, now, on) => {
  const values = (one: Case): string => JSON.stringify(one.values);
  const { both, gone, added } = paired(before, now, values, () => "");
  for (const { id } of gone) tellGone(on, "step removed", id);
  for (const { id } of added) tellAdded(on, "step added", id);
  for (const [old, one] of both) {
    const at = { ...on, before: old.id, now: one.id };
    changed(old.values, one.values, at);
    stepList(old.steps, one.steps, at);
  }
};

/** Steps of which none has to be before another. */
const anyOrder: Compare<readonly Step[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, keyOf, ({ kind }) => kind);
  for (const { id } of gone) tellGone(on, "step removed", id);
  for (const { id } of added) tellAdded(on, "step added", id);
  for (const [old, one] of both) compareSteps(old, one, on);
};

/** What all kinds have. */
const common = { id: wording, kind: wording } as const;
const otherwise: Compare<Refusal | undefined> = refusal;

/** How each member of each kind is compared; names that a step binds mean nothing by themselves. */
const STEPS: { readonly [K in Step["kind"]]: Members<Of<K>> } = {
  check: { ...common, what: changed },
  "check tag": { ...common, of: named },
  require: { ...common, condition: changed, otherwise },
  "let one": { ...common, as: wording, resource: changed, where: changed, otherwise },
  "let every": { ...common, as: wording, resource: changed, where: changed },
  let: { ...common, as: wording, value: changed, order: changed },
  order: { ...common, list: named, keys: ordered },
  page: { ...common, as: wording, of: named, from: changed, atMost: changed },
  "page after": {
    ...common,
    ...{ as: wording, of: named, after: changed, backward: changed, atMost: changed, otherwise },
  },
  create: {
    ...common,
    ...{ resource: changed, as: wording, from: changed, with: assignments, unlessThere: changed },
  },
  "set from": { ...common, target: named, from: changed, givenOnly: changed },
  set: { ...common, target: named, field: changed, value: changed },
  delete: { ...common, target: named },
  "delete every": { ...common, resource: changed, where: changed },
  fire: { ...common, transitions: toldSet("step changed"), on: named, otherwise },
  "may fire": { ...common, transition: changed, on: named, otherwise },
  emit: { ...common, event: changed, of: changed },
  call: { ...common, call: changed, with: assignments, as: wording, otherwise },
  do: { ...common, routine: changed, with: assignments },
  respond: { ...common, status: told("status changed"), body, headers },
  refuse: { ...common, refusal, keep: changed },
  when: { ...common, condition: changed, then: inner, otherwise: inner },
  cases: { ...common, subjects: changed, cases },
  "for each": { ...common, as: wording, in: changed, own: changed, into: wording, steps: inner },
  "any order": {
    ...common,
    steps: anyOrder,
    gap: (a, b, on) => void tellGap(gapAt(a), gapAt(b), on),
  },
  gap: { ...common, gap: wording },
};

function gapAt(gap: string | undefined): { readonly gap: string } | undefined {
  return gap === undefined ? undefined : { gap };
}

/** What a step says, as it is written. */
function keyOf(step: Step): string {
  return JSON.stringify(step, (key, value: unknown) => {
    if (key === "id" || key === "gap") return undefined;
    return isText(value) ? value.text : value;
  });
}

function isText(value: unknown): value is Expression {
  return typeof value === "object" && value !== null && "code" in value && "text" in value;
}

/** What a step works on: of two of a kind the one on the same thing is the same one changed. */
function subjectOf(step: Step): string {
  const target = targetOf(step) ?? boundBy(step) ?? "";
  return `${step.kind} ${target} ${"field" in step ? step.field : ""}`;
}

function compareSteps(before: Step, now: Step, on: On): void {
  const at = { ...on, before: before.id, now: now.id };
  if (before.kind === "for each" && now.kind === "for each") {
    const scope = new Scope(on.names);
    scope.bind(before.as, now.as);
    return each(STEPS["for each"], before, now, { ...at, names: scope.names });
  }
  each(STEPS[now.kind] as Members<Step>, before, now, at);
}

/** Names that steps have bound so far; copied once, when the first of them is another one. */
class Scope {
  names: Names;
  private own: Map<string, string> | undefined;

  constructor(outer: Names) {
    this.names = outer;
  }

  bind(before: string | undefined, now: string | undefined): void {
    if (before === undefined || now === undefined) return;
    if ((this.names.get(before) ?? before) === now) return;
    this.own ??= new Map(this.names);
    this.own.set(before, now);
    this.names = this.own;
  }
}

function tellStep(step: Step, on: On, isNew: boolean): void {
  if (step.kind === "gap") {
    return isNew ? tellAdded(on, "gap recorded", step.gap) : tellGone(on, "gap filled", step.gap);
  }
  const kind: Change["kind"] = isNew ? "step added" : "step removed";
  if (isNew) tellAdded(on, kind, step.id);
  else tellGone(on, kind, step.id);
}

/** A step that is not shown in the place of one that was, or the other way round. */
function pairedGaps(
  gone: readonly Step[],
  added: readonly Step[],
  on: On,
): { readonly gone: readonly Step[]; readonly added: readonly Step[] } {
  const hidden = gone.filter(({ kind }) => kind === "gap");
  const [first] = hidden;
  if (first?.kind === "gap" && added.length > 0) {
    tell(on, "gap filled", { before: first.gap, now: (added[0] as Step).id });
    return { gone: gone.filter((one) => one !== first), added: added.slice(1) };
  }
  const found = added.find(({ kind }) => kind === "gap");
  if (found?.kind === "gap" && gone.length > 0) {
    tell(on, "gap recorded", { before: (gone[0] as Step).id, now: found.gap });
    return { gone: gone.slice(1), added: added.filter((one) => one !== found) };
  }
  return { gone, added };
}

/** Compares steps that are done one after the other. */
export const stepList: Compare<readonly Step[]> = (before, now, on) => {
  const pairs = paired(before, now, keyOf, subjectOf, ({ kind }) => kind);
  const { gone, added } = pairedGaps(pairs.gone, pairs.added, on);
  for (const step of gone) tellStep(step, on, false);
  for (const step of added) tellStep(step, on, true);
  const scope = new Scope(on.names);
  for (const [old, step] of pairs.both) {
    compareSteps(old, step, { ...on, names: scope.names });
    scope.bind(boundBy(old), boundBy(step));
    if (old.kind === "for each" && step.kind === "for each") scope.bind(old.into, step.into);
  }
  for (const [old, step] of moved(before, pairs)) {
    tell({ ...on, before: old.id, now: step.id }, "order of steps changed");
  }
};
