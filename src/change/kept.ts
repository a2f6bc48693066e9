/**
 * Compares what two documents keep in a store, by names: nothing is read as something that was not
 * written. Order and place in the document mean nothing here.
 */
import {
  clockField,
  type Field,
  hasClock,
  type ItemId,
  isStated,
  type Machine,
  type Plan,
  type Resource,
  type ResourceInvariant,
  statedOf,
  type Transition,
} from "../plan/index.ts";
import { hasFirstValue } from "./first.ts";
import type { Relation } from "./relation.ts";
import { isOfValue, type RuleChange, ruleChanges } from "./rules.ts";
import { isSame } from "./same.ts";
import type { Subject } from "./subject.ts";
import { ofValues, Types } from "./types.ts";
import { typeWords } from "./words.ts";

/** What shows of a row that is kept whether it fits. */
export type Asks =
  /** The value of the field, by its type, and by that rule of the second document. */
  | { readonly is: "value"; readonly field: string; readonly rule?: ItemId }
  /** The row, by an invariant or a rule of the second document that may look at other rows. */
  | { readonly is: "row"; readonly item: ItemId }
  /** The state: a row in one of these does not fit. */
  | { readonly is: "state"; readonly states: readonly string[] };

/** What a change means for what is kept. */
type Meant =
  | { readonly relation: "wider" | "other" }
  | { readonly relation: "narrower"; readonly asks: Asks };

/** One difference, in words, with where each document states it. */
export type KeptChange = Meant & About;

interface About {
  readonly subject: Subject;
  /** The resource whose rows it is about; undefined: it is about no rows that are kept. */
  readonly resource: string | undefined;
  /** What waits to be done, where it is about that: messages of a webhook, answers of a call. */
  readonly waiting?: Waiting;
  readonly text: string;
  /** The item of the first document. */
  readonly before?: ItemId;
  /** The item of the second one. */
  readonly now?: ItemId;
}

/** Work that a store keeps until it is done, by the name of who does it. */
export interface Waiting {
  readonly is: "messages" | "calls";
  readonly name: string;
}

type Named = { readonly name: string };

/** Pairs by name: what is in both, what is only in one. */
function paired<T extends Named>(
  before: readonly T[],
  now: readonly T[],
): { readonly both: readonly (readonly [T, T])[]; readonly gone: T[]; readonly added: T[] } {
  const old = new Map(before.map((one) => [one.name, one]));
  const both = now.flatMap((one): (readonly [T, T])[] => {
    const found = old.get(one.name);
    old.delete(one.name);
    return found === undefined ? [] : [[found, one]];
  });
  const known = new Set(before.map(({ name }) => name));
  return { both, gone: [...old.values()], added: now.filter(({ name }) => !known.has(name)) };
}

class Comparison {
  readonly changes: KeptChange[] = [];
  private readonly before: Plan;
  private readonly now: Plan;
  private readonly types: Types;

  constructor(before: Plan, now: Plan) {
    this.before = before;
    this.now = now;
    this.types = new Types(before, now);
  }

  resources(): void {
    const { both, gone, added } = paired(this.before.resources, this.now.resources);
    for (const { name, id } of gone) {
      const text = `There is no \`${name}\` any more.`;
      const subject = { is: "resource", resource: name } as const;
      this.changes.push({ relation: "other", subject, resource: name, text, before: id });
    }
    for (const { name, id } of added) {
      const text = `\`${name}\` is new.`;
      const subject = { is: "resource", resource: name } as const;
      this.changes.push({ relation: "wider", subject, resource: undefined, text, now: id });
    }
    for (const [old, resource] of both) {
      this.fields(old, resource);
      this.invariants(old, resource);
      this.fixedRows(old, resource);
      this.machine(old, resource);
    }
  }

  /** Messages that wait name their webhook, and their receivers by rows. */
  webhooks(): void {
    const { both, gone } = paired(this.before.webhooks, this.now.webhooks);
    for (const { name, id } of gone) {
      const text = `There is no webhook \`${name}\` any more.`;
      this.waiting({ is: "messages", name }, text, { before: id });
    }
    for (const [old, one] of both) {
      const [was, is] = [statedOf(old.receivers)?.resource, statedOf(one.receivers)?.resource];
      if (was === undefined || was === is) continue;
      const text = `Receivers of \`${one.name}\` were rows of \`${was}\`, and are others.`;
      this.waiting({ is: "messages", name: one.name }, text, { before: old.id, now: one.id });
    }
  }

