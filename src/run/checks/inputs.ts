/** `Check the inputs.`, `Check the paths.`: failures met in reading, references, bindings. */

import { nameOf } from "../../expr/index.ts";
import {
  type Binding,
  type Endpoint,
  type Field,
  type InputPlace,
  isScalar,
  type ValueType,
} from "../../plan/index.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldType } from "../context/field-type.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Members, Row, Value } from "../ports/index.ts";
import { findRows } from "../query/expression.ts";
import { compileLaters, type FindNamed } from "./later.ts";

/** Finds the row of a resource by the text or number that names it to clients. */
export type FindByKey = (work: Transaction, key: Value) => Row | undefined;

/** A key as its field has it: a number for an integer field; undefined: no such key can be. */
function keyValue(field: Field | undefined, key: Value): Value {
  if (field?.type.type.kind !== "integer" || typeof key !== "string") return key;
  return /^(0|-?[1-9][0-9]{0,37})$/.test(key) ? BigInt(key) : undefined;
}

/** Finds by one field, among the rows that the caller may see. */
export function finderBy(kit: CompilerServices, resource: string, by: string): FindByKey {
  const info = kit.model.info(resource);
  const unit = new Scope(kit.model);
  const slot = unit.slot("#key");
  const type = fieldType(info, by);
  const finder = findRows(unit, resource, fieldIs(info, by, nameOf("#key", type)));
  const field = info.fields[info.at.get(by) ?? -1];
  return (work, key) => {
    const value = keyValue(field, key);
    if (value === undefined) return undefined;
    const frame = new Activation(unit, work);
    frame.set(slot, value);
    return finder.sole(frame);
  };
}

/** Replaces the key texts inside a value by keys of rows. */
type Resolve = (work: Transaction, value: Value) => Value | StepOutcome;

/** Whether no row was found, and this is what the request gets. */
export function isStepOutcome(value: Value | StepOutcome): value is StepOutcome {
  return typeof value === "object" && value !== null && "is" in value;
}

/** What a request gets whose reference names no row: `key` is the name that was given. */
type Missing = (frame: Activation, key: Value) => StepOutcome;

/** What is stated for references by where they stand: names of members, joined by dots. */
export type MissingAt = (path: string) => Missing | undefined;

function referenceResolver(
  kit: CompilerServices,
  resource: string,
  missing: Missing | undefined,
): Resolve {
  const {
    key,
    resource: { id },
  } = kit.model.info(resource);
  const name = key === undefined ? undefined : kit.model.info(resource).fieldNames[key];
  if (name === undefined) return () => ({ is: "unsupported", item: id });
  const find = finderBy(kit, resource, name);
  const unit = new Scope(kit.model);
  return (work, value) =>
    find(work, value)?.key ??
    missing?.(new Activation(unit, work), value) ?? {
      is: "gap",
      gap: `${id}/missing`,
      silent: true,
    };
}

/** Where a value stands that is resolved. */
interface Where {
  readonly missing: MissingAt;
  readonly path: string;
  /** `new`: parts are made. `patch`: but for those that are merged. `known`: none is made. */
  readonly mode: "new" | "patch" | "known";
}

/** The resolver of a type; undefined where neither a reference nor a part is inside. */
export function resolverOf(
  kit: CompilerServices,
  type: ValueType,
  missing: MissingAt,
): Resolve | undefined {
  return resolverAt(kit, type, { missing, path: "", mode: "new" });
}

/** The same for a value whose parts are made already. */
export function namesOf(
  kit: CompilerServices,
  type: ValueType,
  missing: MissingAt,
): Resolve | undefined {
  return resolverAt(kit, type, { missing, path: "", mode: "known" });
}

function resolverAt(kit: CompilerServices, { type }: ValueType, where: Where): Resolve | undefined {
  if (isScalar(type)) return undefined;
  switch (type.kind) {
    case "reference":
      return referenceResolver(kit, type.resource, where.missing(where.path));
    case "list": {
      const item = resolverAt(kit, type.of, { ...where, mode: inItems(where.mode) });
      return (
        item &&
        ((work, value) => {
          const items = (value as readonly Value[]).map((one) => resolve(item, work, one));
          return items.find(isStepOutcome) ?? items;
        })
      );
    }
    case "map": {
      const item = resolverAt(kit, type.of, where);
      return (
        item &&
        ((work, value) => {
          const entries = [...(value as ReadonlyMap<string, Value>)].map(
            ([name, one]) => [name, resolve(item, work, one)] as const,
          );
          return entries.map(([, one]) => one).find(isStepOutcome) ?? new Map(entries);
        })
      );
    }
    case "structure":
      return partResolver(kit, type.name, where);
  }
}

