/** `Check the inputs.`, `Check the paths.`: failures met in reading, references, bindings. */
import { nameOf } from "../../expr/index.ts";
import {
  type Binding,
  type Endpoint,
  type Field,
  type InputPlace,
  isScalar,
  isStated,
  type ValueType,
} from "../../plan/index.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldIsAnyCase, fieldType } from "../context/field-type.ts";
import { type StepOutcome, withoutKey } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Members, Row, Value } from "../ports/index.ts";
import { findRows } from "../query/expression.ts";
import { compileLaters, type FindNamed } from "./later.ts";
import { compileUnfound } from "./unfound.ts";

/** Finds the row of a resource by the text or number that names it to clients. */
type FindByKey = (tx: Transaction, key: Value) => Row | undefined;

/** A key as its field has it: a number for an integer field; undefined: no such key can be. */
function keyValue(field: Field | undefined, key: Value): Value {
  if (field?.type.type.kind !== "integer" || typeof key !== "string") return key;
  return /^(0|-?[1-9][0-9]{0,37})$/.test(key) ? BigInt(key) : undefined;
}

/** Finds by one field, among the rows that the caller may see. */
function finderBy(services: CompilerServices, resource: string, by: string): FindByKey {
  const info = services.model.info(resource);
  const scope = new Scope(services.model);
  const slot = scope.slot("#key");
  const type = fieldType(info, by);
  const finder = findRows(scope, resource, fieldIs(info, by, nameOf("#key", type)));
  const field = info.fields[info.at.get(by) ?? -1];
  return (tx, key) => {
    const value = keyValue(field, key);
    if (value === undefined) return undefined;
    const activation = new Activation(scope, tx).set(slot, value);
    return finder.sole(activation);
  };
}

/** Replaces the key texts inside a value by keys of rows. */
type Resolve = (tx: Transaction, value: Value) => Value | StepOutcome;

/** Whether no row was found, and this is what the request gets. */
export function isStepOutcome(value: Value | StepOutcome): value is StepOutcome {
  return typeof value === "object" && value !== null && "is" in value;
}

/** What a request gets whose reference names no row: `key` is the name that was given. */
type Missing = (activation: Activation, key: Value) => StepOutcome;

/** What is stated for references by where they stand: names of members, joined by dots. */
export type MissingAt = (path: string) => Missing | undefined;

function referenceResolver(
  services: CompilerServices,
  resource: string,
  missing: Missing | undefined,
): Resolve {
  const { key, resource: named } = services.model.info(resource);
  const { id } = named;
  const name = key === undefined ? undefined : services.model.info(resource).fieldNames[key];
  if (name === undefined) return () => withoutKey(named);
  const find = finderBy(services, resource, name);
  const scope = new Scope(services.model);
  return (tx, value) =>
    find(tx, value)?.key ??
    missing?.(new Activation(scope, tx), value) ?? {
      is: "gap",
      gap: `${id}/missing`,
      silent: true,
    };
}

/** Where a value stands that is resolved. */
interface Where {
  readonly missing: MissingAt;
  readonly path: string;
  /** Where each part that is around it stands: one that holds itself has one path. */
  readonly around: ReadonlyMap<string, string>;
  /** `new`: parts are made. `patch`: except those that are merged. `known`: none is made. */
  readonly mode: "new" | "patch" | "known";
}

const NOTHING: Where["around"] = new Map();

/** The resolver of a type; undefined where neither a reference nor a part is inside. */
export function resolverOf(
  services: CompilerServices,
  type: ValueType,
  missing: MissingAt,
): Resolve | undefined {
  return resolverAt(services, type, { missing, path: "", around: NOTHING, mode: "new" });
}

/** The same for a value whose parts are made already. */
function namesOf(
  services: CompilerServices,
  type: ValueType,
  missing: MissingAt,
): Resolve | undefined {
  return resolverAt(services, type, { missing, path: "", around: NOTHING, mode: "known" });
}

function resolverAt(
  services: CompilerServices,
  { type }: ValueType,
  where: Where,
): Resolve | undefined {
  if (isScalar(type)) return undefined;
  switch (type.kind) {
    case "reference":
      return referenceResolver(services, type.resource, where.missing(where.path));
    case "list": {
      const item = resolverAt(services, type.of, { ...where, mode: inItems(where.mode) });
      return (
        item &&
        ((tx, value) => {
          const items = (value as readonly Value[]).map((one) => resolve(item, tx, one));
          return items.find(isStepOutcome) ?? items;
        })
      );
    }
    case "map": {
      const item = resolverAt(services, type.of, where);
      return (
        item &&
        ((tx, value) => {
          const entries = [...(value as ReadonlyMap<string, Value>)].map(
            ([name, one]) => [name, resolve(item, tx, one)] as const,
          );
          return entries.map(([, one]) => one).find(isStepOutcome) ?? new Map(entries);
        })
      );
    }
    case "structure":
      return partResolver(services, type.name, where);
  }
}