  /** Events that have happened are told under their name to whoever resumes a stream. */
  events(): void {
    for (const { name, id, sentTo } of paired(this.before.events, this.now.events).gone) {
      if (!(statedOf(sentTo) ?? []).some(({ to }) => to === "stream")) continue;
      const subject = { is: "event", name } as const;
      const text = `There is no event \`${name}\` any more: no stream tells it again.`;
      this.changes.push({ relation: "wider", subject, resource: undefined, text, before: id });
    }
  }

  /** Calls that are not settled hold what was given, and name the call and what undoes it. */
  calls(): void {
    const { both, gone } = paired(this.before.calls, this.now.calls);
    for (const { name, id } of gone) {
      const text = `There is no call \`${name}\` any more.`;
      this.waiting({ is: "calls", name }, text, { before: id });
    }
    for (const [old, one] of both) {
      const given = paired(old.given, one.given);
      const isOther =
        given.gone.length > 0 ||
        given.added.some(({ type }) => !type.orAbsent) ||
        given.both.some(([a, b]) => this.types.relation(a.type, b.type) !== "same") ||
        statedOf(old.kind) !== statedOf(one.kind) ||
        statedOf(old.undo) !== statedOf(one.undo);
      if (!isOther) continue;
      const text = `The call \`${one.name}\` is another.`;
      this.waiting({ is: "calls", name: one.name }, text, { before: old.id, now: one.id });
    }
  }

  private waiting(
    waiting: Waiting,
    text: string,
    ids: { readonly before: ItemId; readonly now?: ItemId },
  ): void {
    const is = waiting.is === "messages" ? "webhook" : "call";
    const subject = { is, name: waiting.name } as const;
    this.changes.push({ relation: "other", subject, resource: undefined, waiting, text, ...ids });
  }

  private fields(old: Resource, { name: resource, fields }: Resource): void {
    const { both, gone, added } = paired(old.fields, fields);
    for (const { name, id } of gone) {
      const text = `\`${resource}\` has no \`${name}\` any more.`;
      const subject = { is: "field", holder: resource, field: name } as const;
      this.changes.push({ relation: "other", subject, resource, text, before: id });
    }
    for (const field of added) {
      const isKnown = hasFirstValue(field);
      const lacks =
        "which rows that are there have no stated value of: no `starts`, null or absent";
      const text = `\`${resource}.${field.name}\` is new${isKnown ? "" : `, ${lacks}`}.`;
      const subject = { is: "field", holder: resource, field: field.name } as const;
      const relation = isKnown ? "wider" : "other";
      this.changes.push({ relation, subject, resource, text, now: field.id });
    }
    for (const [before, now] of both) this.field(resource, before, now);
  }

  private field(resource: string, before: Field, now: Field): void {
    const name = `\`${resource}.${now.name}\``;
    const subject = { is: "field", holder: resource, field: now.name } as const;
    const ids = { subject, before: before.id, now: now.id };
    const relation = this.types.relation(before.type, now.type);
    if (relation !== "same") {
      const [was, is] = [typeWords(before.type), typeWords(now.type)];
      const text =
        was === is ? `What ${is} of ${name} holds is other.` : `${name} was ${was}, and is ${is}.`;
      const asks = { is: "value", field: now.name } as const;
      this.changes.push({ ...meant(relation, asks), resource, text, ...ids });
    }
    for (const change of ruleChanges(before, now)) {
      const { kind } = change.now ?? change.before ?? { kind: "" };
      const how = change.before === undefined ? "is new" : change.now ? "is another" : "is gone";
      this.changes.push({
        ...meant(change.relation, asksOf(change, now)),
        subject: kind === "key" ? { is: "key", resource } : subject,
        resource,
        text: `The rule \`${kind}\` of ${name} ${how}.`,
        before: change.before?.id ?? before.id,
        now: change.now?.id ?? now.id,
      });
    }
  }

  private invariants(old: Resource, { name: resource, invariants, id }: Resource): void {
    const known = old.invariants.flatMap(holding);
    for (const one of invariants) {
      if (holding(one).every((rule) => known.some((other) => isSame(other, rule)))) continue;
      this.changes.push({
        relation: "narrower",
        asks: { is: "row", item: one.id },
        subject: { is: "invariant", resource },
        resource,
        text: `\`${resource}\` has another \`${one.kind === "unique" ? "Unique" : "Always"}\`.`,
        before: old.id,
        now: one.id,
      });
    }
    if (old.key !== resourceKey(this.now, resource)) {
      const text = `Rows of \`${resource}\` are named by another field.`;
      const ids = { subject: { is: "key", resource } as const, before: old.id, now: id };
      this.changes.push({ relation: "other", resource, text, ...ids });
    }
  }