/** An item is no patch: it is given whole. */
function inItems(mode: Where["mode"]): Where["mode"] {
  return mode === "patch" ? "new" : mode;
}

/** Resolves the members of a part and makes it; compiled at its first use: it may hold itself. */
function partResolver(kit: CompilerServices, name: string, where: Where): Resolve | undefined {
  const part = kit.model.plan.partTypes.find((one) => one.name === name);
  if (part === undefined) return undefined;
  let members: { readonly resolve: Resolve | undefined } | undefined;
  const compile = (): Resolve | undefined =>
    membersResolver(
      part.fields.map((field) => {
        const path = where.path === "" ? field.name : `${where.path}.${field.name}`;
        return [field.name, resolverAt(kit, field.type, { ...where, path })];
      }),
    );
  return (work, value) => {
    members ??= { resolve: compile() };
    const found = members.resolve === undefined ? value : members.resolve(work, value);
    if (isStepOutcome(found) || where.mode !== "new") return found;
    return kit.parts.make(work, name, found as Members);
  };
}

function resolve(resolver: Resolve, work: Transaction, value: Value): Value | StepOutcome {
  return value === null || value === undefined ? value : resolver(work, value);
}

function membersResolver(
  all: readonly (readonly [string, Resolve | undefined])[],
): Resolve | undefined {
  const members = all.filter((one): one is readonly [string, Resolve] => one[1] !== undefined);
  if (members.length === 0) return undefined;
  return (work, value) => {
    const copy = new Map(value as ReadonlyMap<string, Value>);
    for (const [name, resolver] of members) {
      const found = resolve(resolver, work, copy.get(name));
      if (isStepOutcome(found)) return found;
      if (found !== undefined) copy.set(name, found);
    }
    return copy;
  };
}

/** The resolver of the members that a `new R` or `changed R` body carries. */
function resourceResolver(
  kit: CompilerServices,
  resource: string,
  kind: "new" | "changed",
  isKnown: boolean,
): Resolve | undefined {
  const info = kit.model.info(resource);
  const given = info.fields.filter(
    (field) => (kind === "new" ? field.create : field.update).is !== "no",
  );
  const missing: MissingAt = (path) => {
    const invariant = info.resource.invariants.find(
      (one) => one.kind === "missing" && one.field === path,
    );
    if (invariant?.kind !== "missing") return undefined;
    const refuse = kit.refusal(new Scope(kit.model), invariant.otherwise);
    return (frame) => refuse(frame);
  };
  return membersResolver(
    given.map((field) => {
      const isMerged = kind === "changed" && field.update.is === "merged";
      const mode = isKnown ? "known" : isMerged ? "patch" : "new";
      return [field.name, resolverAt(kit, field.type, { missing, path: field.name, mode })];
    }),
  );
}

function at(path: readonly string[], inner: Resolve | undefined): Resolve | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return inner;
  return membersResolver([[name, at(rest, inner)]]);
}

/** An input that names a row which is not there is none of its type. */
function namesNone(input: { readonly in: InputPlace; readonly name: string | null }): MissingAt {
  const failure = { condition: "wrong type", field: input.name, in: input.in } as const;
  return () => () => ({ is: "failures", failures: [failure] });
}

/** Gives what stands in the path, the query, headers and cookies with rows in place of names. */
function compilePlaces(
  kit: CompilerServices,
  endpoint: Endpoint,
): (frame: Activation) => StepOutcome | undefined {
  const inputs = endpoint.inputs.flatMap((one) => {
    const resolver = one.in === "body" ? undefined : resolverOf(kit, one.type, namesNone(one));
    const { name } = one;
    return resolver === undefined || one.in === "body" ? [] : [{ name, in: one.in, resolver }];
  });
  return (frame) => {
    const { work } = frame;
    for (const { name, in: place, resolver } of inputs) {
      const before = work.resolved[place] ?? work.invocation?.inputs[place] ?? new Map();
      const found = resolve(resolver, work, before.get(name) as Value);
      if (isStepOutcome(found)) return found;
      if (found === undefined) continue;
      work.resolved[place] = new Map(before).set(name, found);
      frame.set(frame.unit.slot(place), work.resolved[place]);
    }
    return undefined;
  };
}

