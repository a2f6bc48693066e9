/**
 * Why nothing can meet a gap, where the document itself shows that: each reason holds for what
 * stands in the plan, not for the requests that were sent.
 */
import {
  type Plan,
  References,
  type Resource,
  stepsOf,
  whyNotCompared,
} from "../../src/plan/index.ts";
import type { Clause } from "./clauses.ts";

/** Whether some endpoint's body makes, or changes, rows of the resource. */
function hasBody(plan: Plan, resource: string, kinds: readonly string[]): boolean {
  return plan.endpoints.some(({ body }) => {
    if (body.is !== "stated" || body.value.content.is === "type") return false;
    return kinds.includes(body.value.content.is) && body.value.content.resource === resource;
  });
}

/** Every text that stands in a piece of the plan under one of these names. */
function namesIn(node: unknown, keys: ReadonlySet<string>, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const one of node) namesIn(one, keys, found);
  else if (typeof node === "object" && node !== null) {
    for (const [key, one] of Object.entries(node)) {
      if (keys.has(key) && typeof one === "string") found.add(one);
      namesIn(one, keys, found);
    }
  }
  return found;
}

/** Shapes and resources that some answer, event or message shows by their own name. */
function shownNames(plan: Plan): ReadonlySet<string> {
  const pieces = [stepsOf(plan), plan.shapes, plan.partTypes, plan.resources, plan.errors];
  const names = namesIn(
    [...pieces, plan.events, plan.webhooks, plan.calls],
    new Set(["shape", "view", "structure"]),
  );
  for (const piece of pieces.flat()) {
    for (const name of structures(piece)) names.add(name);
  }
  return names;
}

/** Whether something shows the field: the resource itself, or a view that has it. */
function isShown(plan: Plan, owner: string, field: string): boolean {
  const names = shownNames(plan);
  const views = plan.shapes.filter((one) => one.viewOf === owner && takes(one, field));
  return [owner, ...views.map(({ name }) => name)].some((name) => names.has(name));
}

function takes({ taken }: Plan["shapes"][number], field: string): boolean {
  return taken !== undefined && taken.fields.includes(field) !== taken.allBut;
}

function structures(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(structures);
  if (typeof node !== "object" || node === null) return [];
  const { kind, name } = node as { kind?: unknown; name?: unknown };
  const own = kind === "structure" && typeof name === "string" ? [name] : [];
  return [...own, ...Object.values(node).flatMap(structures)];
}

function changes(plan: Plan, { name, fields }: Resource): boolean {
  const machine = plan.machines.some((one) => one.resource === name);
  const others = fields.some(({ rules }) =>
    rules.some((rule) => rule.kind === "when gone" && rule.action === "set to null"),
  );
  const own = new Set(fields.map((one) => one.name));
  const set = stepsOf(plan).some((step) => step.kind === "set" && own.has(step.field));
  return machine || others || set || hasBody(plan, name, ["changed"]);
}

function deletes(plan: Plan, { name, fields, invariants }: Resource): boolean {
  const kept = invariants.some(({ kind }) => kind === "kept for");
  const goes = fields.some(({ rules }) =>
    rules.some((rule) => rule.kind === "when gone" && rule.action === "deleted with it"),
  );
  const step = stepsOf(plan).some(
    (one) => one.kind === "delete" || (one.kind === "delete every" && one.resource === name),
  );
  return kept || goes || step;
}

/** The field that a cell is about. */
function fieldOf(plan: Plan, { where }: Clause) {
  const [, owner = ""] = /^`([^`]+)`/.exec(where) ?? [];
  const name = [...where.matchAll(/`([^`]+)`/g)].at(-1)?.[1] ?? "";
  const resource = plan.resources.find((one) => one.name === owner);
  const part = plan.partTypes.find((one) => one.name === owner);
  const field = (resource ?? part)?.fields.find((one) => one.name === name);
  return { owner, resource, part, field };
}

function cellWhy(plan: Plan, clause: Clause): string | undefined {
  const { resource, field, owner } = fieldOf(plan, clause);
  if (resource === undefined || field === undefined) return undefined;
  if (decidesOnTags(plan, field)) return undefined;
  const column = clause.where.slice(clause.where.lastIndexOf(", ") + 2);
  switch (column) {
    case "Update":
      return hasBody(plan, owner, ["changed"]) ? undefined : "no body changes rows of the resource";
    case "Create":
      return hasBody(plan, owner, ["new"]) || !isGivenElse(plan, owner, field)
        ? undefined
        : "no body makes rows of the resource";
    case "Read":
      return isShown(plan, owner, field.name)
        ? undefined
        : "nothing shows the resource in its own shape";
    case "Rules":
      return isMade(plan, resource) ||
        !isAtStart(resource, field) ||
        isFound(plan, owner, field) ||
        namesGone(plan, field)
        ? undefined
        : "nothing makes, or changes, rows of the resource";
    default:
      return undefined;
  }
}

