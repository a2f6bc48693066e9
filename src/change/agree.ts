/**
 * Whether two documents can be served side by side over one store: what both name of it must mean
 * the same in both, so that each reads what the other has written as it was written.
 */
import { freeNames } from "../expr/index.ts";
import {
  type Field,
  type ItemId,
  isStated,
  type Limit,
  type Machine,
  type Plan,
  type Resource,
  type ResourceInvariant,
  type Rule,
  type Transition,
  withClocks,
} from "../plan/index.ts";
import { besides } from "./beside.ts";
import { type KeptChange, keptChanges } from "./kept.ts";
import { paired } from "./pairs.ts";
import { ruleChanges } from "./rules.ts";
import { isSame } from "./same.ts";

/** What keeps two documents apart, in words, with where each states it. */
interface Disagreement {
  readonly text: string;
  /** The item of the older document. */
  readonly before?: ItemId;
  /** The item of the newest one. */
  readonly now?: ItemId;
}

type Named = { readonly name: string };
type Tell = (one: Disagreement) => void;

const nameOf = ({ name }: Named): string => name;

/** What the newest document adds, and what the older one alone tells its own streams. */
function isBeside({ relation, before, subject }: KeptChange): boolean {
  return relation === "wider" && (before === undefined || subject.is === "event");
}

/** What is answered where something is refused is each document's own. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "otherwise");
  return Object.fromEntries(kept.map(([key, one]) => [key, bare(one)]));
}

const means = (a: unknown, b: unknown): boolean => isSame(bare(a), bare(b));

/** Rules by which a row changes with a request that does not name the field. */
const OF_ROWS: readonly Rule["kind"][] = ["set", "when gone"];

function fieldRules(resource: string, old: Field, field: Field, tell: Tell): void {
  const apart = (was: Rule | undefined, is: Rule | undefined): void => {
    const { kind } = was ?? is ?? { kind: "" };
    const text = `The rule \`${kind}\` of \`${resource}.${field.name}\` is not the same.`;
    tell({ text, before: was?.id ?? old.id, now: is?.id ?? field.id });
  };
  for (const kind of OF_ROWS) {
    const [was, is] = [old, field].map(({ rules }) => rules.find((one) => one.kind === kind));
    if (!means(was, is)) apart(was, is);
  }
  // A value that fits the newest document is to fit the older one, too.
  for (const { before, now } of ruleChanges(field, old)) apart(now, before);
}

/** A field that the older document does not know, in rows that it makes, changes and deletes. */
function addedField(resource: Resource, field: Field, old: Resource | undefined, tell: Tell): void {
  const name = `\`${resource.name}.${field.name}\``;
  for (const rule of field.rules) {
    const at = { ...(old === undefined ? {} : { before: old.id }), now: rule.id };
    if (rule.kind === "when gone" && rule.action === "refused") {
      const text = `${name} refuses that another row is deleted: the older document has no answer.`;
      tell({ ...at, text });
    }
    if (old === undefined) continue;
    if (rule.kind === "unique" && field.rules.some((one) => one.kind === "starts")) {
      tell({ ...at, text: `${name} is unique, and rows of the older document begin alike.` });
    }
    if (rule.kind !== "set") continue;
    const free = [...freeNames(rule.value.code)].filter((one) => one !== "now" && one !== "it");
    if (free.length === 0) continue;
    tell({ ...at, text: `${name} is set to what the older document does not know.` });
  }
}

/** What is said of rows, whoever asks; who sees which of them is each document's own. */
const ABOUT_ROWS: Readonly<Record<ResourceInvariant["kind"], boolean>> = {
  always: true,
  unique: true,
  missing: false,
  rows: false,
  "changed never": true,
  "deleted never": true,
  "deleted refused": true,
  "kept for": true,
  gap: true,
};

function invariants(old: Resource, resource: Resource, tell: Tell): void {
  const [was, is] = [old, resource].map(({ invariants: all }) =>
    all.filter(({ kind }) => ABOUT_ROWS[kind]),
  ) as [ResourceInvariant[], ResourceInvariant[]];
  for (const one of was) {
    if (is.some((other) => means(one, other))) continue;
    const text = `What holds of each row of \`${old.name}\` is not the same.`;
    tell({ text, before: one.id, now: resource.id });
  }
  for (const one of is) {
    if (was.some((other) => means(one, other))) continue;
    const text = `What holds of each row of \`${old.name}\` is not the same.`;
    tell({ text, before: old.id, now: one.id });
  }
}

/** What happens to a row though no request asks for it: one document makes it happen for both. */
const BY_ITSELF: Readonly<Record<Transition["on"]["is"], boolean>> = {
  step: false,
  // What follows from another may follow from one that comes by itself.
  transition: true,
  refused: true,
  time: true,
  every: true,
  call: true,
  "by itself": true,
  gap: true,
};

function byItself(machine: Machine | undefined): Transition[] {
  return (machine?.transitions ?? []).filter(({ on }) => BY_ITSELF[on.is]);
}

function machines(older: Plan, newest: Plan, resource: string, tell: Tell): void {
  const [was, is] = [older, newest].map(({ machines: all }) =>
    all.find((one) => one.resource === resource),
  );
  const { both, gone, added } = paired(byItself(was), byItself(is), nameOf);
  const text = (name: string): string =>
    `What happens by itself to rows of \`${resource}\` is not the same: \`${name}\`.`;
  for (const { name, id } of gone) {
    tell({ text: text(name), before: id, ...(is === undefined ? {} : { now: is.id }) });
  }
  for (const { name, id } of added) {
    tell({ text: text(name), ...(was === undefined ? {} : { before: was.id }), now: id });
  }
  for (const [one, other] of both) {
    if (!means(one, other)) tell({ text: text(one.name), before: one.id, now: other.id });
  }
}