/** An item is no patch: it is given whole. */
function inItems(mode: Where["mode"]): Where["mode"] {
  return mode === "patch" ? "new" : mode;
}

/** Resolves the members of a part and makes it; compiled at its first use: it may hold itself. */
function partResolver(services: CompilerServices, name: string, where: Where): Resolve | undefined {
  const part = services.model.plan.partTypes.find((one) => one.name === name);
  if (part === undefined) return undefined;
  let members: { readonly resolve: Resolve | undefined } | undefined;
  const own = where.around.get(name) ?? where.path;
  const around = new Map(where.around).set(name, own);
  const compile = (): Resolve | undefined =>
    membersResolver(
      part.fields.map((field) => {
        const path = own === "" ? field.name : `${own}.${field.name}`;
        return [field.name, resolverAt(services, field.type, { ...where, path, around })];
      }),
    );
  return (tx, value) => {
    members ??= { resolve: compile() };
    const found = members.resolve === undefined ? value : members.resolve(tx, value);
    if (isStepOutcome(found) || where.mode !== "new") return found;
    return services.parts.make(tx, name, found as Members);
  };
}

function resolve(resolver: Resolve, tx: Transaction, value: Value): Value | StepOutcome {
  return value === null || value === undefined ? value : resolver(tx, value);
}

function membersResolver(
  all: readonly (readonly [string, Resolve | undefined])[],
): Resolve | undefined {
  const members = all.filter((one): one is readonly [string, Resolve] => one[1] !== undefined);
  if (members.length === 0) return undefined;
  return (tx, value) => {
    const copy = new Map(value as ReadonlyMap<string, Value>);
    for (const [name, resolver] of members) {
      const found = resolve(resolver, tx, copy.get(name));
      if (isStepOutcome(found)) return found;
      if (found !== undefined) copy.set(name, found);
    }
    return copy;
  };
}

