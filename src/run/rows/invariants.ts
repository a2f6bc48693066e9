/** Judges the invariants of resources when the steps have ended, inside the same transaction. */
import { type Code, callOf, nameOf, readsRows } from "../../expr/index.ts";
import { type Field, hiddenRules, type ItemId, type Refusal } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldIsAnyCase, fieldType, isGiven } from "../context/field-type.ts";
import type { ResourceInfo } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Touched, Transaction } from "../context/transaction.ts";
import type { Row } from "../ports/index.ts";
import { compileIn, findRows } from "../query/expression.ts";
import { compileVisit, type Visit } from "./leaving.ts";

/** Gives what comes of a row that does not hold. */
export type Judge = (tx: Transaction, row: Row) => StepOutcome | undefined;

interface Judges {
  readonly info: ResourceInfo;
  /** Judged on rows that were created or changed. */
  readonly own: readonly Judge[];
  /** Judged too on rows that touched rows refer to: their conditions read other rows. */
  readonly wide: readonly Judge[];
}

interface Uniqueness {
  readonly id: ItemId;
  readonly fields: readonly string[];
  readonly within: readonly string[];
  readonly anyCase?: true | undefined;
  readonly where: Code | undefined;
  readonly otherwise: Refusal | undefined;
}

/** Compiles a condition over `it` that sees every row, whoever asks. */
function judgeActivation(scope: Scope, tx: Transaction, row: Row): Activation {
  const activation = new Activation(scope, tx).seeingAll();
  activation.set(scope.slot("it"), row);
  return activation;
}

/** What comes of a row for which an invariant does not hold: without a refusal, a fault. */
function refusing(
  services: CompilerServices,
  scope: Scope,
  { id, otherwise }: { readonly id: ItemId; readonly otherwise: Refusal | undefined },
) {
  if (otherwise !== undefined) return services.refusal(scope, otherwise);
  return (): StepOutcome => ({ is: "fault", message: `${id}: an invariant does not hold` });
}

function always(
  services: CompilerServices,
  condition: Code,
  otherwise: Refusal | undefined,
  id: string,
): Judge {
  const scope = new Scope(services.model);
  scope.slot("it");
  const holds = compileIn(scope, condition);
  const refuse = refusing(services, scope, { id, otherwise });
  return (tx, row) => {
    const activation = judgeActivation(scope, tx, row);
    return holds(activation) === true ? undefined : refuse(activation, row);
  };
}

interface Compared {
  readonly it: Code;
  readonly name: string;
  /** The name that holds the value of the row which is judged. */
  readonly mine: string;
}

/** The field of `it` has the value of the row which is judged; `isLacking`: or both have none. */
function sameValue(info: ResourceInfo, { it, name, mine }: Compared, isLacking: boolean): Code[] {
  const type = fieldType(info, name);
  const get: Code = { op: "get", type, of: it, member: name };
  if (info.fields[info.at.get(name) ?? -1]?.type.orAbsent !== true) {
    return [callOf("==", get, nameOf(mine, type))];
  }
  const [has] = isGiven(info, name);
  if (has === undefined || !isLacking) return fieldIs(info, name, nameOf(mine, type));
  const none: Code = { op: "literal", type: { kind: "null" }, value: null };
  const value: Code = { op: "call", type, fn: "?:", args: [has, get, none] };
  return [callOf("==", value, nameOf(mine, type))];
}

/** A row whose unique fields are all given must be the only one; null and absent are no value. */
function unique(services: CompilerServices, info: ResourceInfo, invariant: Uniqueness): Judge {
  const scope = new Scope(services.model);
  const itSlot = scope.slot("it");
  const mine = (name: string) => `#${name}`;
  const it = nameOf("it", { kind: "row", resource: info.name });
  const fields = [...invariant.fields, ...invariant.within];
  const slots = fields.map((name) => ({
    slot: scope.slot(mine(name)),
    place: info.at.get(name) ?? -1,
  }));
  const isOpen = (name: string): boolean =>
    info.fields[info.at.get(name) ?? -1]?.type.orAbsent === true;
  const alike = (isLacking: boolean): Code[] =>
    fields.flatMap((name, i) =>
      invariant.anyCase && i < invariant.fields.length
        ? fieldIsAnyCase(info, name, nameOf(mine(name), fieldType(info, name)))
        : sameValue(info, { it, name, mine: mine(name) }, isLacking),
    );
  const self = nameOf("#self", { kind: "row", resource: info.name });
  const selfSlot = scope.slot("#self");
  const others = [
    callOf("!=", it, self),
    ...(invariant.where === undefined ? [] : [invariant.where]),
  ];
  const applies = invariant.where === undefined ? undefined : compileIn(scope, invariant.where);
  const given = findRows(scope, info.name, [...alike(false), ...others]);
  // Rows that lack the same are alike in it.
  const lacking = invariant.within.some(isOpen)
    ? findRows(scope, info.name, [...alike(true), ...others])
    : given;
  const refuse = refusing(services, scope, invariant);
  const own = slots.slice(0, invariant.fields.length);
  const places = slots.map(({ place }) => place);
  return (tx, row) => {
    if (own.some(({ place }) => row.values[place] === null || row.values[place] === undefined)) {
      return undefined;
    }
    if (tx.census?.mayRepeat(invariant.id, row, places) === false) return undefined;
    const activation = judgeActivation(scope, tx, row);
    activation.set(selfSlot, row);
    if (applies !== undefined && applies(activation) !== true) return undefined;
    for (const { slot, place } of slots) activation.set(slot, row.values[place] ?? null);
    const isLacking = slots.some(({ place }) => row.values[place] == null);
    const other = (isLacking ? lacking : given).exists(activation);
    activation.set(itSlot, row);
    return other ? refuse(activation, row) : undefined;
  };
}