/** `isKnown`: parts stay as they are given. */
function bodyResolvers(
  kit: CompilerServices,
  endpoint: Endpoint,
  isKnown: boolean,
): readonly Resolve[] {
  const ofType = isKnown ? namesOf : resolverOf;
  const found: (Resolve | undefined)[] = endpoint.inputs
    .filter((one) => one.in === "body")
    .map((one) => at(one.name.split("."), ofType(kit, one.type, namesNone(one))));
  if (endpoint.body.is === "stated") {
    const { member, content } = endpoint.body.value;
    const inner =
      content.is === "type"
        ? ofType(kit, content.type, namesNone({ in: "body", name: member ?? null }))
        : resourceResolver(kit, content.resource, content.is, isKnown);
    found.push(at(member === undefined ? [] : [member], inner));
  }
  return found.filter((one) => one !== undefined);
}

/** The body with rows in place of names, or what the request gets where one is missing. */
function resolveBody(resolvers: readonly Resolve[], work: Transaction): Value | StepOutcome {
  let value: Value | StepOutcome = work.body;
  for (const one of resolvers) {
    value = resolve(one, work, value);
    if (isStepOutcome(value)) return value;
  }
  return value;
}

/** Finds rows by what names them to clients. */
function findNamed(kit: CompilerServices): FindNamed {
  const known = new Map<string, FindByKey>();
  return (work, resource, key) => {
    let find = known.get(resource);
    if (find === undefined) {
      const info = kit.model.info(resource);
      const by = info.key === undefined ? undefined : info.fieldNames[info.key];
      find = by === undefined ? () => undefined : finderBy(kit, resource, by);
      known.set(resource, find);
    }
    return find(work, key);
  };
}

/** Compiles the check of an endpoint's inputs. */
export function compileInputsCheck(kit: CompilerServices, endpoint: Endpoint): Run {
  const body = bodyResolvers(kit, endpoint, false);
  const given = bodyResolvers(kit, endpoint, true);
  const places = compilePlaces(kit, endpoint);
  const judge = compileLaters(kit, findNamed(kit));
  return (frame) => {
    const { work } = frame;
    if (work.inputsChecked) return undefined;
    const found = work.invocation?.inputs.failures ?? [];
    const failures =
      found.length === 0
        ? found
        : judge(work, found, () => {
            const value = resolveBody(given, work);
            return isStepOutcome(value) ? undefined : value;
          });
    if (failures.length > 0) return { is: "failures", failures };
    work.inputsChecked = true;
    const resolved = places(frame) ?? resolveBody(body, work);
    if (isStepOutcome(resolved)) return resolved;
    work.body = resolved;
    if (body.length > 0) frame.set(frame.unit.slot("body"), work.body);
    return undefined;
  };
}

function compileBinding(kit: CompilerServices, unit: Scope, binding: Binding): Run {
  const slot = unit.slot(binding.as);
  const path = unit.slot("path");
  const info = kit.model.info(binding.resource);
  const key = nameOf("#bound", fieldType(info, binding.by));
  const keySlot = unit.slot("#bound");
  const by = fieldIs(info, binding.by, key);
  const finder = findRows(
    unit,
    info.name,
    binding.where === undefined ? by : [...by, binding.where.code],
  );
  const refuse = kit.refusal(unit, binding.otherwise);
  const field = info.fields[info.at.get(binding.by) ?? -1];
  return (frame) => {
    const sent = (frame.values[path] as ReadonlyMap<string, Value>).get(binding.param);
    const value = keyValue(field, sent);
    if (value === undefined) return refuse(frame);
    frame.set(keySlot, value);
    const row = finder.sole(frame);
    if (row === undefined) return refuse(frame);
    frame.set(slot, row);
    return undefined;
  };
}

/** Compiles the rows that an endpoint's path binds. */
export function compileBindings(kit: CompilerServices, unit: Scope, endpoint: Endpoint): Run {
  const bindings = endpoint.bindings.map((one) => compileBinding(kit, unit, one));
  return (frame) => {
    if (frame.work.bound) return undefined;
    frame.work.bound = true;
    for (const bind of bindings) {
      const ending = bind(frame);
      if (ending !== undefined) return ending;
    }
    return undefined;
  };
}
