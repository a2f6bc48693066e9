/**
 * Makes and changes parts: structures without identity, with all that their tables state. A part
 * is made by whoever gives one: a client, a step, a row at the start, a call.
 */
import type { Field, Part } from "../../plan/index.ts";
import type { Parts } from "../compile/services.ts";
import { Scope } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Members, Value } from "../ports/index.ts";
import { type Makes, makesOf, meetHidden, noValue } from "./firsts.ts";
import { sameStored } from "./stored.ts";

interface Maker extends Makes {
  readonly field: Field;
}

interface Compiled {
  readonly makers: readonly Maker[];
  /** The type of a field is not shown: no part can be made. */
  readonly gap: string | undefined;
}

function compilePart(model: Model, part: Part): Compiled {
  const scope = new Scope(model);
  return {
    makers: part.fields.map((field) => ({ field, ...makesOf(scope, field) })),
    gap: part.fields.find((field) => field.gap !== undefined)?.gap,
  };
}

function makePart(tx: Transaction, { makers, gap }: Compiled, given: Members): Members {
  if (gap !== undefined) throw new Stop({ is: "gap", gap });
  const made = new Map(given);
  const open: Maker[] = [];
  for (const maker of makers) {
    const { name } = maker.field;
    if (made.get(name) !== undefined) continue;
    meetHidden(maker);
    if (maker.onCreate !== undefined || maker.reads) open.push(maker);
    else if (maker.first !== undefined) made.set(name, maker.first(tx, made));
    else if (!maker.field.type.orAbsent) {
      throw new Stop(noValue(tx.model, maker.field));
    }
  }
  for (const { field, onCreate, first } of open) {
    made.set(field.name, (onCreate ?? first)?.(tx, made));
  }
  for (const { field } of makers) {
    if (made.get(field.name) === undefined && !field.type.orAbsent) {
      throw new Stop(noValue(tx.model, field));
    }
  }
  tx.noteMade(made);
  return made;
}

function changePart(
  tx: Transaction,
  { makers }: Compiled,
  before: Members,
  after: Map<string, unknown>,
): void {
  const changed = new Set(
    makers
      .map(({ field }) => field.name)
      .filter((name) => !sameStored(before.get(name) as Value, after.get(name) as Value)),
  );
  if (changed.size === 0) return;
  for (const maker of makers) {
    const { field, onUpdate, changes } = maker;
    if (!changed.has(field.name)) meetHidden(maker);
    if (onUpdate === undefined || changed.has(field.name)) continue;
    if (changes.length === 0 || changes.some((name) => changed.has(name))) {
      after.set(field.name, onUpdate(tx, after));
    }
  }
}

/** The parts of a plan, each compiled when one is first made. */
export function compileParts(model: Model): Parts {
  const known = new Map<string, Compiled>();
  const of = (name: string): Compiled => {
    let found = known.get(name);
    if (found === undefined) {
      const part = model.plan.partTypes.find((one) => one.name === name);
      if (part === undefined) throw new Error(`the plan has no part ${name}`);
      found = compilePart(model, part);
      known.set(name, found);
    }
    return found;
  };
  return {
    make: (tx, part, given) => makePart(tx, of(part), given),
    changed: (tx, part, before, after) => changePart(tx, of(part), before, after),
  };
}