function resources(older: Plan, newest: Plan, tell: Tell): void {
  const { both, added } = paired(older.resources, newest.resources, nameOf);
  for (const resource of added) {
    for (const field of resource.fields) addedField(resource, field, undefined, tell);
    for (const one of resource.invariants) {
      if (one.kind !== "deleted refused") continue;
      const what = `\`${resource.name}\` refuses that rows are deleted`;
      tell({ text: `${what}: the older document has no answer.`, now: one.id });
    }
  }
  for (const [old, resource] of both) {
    const fields = paired(old.fields, resource.fields, nameOf);
    for (const [was, is] of fields.both) fieldRules(resource.name, was, is, tell);
    for (const field of fields.added) addedField(resource, field, old, tell);
    invariants(old, resource, tell);
    machines(older, newest, resource.name, tell);
  }
}

const byName = (one: Named, other: Named): number => (one.name < other.name ? -1 : 1);

/** What a shape, a resource or a part shows, with all that it names; the order means nothing. */
function shown(plan: Plan, name: string, seen: readonly string[] = []): unknown {
  if (seen.includes(name)) return name;
  const found = plan.shapes.find((one) => one.name === name);
  const shape = found && { ...found, fields: found.fields.toSorted(byName) };
  const [resource, part] = [plan.resources, plan.partTypes].map((all) =>
    all.find((one) => one.name === name),
  );
  const fields = (resource ?? part)?.fields.filter(({ read }) => read.is !== "no") ?? [];
  const own = fields.toSorted(byName);
  const stored = own.map(({ name: field, type, read }) => [field, type, read]);
  const of = shape?.viewOf === undefined ? undefined : shown(plan, shape.viewOf, [...seen, name]);
  const named = [...(shape?.fields ?? []), ...own].map(({ type: { type } }) => {
    const { kind } = type;
    const inner = kind === "structure" ? type.name : kind === "reference" ? type.view : undefined;
    return inner === undefined ? null : shown(plan, inner, [...seen, name]);
  });
  return [shape, shape?.taken === undefined ? undefined : of, stored, named];
}

/** Events are told, and messages sent, under their names: by whichever document they happen. */
function outside(older: Plan, newest: Plan, tell: Tell): void {
  for (const [old, one] of paired(older.events, newest.events, nameOf).both) {
    const [was, is] = [shownBy(older, old.data), shownBy(newest, one.data)];
    if (means(old, one) && means(was, is)) continue;
    tell({ text: `The event \`${one.name}\` is not the same.`, before: old.id, now: one.id });
  }
  for (const [old, one] of paired(older.webhooks, newest.webhooks, nameOf).both) {
    const [was, is] = [shownBy(older, old.sends), shownBy(newest, one.sends)];
    if (means(old, one) && means(was, is)) continue;
    tell({ text: `The webhook \`${one.name}\` is not the same.`, before: old.id, now: one.id });
  }
}

function shownBy(
  plan: Plan,
  answer: Plan["events"][number]["data"] | Plan["webhooks"][number]["sends"],
): unknown {
  return isStated(answer) ? shown(plan, answer.value.shape) : answer.is;
}

/** What a limit counts, and since when: that is one count for all documents that name it. */
function counted({ counts, per, window }: Limit): unknown {
  return [counts, per, window];
}

function limits(older: Plan, newest: Plan, tell: Tell): void {
  for (const [old, one] of paired(older.limits, newest.limits, nameOf).both) {
    const isCount = old.counts.is === "requests" || old.counts.is === "sum";
    if (!isCount && old.counts.is === one.counts.is) continue;
    if (means(counted(old), counted(one))) continue;
    const text = `What the limit \`${one.name}\` counts is not the same.`;
    tell({ text, before: old.id, now: one.id });
  }
}

/** What the service itself keeps in rows, beside the fields that are stated. */
function layouts(older: Plan, newest: Plan, tell: Tell): void {
  const [own, kept] = [besides(older, newest), newest].map((one) => withClocks(one).resources);
  const names = (resource: Resource | undefined): unknown => resource?.fields.map(nameOf);
  for (const [at, resource] of (kept ?? []).entries()) {
    if (isSame(names(own?.[at]), names(resource))) continue;
    const text = `What is kept of the times of \`${resource.name}\` is not the same.`;
    tell({ text, before: own?.[at]?.id ?? "", now: resource.id });
  }
}

/**
 * Everything that keeps an older document from being served on the store of the newest one; none:
 * each reads what the other has written as it was written, and what is in both is one thing.
 */
export function disagreements(older: Plan, newest: Plan): readonly Disagreement[] {
  const found: Disagreement[] = [];
  const tell: Tell = (one) => found.push(one);
  for (const change of keptChanges(older, newest)) {
    if (isBeside(change)) continue;
    const { text, before, now } = change;
    tell({ text, ...(before ? { before } : {}), ...(now ? { now } : {}) });
  }
  resources(older, newest, tell);
  if (found.length === 0) layouts(older, newest, tell);
  outside(older, newest, tell);
  limits(older, newest, tell);
  const known = new Set<string>();
  return found.filter(({ before, now }) => {
    const lines = JSON.stringify([before, now]);
    return !known.has(lines) && known.add(lines);
  });
}

/** The same of two older documents on one store, whose rows agree with those of the newest. */
export function disagreementsOutside(older: Plan, other: Plan): readonly Disagreement[] {
  const found: Disagreement[] = [];
  outside(older, other, (one) => found.push(one));
  limits(older, other, (one) => found.push(one));
  return found;
}