/** The resolver of the members that a `new R` or `changed R` body carries. */
function resourceResolver(
  services: CompilerServices,
  resource: string,
  kind: "new" | "changed",
  { isKnown, instead }: { readonly isKnown: boolean; readonly instead: ReadonlySet<string> },
): Resolve | undefined {
  const info = services.model.info(resource);
  const given = info.shown.filter(
    ({ name, create, update }) =>
      (kind === "new" ? create : update).is !== "no" && !instead.has(name),
  );
  const missing: MissingAt = (path) => {
    const invariant = info.resource.invariants.find(
      (one) => one.kind === "missing" && one.field === path,
    );
    if (invariant?.kind !== "missing") return undefined;
    const refuse = services.refusal(new Scope(services.model), invariant.otherwise);
    return (activation) => refuse(activation);
  };
  return membersResolver(
    given.map((field) => {
      const isMerged = kind === "changed" && field.update.is === "merged";
      const mode = isKnown ? "known" : isMerged ? "patch" : "new";
      const where = { missing, path: field.name, around: NOTHING, mode } as const;
      return [field.name, resolverAt(services, field.type, where)];
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
  services: CompilerServices,
  endpoint: Endpoint,
): (activation: Activation) => StepOutcome | undefined {
  const inputs = endpoint.inputs.flatMap((one) => {
    const resolver = one.in === "body" ? undefined : resolverOf(services, one.type, namesNone(one));
    const { name } = one;
    return resolver === undefined || one.in === "body" ? [] : [{ name, in: one.in, resolver }];
  });
  return (activation) => {
    const { tx } = activation;
    for (const { name, in: place, resolver } of inputs) {
      const before = tx.resolved[place] ?? tx.invocation?.inputs[place] ?? new Map();
      const found = resolve(resolver, tx, before.get(name) as Value);
      if (isStepOutcome(found)) return found;
      if (found === undefined) continue;
      tx.resolved[place] = new Map(before).set(name, found);
      activation.set(activation.scope.slot(place), tx.resolved[place]);
    }
    return undefined;
  };
}

/** Fields of the resource of a body in whose place rows of the input table stand. */
function insteadOf({ inputs }: Endpoint, member: string | undefined): ReadonlySet<string> {
  const before = member === undefined ? "" : `${member}.`;
  const rows = inputs.filter((one) => one.in === "body" && one.name.startsWith(before));
  return new Set(rows.map(({ name }) => name.slice(before.length)));
}

/** `isKnown`: parts stay as they are given. */
function bodyResolvers(
  services: CompilerServices,
  endpoint: Endpoint,
  isKnown: boolean,
): readonly Resolve[] {
  const ofType = isKnown ? namesOf : resolverOf;
  const found: (Resolve | undefined)[] = endpoint.inputs
    .filter((one) => one.in === "body")
    .map((one) => at(one.name.split("."), ofType(services, one.type, namesNone(one))));
  if (isStated(endpoint.body)) {
    const { member, content } = endpoint.body.value;
    const inner =
      content.is === "type"
        ? ofType(services, content.type, namesNone({ in: "body", name: member ?? null }))
        : resourceResolver(services, content.resource, content.is, {
            isKnown,
            instead: insteadOf(endpoint, member),
          });
    found.push(at(member === undefined ? [] : [member], inner));
  }
  return found.filter((one) => one !== undefined);
}

/** The body with rows in place of names, or what the request gets where one is missing. */
function resolveBody(resolvers: readonly Resolve[], tx: Transaction): Value | StepOutcome {
  let value: Value | StepOutcome = tx.body;
  for (const one of resolvers) {
    value = resolve(one, tx, value);
    if (isStepOutcome(value)) return value;
  }
  return value;
}

/** Finds rows by what names them to clients. */
function findNamed(services: CompilerServices): FindNamed {
  const known = new Map<string, FindByKey>();
  return (tx, resource, key) => {
    let find = known.get(resource);
    if (find === undefined) {
      const info = services.model.info(resource);
      const by = info.key === undefined ? undefined : info.fieldNames[info.key];
      find = by === undefined ? () => undefined : finderBy(services, resource, by);
      known.set(resource, find);
    }
    return find(tx, key);
  };
}

/** Compiles the check of an endpoint's inputs. */
export function compileInputsCheck(services: CompilerServices, endpoint: Endpoint): Run {
  const body = bodyResolvers(services, endpoint, false);
  const given = bodyResolvers(services, endpoint, true);
  const places = compilePlaces(services, endpoint);
  const judge = compileLaters(services, findNamed(services));
  return (activation) => {
    const { tx } = activation;
    if (tx.inputsChecked) return undefined;
    const found = tx.invocation?.inputs.failures ?? [];
    const failures =
      found.length === 0
        ? found
        : judge(tx, found, () => {
            const value = resolveBody(given, tx);
            return isStepOutcome(value) ? undefined : value;
          });
    if (failures.length > 0) return { is: "failures", failures };
    tx.inputsChecked = true;
    const resolved = places(activation) ?? resolveBody(body, tx);
    if (isStepOutcome(resolved)) return resolved;
    tx.body = resolved;
    if (body.length > 0) activation.set(activation.scope.slot("body"), tx.body);
    return undefined;
  };
}

function compileBinding(
  services: CompilerServices,
  scope: Scope,
  binding: Binding,
  { steps }: Endpoint,
): Run {
  const slot = scope.slot(binding.as);
  const path = scope.slot("path");
  const info = services.model.info(binding.resource);
  const key = nameOf("#bound", fieldType(info, binding.by));
  const keySlot = scope.slot("#bound");
  const by = (binding.anyCase ? fieldIsAnyCase : fieldIs)(info, binding.by, key);
  const finder = findRows(
    scope,
    info.name,
    binding.where === undefined ? by : [...by, binding.where.code],
  );
  const refuse = services.refusal(scope, binding.otherwise);
  const unfound = compileUnfound(services.model, info.name, steps);
  const field = info.fields[info.at.get(binding.by) ?? -1];
  return (activation) => {
    const sent = (activation.values[path] as ReadonlyMap<string, Value>).get(binding.param);
    const value = keyValue(field, sent);
    const isOther = binding.anyCase && typeof value !== "string";
    if (value === undefined || isOther) return refuse(activation);
    activation.set(keySlot, value);
    const row = finder.sole(activation);
    services.model.options.trace?.(binding.id, row === undefined ? "failed" : "held");
    if (row === undefined) {
      unfound(activation.tx);
      return refuse(activation);
    }
    activation.set(slot, row);
    return undefined;
  };
}

/** Compiles the rows that an endpoint's path binds. */
export function compileBindings(services: CompilerServices, scope: Scope, endpoint: Endpoint): Run {
  const bindings = endpoint.bindings.map((one) => compileBinding(services, scope, one, endpoint));
  const { pathGap } = endpoint;
  if (pathGap !== undefined) {
    bindings.splice(pathGap.behind, Number.POSITIVE_INFINITY, () => ({
      is: "gap",
      gap: pathGap.gap,
    }));
  }
  return (activation) => {
    if (activation.tx.bound) return undefined;
    activation.tx.bound = true;
    for (const bind of bindings) {
      const outcome = bind(activation);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  };
}
