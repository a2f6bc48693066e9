/** Compares types, fields and their rules as those see them who send and read values. */
import {
  type BaseType,
  type Field,
  type Given,
  itemOf,
  type Part,
  type Read,
  type ValueType,
} from "../plan/index.ts";
import {
  type Change,
  type Compare,
  each,
  gapBeside,
  type Members,
  type On,
  tell,
  tellAdded,
  tellGap,
  tellGone,
  told,
  wording,
} from "./found.ts";
import { moved, paired } from "./pairs.ts";
import { ruleList } from "./rule-list.ts";
import { isSame } from "./same.ts";
import { typeWords } from "./words.ts";

/** What stands behind lists and maps, where both are such. */
function heart(before: ValueType, now: ValueType): readonly [ValueType, ValueType] {
  const [was, is] = [before.type, now.type];
  if ((was.kind === "list" || was.kind === "map") && was.kind === is.kind && "of" in is) {
    return heart(was.of, is.of);
  }
  return [before, now];
}

/** The type with a heart that says nothing: what is left of it when values are told apart. */
function emptied(type: ValueType): ValueType {
  const { type: base } = type;
  if (base.kind === "list" || base.kind === "map") {
    return { ...type, type: { ...base, of: emptied(base.of) } };
  }
  return base.kind === "one of" ? { ...type, type: { kind: "one of", values: [] } } : type;
}

/** A precision that part 1 states is told there. */
function ownPrecision(before: ValueType, now: ValueType): readonly [ValueType, ValueType] {
  const [was, is] = heart(before, now);
  if (was.type.kind !== "timestamp" || is.type.kind !== "timestamp") return [before, now];
  const item = itemOf(was.type.precision);
  if (item === undefined || item !== itemOf(is.type.precision)) return [before, now];
  const same: BaseType = { ...is.type, precision: was.type.precision };
  const filled = (type: ValueType): ValueType => {
    const { type: base } = type;
    if (base.kind === "list" || base.kind === "map") {
      return { ...type, type: { ...base, of: filled(base.of) } };
    }
    return { ...type, type: same };
  };
  return [before, filled(now)];
}

/** Tells a type that differs; a list of values by its values. */
export function typed(kind: Change["kind"]): Compare<ValueType> {
  return (before, now, on) => {
    const [was, is] = ownPrecision(before, now);
    if (isSame(was, is) || tellGap(was, is, on)) return;
    const [old, own] = heart(was, is);
    if (old.type.kind === "one of" && own.type.kind === "one of") {
      const [values, others] = [new Set(old.type.values), new Set(own.type.values)];
      for (const one of values) {
        if (others.has(one)) continue;
        tell(on, "value removed from a list of values", { what: one });
      }
      for (const one of others) {
        if (!values.has(one)) tell(on, "value added to a list of values", { what: one });
      }
      if (isSame(emptied(was), emptied(is))) return;
    }
    tell(on, kind, { was: typeWords(before), is: typeWords(now) });
  };
}

const NEEDS: Readonly<Record<Given["is"], "no" | "may" | "must" | "gap">> = {
  no: "no",
  optional: "may",
  merged: "may",
  "required when": "may",
  required: "must",
  gap: "gap",
};

/** What a client gives of a field when it makes a row, or when it changes one. */
function given(when: "Create" | "Update"): Compare<Given> {
  return (before, now, on) => {
    if (isSame(before, now) || tellGap(before, now, on)) return;
    const [was, is] = [NEEDS[before.is], NEEDS[now.is]];
    const told = { what: when, was: before.is, is: now.is };
    if (was === "no") return tell(on, addedInput(now), told);
    if (is === "no") return tell(on, "input removed", told);
    if (before.is === "required" && now.is === "optional") {
      return tell(on, "input no longer needed", told);
    }
    if (before.is === "optional" && now.is === "required") {
      return tell(on, "input now needed", told);
    }
    tell(on, "use of an input changed", told);
  };
}

function addedInput({ is }: Given): Change["kind"] {
  return NEEDS[is] === "must" ? "needed input added" : "optional input added";
}

const read: Compare<Read> = (before, now, on) => {
  const plain = (one: Read): Read =>
    one.is === "actors" ? { ...one, actors: one.actors.toSorted() } : one;
  if (isSame(plain(before), plain(now)) || tellGap(before, now, on)) return;
  if (before.is === "no" && now.is === "yes") return tell(on, "member added to an answer");
  if (before.is === "yes" && now.is === "no") return tell(on, "member removed from an answer");
  const words = (one: Read): string => (one.is === "actors" ? one.actors.join(", ") : one.is);
  tell(on, "readers of a member changed", { was: words(before), is: words(now) });
};

const field: Members<Field> = {
  id: wording,
  name: wording,
  sentAs: told("sent name changed"),
  type: typed("type of a member changed"),
  create: given("Create"),
  update: given("Update"),
  read,
  rules: ruleList,
  gap: gapBeside,
};

/** The kinds of change that a field is which is there in one document alone. */
function kindsOf({ create, update, read: seen }: Field, isNew: boolean): Change["kind"][] {
  const kinds: Change["kind"][] = [];
  if (seen.is !== "no") {
    kinds.push(isNew ? "member added to an answer" : "member removed from an answer");
  }
  const how = create.is === "no" ? update : create;
  if (how.is !== "no") kinds.push(isNew ? addedInput(how) : "input removed");
  return kinds.length > 0 ? kinds : [isNew ? "field added" : "field removed"];
}

/** Compares the fields of a resource or a part. */
export const fieldList: Compare<readonly Field[]> = (before, now, on) => {
  const pairs = paired(before, now, ({ name }) => name);
  const at = (name: string): On => ({ ...on, about: `${on.about}.${name}` });
  for (const { id, name, ...one } of pairs.gone) {
    for (const kind of kindsOf({ id, name, ...one }, false)) tellGone(at(name), kind, id);
  }
  for (const { id, name, ...one } of pairs.added) {
    for (const kind of kindsOf({ id, name, ...one }, true)) tellAdded(at(name), kind, id);
  }
  for (const [old, one] of pairs.both) {
    each(field, old, one, { ...at(one.name), before: old.id, now: one.id });
  }
  for (const [old, one] of moved(before, pairs)) {
    tell({ ...at(one.name), before: old.id, now: one.id }, "order of members changed");
  }
};

const part: Members<Part> = { id: wording, name: wording, fields: fieldList };

/** Compares the parts of two plans. */
export const partList: Compare<readonly Part[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name);
  for (const { id, name } of gone) tellGone({ ...on, about: name }, "part removed", id);
  for (const { id, name } of added) tellAdded({ ...on, about: name }, "part added", id);
  for (const [old, one] of both) {
    each(part, old, one, { ...on, about: one.name, before: old.id, now: one.id });
  }
};

/** Names that are given, with their types, by name. */
export function givenList(
  kind: Change["kind"],
): Compare<readonly { readonly name: string; readonly type: ValueType }[]> {
  return (before, now, on) => {
    const { both, gone, added } = paired(before, now, ({ name }) => name);
    const below = (name: string): string => `given \`${name}\``;
    for (const { name } of gone) tellGone(on, kind, `${on.before}/${below(name)}`, { what: name });
    for (const { name } of added) tellAdded(on, kind, `${on.now}/${below(name)}`, { what: name });
    for (const [old, { name, type }] of both) {
      const [from, to] = [`${on.before}/${below(name)}`, `${on.now}/${below(name)}`];
      typed(kind)(old.type, type, { ...on, before: from, now: to });
    }
  };
}
