/** Compiles what the fields of a resource state about their values: starts, set, counts, random. */
import type { Field, ItemId } from "../../plan/index.ts";
import { Scope } from "../context/activation.ts";
import type { Model, ResourceInfo } from "../context/model.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Value } from "../ports/index.ts";
import { type Make, makesOf } from "./firsts.ts";
import { ruleOf, storedOf } from "./stored.ts";

export interface FieldMaker {
  readonly place: number;
  readonly field: Field;
  /** The value of a new row where nothing was given. */
  readonly first: Make | undefined;
  /** A new row must have a value here. */
  readonly needed: boolean;
  /** The first value reads other fields of the row, which are filled before it. */
  readonly reads: boolean;
  /** `set` on create, after the first values. */
  readonly onCreate: Make | undefined;
  readonly onUpdate: Make | undefined;
  /** Places whose change sets it again. */
  readonly changes: readonly number[];
  readonly counts: { readonly from: bigint; readonly within: readonly number[] } | undefined;
  readonly countsChanges: boolean;
  /** The gap met where no value is given: the rules are not shown. */
  readonly hidden: ItemId | undefined;
  /** What the column holds of a value. */
  readonly stored: (tx: Transaction, value: Value) => Value;
}

/** The compiled fields of a resource. */
export interface FieldMakers {
  readonly info: ResourceInfo;
  readonly makers: readonly FieldMaker[];
}

/** What a row has by itself, as its resource states it; a part has none of it. */
function ownFirst(info: ResourceInfo, field: Field): Make | undefined {
  const { type } = field.type;
  if (type.kind === "state" && info.machine?.field === field.name) {
    const initial = info.machine.states.filter((state) => state.initial);
    return initial.length === 1 ? () => initial[0]?.name : undefined;
  }
  return undefined;
}

function makerOf(scope: Scope, info: ResourceInfo, place: number): FieldMaker {
  const field = info.fields[place] as Field;
  const makes = makesOf(scope, field);
  const counts = ruleOf(field, "counts up");
  const places = (names: readonly string[]) => names.map((name) => info.at.get(name) ?? -1);
  return {
    ...makes,
    place,
    field,
    first: makes.first ?? ownFirst(info, field),
    needed: !field.type.orAbsent && !field.name.startsWith("#"),
    changes: places(makes.changes),
    counts:
      counts === undefined
        ? undefined
        : { from: BigInt(counts.from), within: places(counts.within) },
    countsChanges: counts?.onEveryChange === true,
    stored: storedOf(scope.model, field),
  };
}

/** Compiles the fields of one resource. */
export function compileFields(model: Model, info: ResourceInfo): FieldMakers {
  const scope = new Scope(model);
  return { info, makers: info.fields.map((_, place) => makerOf(scope, info, place)) };
}
