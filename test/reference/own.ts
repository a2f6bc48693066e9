/** Whether a tag tells of all that an answer shows: what a row shows of itself, and never another's. */
import type { Code } from "../../src/expr/index.ts";
import type { Endpoint, Field, Plan, Resource, Step, ValueType } from "../../src/plan/index.ts";

/** Whether a value of a field, once it names a row, names no other one later. */
function lasts(plan: Plan, resource: Resource | undefined, field: Field | undefined): boolean {
  if (resource === undefined || field === undefined || field.update.is !== "no") return false;
  if (field.rules.some((rule) => rule.kind === "set")) return false;
  const made =
    field.type.type.kind === "id" ||
    field.rules.some(
      (rule) => rule.kind === "counts up" && !rule.onEveryChange && rule.within.length === 0,
    );
  if (made && field.create.is === "no") return true;
  const others = plan.endpoints.flatMap(({ bindings, steps }) => {
    const named = bindings.filter((one) => one.resource !== resource.name).map((one) => one.as);
    return [...stepsIn(steps, "set"), ...stepsIn(steps, "delete")].filter((step) =>
      named.includes(step.target),
    );
  });
  const all = [plan.prologue, plan.endpoints, plan.routines, plan.machines];
  const isSet = stepsIn(all, "set").some(
    (step) => step.field === field.name && !others.includes(step),
  );
  const isDeleted =
    stepsIn(all, "delete").some((step) => !others.includes(step)) ||
    stepsIn([plan.prologue, plan.endpoints, plan.routines, plan.machines], "delete every").some(
      (step) => step.resource === resource.name,
    );
  const goes = resource.fields.some((one) =>
    one.rules.some((rule) => rule.kind === "when gone" && rule.action === "deleted with it"),
  );
  const ends = resource.invariants.some((one) => one.kind === "kept for" || one.kind === "gap");
  const isKey = resource.key === field.name && plan.webhooks.length === 0;
  return isKey && !isSet && !isDeleted && !goes && !ends;
}

/** The resources in a type. */
function named(plan: Plan, { type }: ValueType, seen: readonly string[] = []): readonly string[] {
  if (type.kind === "reference") return [type.resource];
  if (type.kind === "list" || type.kind === "map") return named(plan, type.of, seen);
  if (type.kind !== "structure" || seen.includes(type.name)) return [];
  const part = plan.partTypes.find((one) => one.name === type.name);
  return (part?.fields ?? []).flatMap((one) => named(plan, one.type, [...seen, type.name]));
}

const namesLast = (plan: Plan, type: ValueType): boolean =>
  named(plan, type).every((name) => {
    const resource = plan.resources.find((one) => one.name === name);
    const key = resource?.fields.find((one) => one.name === resource.key);
    return lasts(plan, resource, key);
  });

const holdsPart = ({ type }: ValueType): boolean =>
  type.kind === "structure" ||
  ((type.kind === "list" || type.kind === "map") && holdsPart(type.of));

function readsItAlone(code: Code, bound: readonly string[]): boolean {
  if (code.op === "name") {
    return code.name === "it" || (bound.includes(code.name) && code.type.kind !== "row");
  }
  if (code.op === "rows" || code.op === "gap") return false;
  if (code.op === "call" && code.fn === "token") return false;
  if (code.op === "get" || code.op === "has") {
    const ofRow = code.of.type.kind === "row";
    return ofRow ? code.of.op === "name" && code.of.name === "it" : readsItAlone(code.of, bound);
  }
  const inner = code.op === "each" ? [...bound, code.as] : bound;
  const parts = Object.values(code).flat() as unknown[];
  const codes = parts.flatMap((one) => {
    if (typeof one !== "object" || one === null) return [];
    if ("op" in one) return [one as Code];
    return "key" in one && "value" in one ? [one.key as Code, one.value as Code] : [];
  });
  return codes.every((one) => readsItAlone(one, inner));
}

/** Every step of a kind in a piece of a plan. */
function stepsIn<K extends Step["kind"]>(
  piece: unknown,
  kind: K,
): readonly Extract<Step, { kind: K }>[] {
  if (Array.isArray(piece)) return piece.flatMap((one) => stepsIn(one, kind));
  if (typeof piece !== "object" || piece === null || "op" in piece) return [];
  const own = "kind" in piece && piece.kind === kind;
  const inner = Object.values(piece).flatMap((one) => stepsIn(one, kind));
  return own ? [piece as Extract<Step, { kind: K }>, ...inner] : inner;
}

/** Whether who names the tag of an answer may be told that nothing has changed. */
export function tagTellsAll(plan: Plan, endpoint: Endpoint): boolean {
  const [step, more] = stepsIn(endpoint.steps, "respond").filter(({ body }) => body.is !== "none");
  if (step === undefined || more !== undefined) return false;
  if (step.status >= 300 || step.body.is !== "shape" || step.body.list) return false;
  const { shape: name, of } = step.body;
  const shape = plan.shapes.find((one) => one.name === name);
  const resource = plan.resources.find((one) => one.name === (shape?.viewOf ?? name));
  const fieldOf = (wanted: string | undefined) =>
    resource?.fields.find((one) => one.name === wanted);
  const tag = fieldOf(resource?.versionTag?.field);
  const counts = tag?.rules.some((rule) => rule.kind === "counts up" && rule.onEveryChange);
  const by = endpoint.bindings.find((one) => of.code.op === "name" && of.code.name === one.as)?.by;
  if (resource === undefined || counts !== true || !lasts(plan, resource, fieldOf(by)))
    return false;
  const isOpen = ({ read }: Field): boolean => read.is !== "actors" && read.is !== "gap";
  const partsOpen = plan.partTypes.every((part) => part.fields.every(isOpen));
  const taken = resource.fields.filter((field) => {
    if (shape === undefined) return field.read.is !== "no";
    const { fields = [], allBut = false } = shape.taken ?? {};
    return shape.taken !== undefined && fields.includes(field.name) !== allBut;
  });
  const own = (field: Field): boolean =>
    isOpen(field) && (partsOpen || !holdsPart(field.type)) && namesLast(plan, field.type);
  const shown = shape?.fields ?? [];
  return (
    taken.every(own) &&
    shown.every(
      ({ type, value }) =>
        value.is === "stated" && readsItAlone(value.value.code, []) && namesLast(plan, type),
    )
  );
}
