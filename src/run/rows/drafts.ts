/** Makes some values of a row that is not made yet, as its fields state them; stores nothing. */
import { type Code, everyPart } from "../../expr/index.ts";
import type { Given } from "../compile/services.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";
import type { FieldMaker, FieldMakers } from "./fields.ts";
import { ruleOf } from "./stored.ts";

/**
 * The row with the values at some places and what they are made of; undefined where one of them is
 * new each time, a number that is counted or random bytes: no other row has it.
 */
export type Draft = (tx: Transaction, given: Given, places: readonly number[]) => Row | undefined;

/** The fields of `it` that code reads. */
export function fieldsRead(code: Code): readonly string[] {
  return [...everyPart(code)].flatMap((part) =>
    (part.op === "get" || part.op === "has") && part.of.op === "name" && part.of.name === "it"
      ? [part.member]
      : [],
  );
}

/** The places that the value of a field is made of where nobody gives it. */
function sourcesOf({ info }: FieldMakers, { field, onCreate }: FieldMaker): readonly number[] {
  const stated = onCreate === undefined ? ruleOf(field, "starts") : ruleOf(field, "set");
  const names = stated === undefined ? [] : fieldsRead(stated.value.code);
  return names.map((name) => info.at.get(name) ?? -1);
}

/** Whether what the service gives the field is new each time. */
function isNewEachTime({ field, onCreate, counts }: FieldMaker): boolean {
  if (onCreate !== undefined || ruleOf(field, "starts") !== undefined) return false;
  const { kind } = field.type.type;
  return counts !== undefined || ruleOf(field, "random") !== undefined || kind === "id";
}

/** Whether a secret is kept by a hash that is another one each time. */
function isSalted({ field }: FieldMaker): boolean {
  const kept = ruleOf(field, "kept as");
  return kept !== undefined && kept.hash.kind !== "sha256" && kept.hash.kind !== "plain";
}

/** Compiles the drafts of rows of one resource. */
export function compileDraft(makers: FieldMakers): Draft {
  const sources = makers.makers.map((maker) => sourcesOf(makers, maker));
  return (tx, given, places) => {
    const draft: Row = {
      resource: makers.info.name,
      key: 0,
      values: makers.makers.map(() => undefined),
    };
    const met = new Set<number>();
    /** Fills a place; false where its value is new each time. */
    const fill = (place: number): boolean => {
      const maker = makers.makers[place];
      if (maker === undefined || met.has(place)) return true;
      met.add(place);
      const put = (value: Value): true => {
        draft.values[place] = isSalted(maker) ? value : maker.stored(tx, value);
        return true;
      };
      const { field } = maker;
      const sent = field.create.is === "no" ? undefined : given.from?.get(field.name);
      if (given.assigned.has(place)) return put(given.assigned.get(place));
      if (sent !== undefined) return put(sent as Value);
      if (isNewEachTime(maker)) return false;
      const make = maker.onCreate ?? maker.first;
      if (!(sources[place] ?? []).every(fill)) return false;
      return make === undefined || put(make(tx, draft));
    };
    return places.every(fill) ? draft : undefined;
  };
}