type Field = Resource["fields"][number];

/** Whether a gap of the field hides whether a version tag stands for a whole answer. */
function decidesOnTags(plan: Plan, { update, create, rules }: Field): boolean {
  const own = [update, create].flatMap((one) => (one.is === "gap" ? [one.gap] : []));
  const gaps = new Set([...own, ...rules.flatMap((one) => (one.kind === "gap" ? [one.gap] : []))]);
  return plan.endpoints.some((endpoint) => {
    const why = whyNotCompared(plan, endpoint);
    return typeof why === "object" && gaps.has(why.gap);
  });
}

/** Whether one row is looked for by the field: a rule says that no two rows have the same value. */
function isFound(plan: Plan, owner: string, { name }: Field): boolean {
  if (isKey(plan, owner, name)) return true;
  const inPath = plan.endpoints.some(({ bindings }) =>
    bindings.some((one) => one.resource === owner && one.by === name),
  );
  const looked = [
    ...stepsOf(plan).filter((step) => step.kind === "let one" && step.resource === owner),
    ...plan.schemes.map(({ caller }) => caller),
  ];
  return inPath || namesIn(looked, new Set(["member"])).has(name);
}

/** Whether rows are named by the field, or by none that is known, so that it may be this one. */
function isKey(plan: Plan, owner: string, name: string): boolean {
  const key = plan.resources.find((one) => one.name === owner)?.key;
  return key === undefined || key === name;
}

/** Whether the field names rows that may be deleted: a rule says what becomes of its row. */
function namesGone(plan: Plan, { type }: Field): boolean {
  const named = new References(plan.partTypes).named(type);
  return plan.resources.some((one) => named.has(one.name) && deletes(plan, one));
}

/** Whether every step that makes a row gives the field its value. */
function isAssigned(plan: Plan, owner: string, { name }: Field): boolean {
  return stepsOf(plan).every(
    (step) =>
      step.kind !== "create" ||
      step.resource !== owner ||
      step.with.some((one) => one.name === name),
  );
}

/** Whether rows are made, or changed, once the service runs: a rule may say something of each. */
function isMade(plan: Plan, resource: Resource): boolean {
  const made = stepsOf(plan).some(
    (step) => step.kind === "create" && step.resource === resource.name,
  );
  return made || changes(plan, resource);
}

/** Whether each row at the start has a value in the field that is kept, and shown, as it is. */
function isAtStart({ startRows }: Resource, { name, type }: Field): boolean {
  if (type.type.kind === "secret" || type.type.kind === "list") return false;
  if (startRows.is === "none") return true;
  if (startRows.is !== "stated" || startRows.value.is !== "block") return false;
  return startRows.value.rows.every((row) => row[name] !== undefined);
}

const FILLING: ReadonlySet<string> = new Set(["starts", "set", "counts up", "random"]);

/** Whether it has one whether or not a client may give it; an `id` is made where none may. */
function isGivenElse(plan: Plan, owner: string, field: Field): boolean {
  const { type, rules } = field;
  if (type.type.kind === "id") return false;
  if (type.type.kind === "state" || type.orAbsent) return true;
  return rules.some(({ kind }) => FILLING.has(kind)) || isAssigned(plan, owner, field);
}

/** What is counted in one request, or in rows that are there, has no window. */
function windowWhy(plan: Plan, { where }: Clause): string | undefined {
  const [, name, column] = /^Limits, `([^`]+)`, (Window|Per)$/.exec(where) ?? [];
  const counts = plan.limits.find((one) => one.name === name)?.counts.is;
  if (counts === undefined || column === undefined) return undefined;
  const isOfOne = counts.endsWith(" bytes") || counts === "request time";
  const hasNone = isOfOne || (column === "Window" && counts === "rows kept");
  return hasNone ? "what is counted leaves no choice" : undefined;
}

/** Why no request can meet the gap; undefined: one can. */
export function unreachableWhy(plan: Plan, clause: Clause): string | undefined {
  if (clause.kind === "cell") return cellWhy(plan, clause) ?? windowWhy(plan, clause);
  const [, owner = ""] = /^`([^`]+)`/.exec(clause.where) ?? [];
  const resource = plan.resources.find((one) => one.name === owner);
  if (resource !== undefined && clause.where.endsWith(", Changed")) {
    return changes(plan, resource) ? undefined : "nothing changes rows of the resource";
  }
  if (resource !== undefined && clause.where.endsWith(", Deleted")) {
    return deletes(plan, resource) ? undefined : "nothing deletes rows of the resource";
  }
  return undefined;
}