  /** Rows that stand in the document and never change. */
  private fixedRows(old: Resource, { name: resource, fixed, startRows, id }: Resource): void {
    if (!fixed && !old.fixed) return;
    const rows = ({ startRows: one }: Pick<Resource, "startRows">): string => {
      return JSON.stringify(isStated(one) ? one.value : one.is);
    };
    if (fixed === old.fixed && rows(old) === rows({ startRows })) return;
    const text =
      fixed === old.fixed
        ? `The rows of \`${resource}\`, which stand in the document, are others.`
        : `\`${resource}\` is ${fixed ? "" : "no longer "}\`fixed\`.`;
    this.changes.push({
      relation: fixed ? "other" : "wider",
      subject: { is: "fixed", resource },
      resource,
      text,
      before: old.id,
      now: id,
    });
  }

  private machine(old: Resource, { name: resource }: Resource): void {
    const of = (plan: Plan): Machine | undefined =>
      plan.machines.find((one) => one.resource === resource);
    const [before, now] = [of(this.before), of(this.now)];
    if (now === undefined) return;
    const ids = { before: before?.id ?? old.id, now: now.id };
    const names = (machine: Machine | undefined): string[] =>
      (machine?.states ?? []).map((one) => one.name);
    const relation = before === undefined ? "same" : ofValues(names(before), names(now));
    if (relation !== "same") {
      const [was, is] = [words(names(before)), words(names(now))];
      const text = `The states of \`${resource}\` were ${was}, and are ${is}.`;
      const asks = { is: "value", field: now.field } as const;
      const subject = { is: "field", holder: resource, field: now.field } as const;
      this.changes.push({ ...meant(relation, asks), subject, resource, text, ...ids });
    }
    for (const one of now.transitions.filter(hasClock)) {
      const old = before?.transitions.find((each) => clockField(each) === clockField(one));
      const lacks = clockLacks(old, one);
      if (lacks === undefined) continue;
      const text =
        `\`${one.name}\` is on time, and nothing says when it is due for rows that are there` +
        `${lacks.relation === "other" ? "" : ` in ${words(lacks.asks.states)}`}.`;
      const subject = { is: "transition", resource, transition: one.name } as const;
      const items = { before: old?.id ?? ids.before, now: one.id };
      this.changes.push({ ...lacks, subject, resource, text, ...items });
    }
  }
}

/** `asks`: what shows whether a row fits, where not all do. */
function meant(relation: Relation, asks: Asks): Meant {
  if (relation === "narrower") return { relation, asks };
  return { relation: relation === "other" ? "other" : "wider" };
}

function asksOf({ now }: RuleChange, { name: field }: Field): Asks {
  if (now === undefined) return { is: "value", field };
  return isOfValue(now) ? { is: "value", field, rule: now.id } : { is: "row", item: now.id };
}

/**
 * Which rows lack a time that the service keeps: all, of what is due again and again since a row
 * was made; those in a state of From, of what comes by itself once that is entered.
 */
function clockLacks(
  old: Transition | undefined,
  now: Transition,
):
  | { readonly relation: "other" }
  | { readonly relation: "narrower"; readonly asks: Extract<Asks, { is: "state" }> }
  | undefined {
  const had = old !== undefined && hasClock(old) && old.on.is === now.on.is;
  if (now.on.is === "every") return had ? undefined : { relation: "other" };
  const states = now.from.filter((one) => !had || !old.from.includes(one));
  if (states.length === 0) return undefined;
  return { relation: "narrower", asks: { is: "state", states } };
}

function words(names: readonly string[]): string {
  return names.map((one) => `\`${one}\``).join(", ");
}

function resourceKey({ resources }: Plan, name: string): string | undefined {
  return resources.find((one) => one.name === name)?.key;
}

/** What an invariant says of each row that is kept: one thing, or nothing. */
function holding(one: ResourceInvariant): readonly unknown[] {
  if (one.kind === "always") return [[one.kind, one.condition]];
  if (one.kind === "unique") return [[one.kind, one.fields.toSorted(), one.where]];
  return [];
}

/** All differences of what is kept; none: each value that is kept is read as it was written. */
export function keptChanges(before: Plan, now: Plan): readonly KeptChange[] {
  const comparison = new Comparison(before, now);
  comparison.resources();
  comparison.webhooks();
  comparison.events();
  comparison.calls();
  return comparison.changes;
}