/** Rules that are not shown may say that no two rows have the same value. */
function hiddenUnique(
  services: CompilerServices,
  info: ResourceInfo,
  { name }: Field,
  gap: ItemId,
): Judge {
  const judge = unique(services, info, {
    id: gap,
    fields: [name],
    within: [],
    where: undefined,
    otherwise: { is: "gap", gap },
  });
  // Nobody knows that it is refused, as one does where the error alone is not shown.
  return (tx, row) => (judge(tx, row) === undefined ? undefined : { is: "gap", gap });
}

/** The judge, which tells what came of it. */
function told({ model }: CompilerServices, item: ItemId, judge: Judge): Judge {
  const { trace } = model.options;
  if (trace === undefined) return judge;
  return (tx, row) => {
    const outcome = judge(tx, row);
    trace(item, outcome === undefined ? "held" : "failed");
    return outcome;
  };
}

function compileJudges(services: CompilerServices, info: ResourceInfo): Judges {
  const own: Judge[] = [];
  const wide: Judge[] = [];
  for (const field of info.fields) {
    for (const rule of field.rules) {
      if (rule.kind === "gap" && rule.gap === hiddenRules(field))
        own.push(hiddenUnique(services, info, field, rule.gap));
      if (rule.kind !== "unique") continue;
      const { id, within, anyCase, otherwise } = rule;
      const fields = [field.name];
      const judge = unique(services, info, {
        id,
        fields,
        within,
        anyCase,
        otherwise,
        where: undefined,
      });
      own.push(told(services, id, judge));
    }
  }
  for (const invariant of info.resource.invariants) {
    if (invariant.kind === "gap" && (invariant.of === "always" || invariant.of === "unique")) {
      const { gap } = invariant;
      own.push(() => ({ is: "gap", gap }));
    } else if (invariant.kind === "always") {
      const { condition, otherwise, id } = invariant;
      const judge = told(services, id, always(services, condition.code, otherwise, id));
      own.push(judge);
      if (readsRows(condition.code)) wide.push(judge);
    } else if (invariant.kind === "unique") {
      const { id, fields, where, otherwise } = invariant;
      const judge = unique(services, info, {
        id,
        fields,
        within: [],
        where: where?.code,
        otherwise,
      });
      own.push(told(services, id, judge));
    }
  }
  return { info, own, wide };
}

/** Compiles the judge of one invariant of a resource, or one rule of its fields that is unique. */
export function compileJudge(
  services: CompilerServices,
  info: ResourceInfo,
  item: ItemId,
): Judge | undefined {
  const unrefused = { where: undefined, otherwise: undefined };
  for (const { name, rules } of info.fields) {
    const rule = rules.find((one) => one.id === item);
    if (rule?.kind !== "unique" && rule?.kind !== "counts up") continue;
    const { id, within } = rule;
    const anyCase = rule.kind === "unique" ? rule.anyCase : undefined;
    return unique(services, info, { id, fields: [name], within, anyCase, ...unrefused });
  }
  const found = info.resource.invariants.find((one) => one.id === item);
  if (found?.kind === "always") return always(services, found.condition.code, undefined, found.id);
  if (found?.kind !== "unique") return undefined;
  const { id, fields, where } = found;
  return unique(services, info, { id, fields, within: [], ...unrefused, where: where?.code });
}

/** The fields of each resource that name rows, at any depth, and how these are found. */
type Naming = ReadonlyMap<string, readonly { readonly place: number; readonly visit: Visit }[]>;

function namingOf(services: CompilerServices): Naming {
  return new Map(
    [...services.model.resources.values()].map(({ name, fields }) => [
      name,
      fields.flatMap(({ type }, place) =>
        services.model.references.named(type).size === 0
          ? []
          : [{ place, visit: compileVisit(services.model, type.type) }],
      ),
    ]),
  );
}

/** Rows that touched rows refer to, or referred to before they were changed. */
function referred(
  tx: Transaction,
  among: Iterable<Touched>,
  judges: ReadonlyMap<string, Judges>,
  naming: Naming,
): readonly Row[] {
  const found = new Set<Row>();
  const add = (resource: string, key: number): void => {
    if (judges.get(resource)?.wide.length === 0) return;
    const other = tx.get(resource, key);
    if (other !== undefined) found.add(other);
  };
  for (const { row, before } of among) {
    for (const { place, visit } of naming.get(row.resource) ?? []) {
      visit(row.values[place], add);
      visit(before[place], add);
    }
  }
  return [...found];
}

/** Gives the judge of what was touched: the first broken invariant, in that order. */
export function compileInvariants(
  services: CompilerServices,
): (tx: Transaction, among: Iterable<Touched>) => StepOutcome | undefined {
  const all = new Map(
    [...services.model.resources.values()].map((info) => [
      info.name,
      compileJudges(services, info),
    ]),
  );
  const naming = namingOf(services);
  const anyWide = [...all.values()].some((one) => one.wide.length > 0);
  return (tx, among) => {
    const done = new Set<Row>();
    for (const { row, deleted } of among) {
      if (deleted) continue;
      done.add(row);
      for (const judge of all.get(row.resource)?.own ?? []) {
        const outcome = judge(tx, row);
        if (outcome !== undefined) return outcome;
      }
    }
    if (!anyWide) return undefined;
    for (const row of referred(tx, among, all, naming)) {
      if (done.has(row) || tx.isDeleted(row)) continue;
      for (const judge of all.get(row.resource)?.wide ?? []) {
        const outcome = judge(tx, row);
        if (outcome !== undefined) return outcome;
      }
    }
    return undefined;
  };
}
