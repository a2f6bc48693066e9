/**
 * Compares what two documents keep in a store, by names: nothing is read as something that was not
 * written. Order and place in the document mean nothing here.
 */
import { type Code, partsOf } from "../expr/index.ts";
import {
  clockField,
  type Field,
  hasClock,
  type ItemId,
  isScalar,
  isStated,
  type Machine,
  type Plan,
  type Resource,
  type ResourceInvariant,
  statedOf,
  type ValueType,
} from "../plan/index.ts";
import type { Relation } from "./relation.ts";
import { ruleChanges } from "./rules.ts";
import { ofValues, Types } from "./types.ts";
import { typeWords } from "./words.ts";

/** One difference, in words, with where each document states it. */
export interface KeptChange {
  readonly relation: Exclude<Relation, "same">;
  /** The resource whose rows it is about; undefined: it is about no rows that are kept. */
  readonly resource: string | undefined;
  readonly text: string;
  /** The item of the first document. */
  readonly before?: ItemId;
  /** The item of the second one. */
  readonly now?: ItemId;
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

/** Whether rows that are there can be given a value of the field that the document states. */
function hasFirstValue({ type, rules }: Field): boolean {
  const starts = rules.find((one) => one.kind === "starts");
  if (starts?.kind === "starts") return isConstant(starts.value.code) && !holdsPart(type);
  return type.orAbsent || type.orNull;
}

/** Whether the value is the same whenever and wherever it is asked for. */
function isConstant(code: Code): boolean {
  const isOpen = code.op === "name" || code.op === "rows" || code.op === "gap";
  return !isOpen && partsOf(code).every(isConstant);
}

/** A part that is given is made by the rules of its members. */
function holdsPart({ type }: ValueType): boolean {
  if (isScalar(type)) return false;
  if (type.kind === "structure") return true;
  return type.kind === "reference" || holdsPart(type.of);
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
      this.changes.push({ relation: "other", resource: name, text, before: id });
    }
    for (const { name, id } of added) {
      const text = `\`${name}\` is new.`;
      this.changes.push({ relation: "wider", resource: undefined, text, now: id });
    }
    for (const [old, resource] of both) {
      this.fields(old, resource);
      this.invariants(old, resource);
      this.fixedRows(old, resource);
      this.machine(old, resource);
    }
  }

  /** Messages that wait name their receivers by rows. */
  webhooks(): void {
    for (const [old, one] of paired(this.before.webhooks, this.now.webhooks).both) {
      const [was, is] = [statedOf(old.receivers)?.resource, statedOf(one.receivers)?.resource];
      if (was === undefined || was === is) continue;
      const text = `Receivers of \`${one.name}\` were rows of \`${was}\`, and are others.`;
      this.changes.push({ relation: "other", resource: was, text, before: old.id, now: one.id });
    }
  }

  private fields(old: Resource, { name: resource, fields }: Resource): void {
    const { both, gone, added } = paired(old.fields, fields);
    for (const { name, id } of gone) {
      const text = `\`${resource}\` has no \`${name}\` any more.`;
      this.changes.push({ relation: "other", resource, text, before: id });
    }
    for (const field of added) {
      const isKnown = hasFirstValue(field);
      const lacks =
        "which rows that are there have no stated value of: no `starts`, null or absent";
      const text = `\`${resource}.${field.name}\` is new${isKnown ? "" : `, ${lacks}`}.`;
      this.changes.push({ relation: isKnown ? "wider" : "other", resource, text, now: field.id });
    }
    for (const [before, now] of both) this.field(resource, before, now);
  }

  private field(resource: string, before: Field, now: Field): void {
    const name = `\`${resource}.${now.name}\``;
    const ids = { before: before.id, now: now.id };
    const relation = this.types.relation(before.type, now.type);
    if (relation !== "same") {
      const [was, is] = [typeWords(before.type), typeWords(now.type)];
      const text =
        was === is ? `What ${is} of ${name} holds is other.` : `${name} was ${was}, and is ${is}.`;
      this.changes.push({ relation, resource, text, ...ids });
    }
    for (const change of ruleChanges(before, now)) {
      const { kind } = change.now ?? change.before ?? { kind: "" };
      const how = change.before === undefined ? "is new" : change.now ? "is another" : "is gone";
      this.changes.push({
        relation: change.relation === "same" ? "wider" : change.relation,
        resource,
        text: `The rule \`${kind}\` of ${name} ${how}.`,
        before: change.before?.id ?? before.id,
        now: change.now?.id ?? now.id,
      });
    }
  }

  private invariants(old: Resource, { name: resource, invariants, id }: Resource): void {
    const known = new Set(old.invariants.map(holding));
    for (const one of invariants) {
      const text = holding(one);
      if (text === undefined || known.has(text)) continue;
      this.changes.push({
        relation: "narrower",
        resource,
        text: `\`${resource}\` has another \`${one.kind === "unique" ? "Unique" : "Always"}\`.`,
        before: old.id,
        now: one.id,
      });
    }
    if (old.key !== resourceKey(this.now, resource)) {
      const text = `Rows of \`${resource}\` are named by another field.`;
      this.changes.push({ relation: "other", resource, text, before: old.id, now: id });
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
      this.changes.push({ relation, resource, text, ...ids });
    }
    const known = new Set((before?.transitions ?? []).filter(hasClock).map(clockField));
    for (const one of now.transitions.filter(hasClock)) {
      if (known.has(clockField(one))) continue;
      const text =
        `\`${one.name}\` is a new transition on time, and nothing says when it is due for rows ` +
        "that are there.";
      this.changes.push({ relation: "other", resource, text, before: ids.before, now: one.id });
    }
  }
}

function words(names: readonly string[]): string {
  return names.map((one) => `\`${one}\``).join(", ");
}

function resourceKey({ resources }: Plan, name: string): string | undefined {
  return resources.find((one) => one.name === name)?.key;
}

/** What an invariant says of each row that is kept; undefined: nothing. */
function holding(one: ResourceInvariant): string | undefined {
  if (one.kind === "always") return JSON.stringify([one.kind, one.condition.code]);
  if (one.kind === "unique") {
    return JSON.stringify([one.kind, one.fields.toSorted(), one.where?.code]);
  }
  return undefined;
}

/** All differences of what is kept; none: each value that is kept is read as it was written. */
export function keptChanges(before: Plan, now: Plan): readonly KeptChange[] {
  const comparison = new Comparison(before, now);
  comparison.resources();
  comparison.webhooks();
  return comparison.changes;
}
