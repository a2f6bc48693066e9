/**
 * Why nothing can meet a gap, where the document itself shows that: each reason holds for what
 * stands in the plan, not for the requests that were sent.
 */
import type { Code } from "../../src/expr/index.ts";
import { type Plan, type Resource, stepsOf, whyNotCompared } from "../../src/plan/index.ts";
import type { Clause } from "./clauses.ts";
import { codeText, knownAt } from "./facts.ts";
import { deletes, namesGone } from "./living.ts";
import { behaviourWhy } from "./reach-behaviour.ts";
import { rowAt } from "./rows.ts";

/** Whether some endpoint's body makes, or changes, rows of the resource. */
function hasBody(plan: Plan, resource: string, kinds: readonly string[]): boolean {
  return plan.endpoints.some(({ body }) => {
    if (body.is !== "stated" || body.value.content.is === "type") return false;
    return kinds.includes(body.value.content.is) && body.value.content.resource === resource;
  });
}

/** A view that stands only in fields that nothing shows. */
function viewWhy(plan: Plan, { where }: Clause): string | undefined {
  const [, view] = /^`([^`]+)`, a view of `[^`]+`, Fields$/.exec(where) ?? [];
  if (view === undefined) return undefined;
  const { shapes, partTypes, errors, events, webhooks, calls, endpoints, streams } = plan;
  const pieces = [stepsOf(plan), shapes, partTypes, errors, events, webhooks, calls, endpoints];
  const keys = new Set(["shape", "view", "structure"]);
  const isNamed = (node: unknown): boolean =>
    namesIn(node, keys).has(view) || structures(node).includes(view);
  const inFields = plan.resources.some(({ name: owner, fields }) =>
    fields.some((one) => isNamed(one) && isShown(plan, owner, one.name)),
  );
  return inFields || isNamed([pieces, streams]) ? undefined : "nothing shows the view";
}

/** Whether an input takes the member of that name from each body that makes rows of the resource. */
function isTaken(plan: Plan, resource: string, member: string): boolean {
  return plan.endpoints.every(({ body, inputs }) => {
    const content = body.is === "stated" ? body.value.content : undefined;
    const isMaking = content?.is === "new" && content.resource === resource;
    return !isMaking || inputs.some((one) => one.in === "body" && one.name === member);
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
  const set = stepsOf(plan).some(
    (step) =>
      step.kind === "set" &&
      own.has(step.field) &&
      [name, undefined].includes(rowAt(plan, step, step.target)),
  );
  return machine || others || set || hasBody(plan, name, ["changed"]);
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
  const { resource, part, field, owner } = fieldOf(plan, clause);
  const column = clause.where.slice(clause.where.lastIndexOf(", ") + 2);
  if (part !== undefined && field !== undefined) return partWhy(plan, part.name, column);
  if (resource === undefined || field === undefined) return undefined;
  if (decidesOnTags(plan, field)) return undefined;
  switch (column) {
    case "Update":
      return hasBody(plan, owner, ["changed"]) ? undefined : "no body changes rows of the resource";
    case "Create":
      if (!isGivenElse(plan, owner, field)) return undefined;
      if (!hasBody(plan, owner, ["new"])) return "no body makes rows of the resource";
      return isTaken(plan, owner, field.name)
        ? "an input has the name of the member in each body that makes rows"
        : undefined;
    case "Read":
      return isShown(plan, owner, field.name)
        ? undefined
        : "nothing shows the resource in its own shape";
    case "Rules":
      if (isGivenAtStart(plan, resource, field)) return ONLY_AT_START;
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

/** Resources and parts in which values of the part stand, the part itself included. */
function holdersOf(plan: Plan, part: string): ReadonlySet<string> {
  const holders = new Set([part]);
  for (let before = 0; before < holders.size; ) {
    before = holders.size;
    for (const { name, fields } of [...plan.partTypes, ...plan.resources]) {
      const isHolder = fields.some(({ type }) => structures(type).some((one) => holders.has(one)));
      if (isHolder) holders.add(name);
    }
  }
  return holders;
}

/** Why nothing can meet a gap in a part: nobody changes what holds it, or nothing shows it. */
function partWhy(plan: Plan, part: string, column: string): string | undefined {
  const holders = [...holdersOf(plan, part)];
  const isChanged = holders.some((one) => hasBody(plan, one, ["changed"]));
  if (column === "Update" && !isChanged) return "no body changes rows that hold the part";
  if (column !== "Read") return undefined;
  const pieces = [stepsOf(plan), plan.shapes, plan.errors, plan.events, plan.webhooks];
  const shown = new Set([
    ...namesIn([...pieces, plan.calls], new Set(["shape", "view", "structure"])),
    ...pieces.flat().flatMap(structures),
  ]);
  return holders.some((one) => shown.has(one)) ? undefined : "nothing shows the part";
}

/** What is refused by a rule that nothing can break. */
function elseWhy(plan: Plan, clause: Clause): string | undefined {
  const cell = { ...clause, where: clause.where.replace(/, Rules, else$/, "") };
  const { resource, field } = fieldOf(plan, cell);
  if (cell.where === clause.where || resource === undefined || field === undefined)
    return undefined;
  const isJudged = field.rules.some((rule) => "otherwise" in rule && rule.kind !== "when gone");
  if (!isJudged && !namesGone(plan, field)) return "rows that the field names are never deleted";
  if (isMadeWhereNoneIs(plan, resource, field)) return "it is made only where no row has the value";
  return isMade(plan, resource) ? undefined : ONLY_AT_START;
}

/** Whether each row is made behind a look for one with the value, which has found none. */
function isMadeWhereNoneIs(
  plan: Plan,
  { name: owner, startRows }: Resource,
  field: Field,
): boolean {
  const judging = field.rules.filter((rule) => "otherwise" in rule);
  const [unique] = judging;
  const isAlone = judging.length === 1 && unique?.kind === "unique" && unique.within.length === 0;
  const isGiven = hasBody(plan, owner, ["new", "changed"]) || startRows.is !== "none";
  const { name } = field;
  const isSet = stepsOf(plan).some(
    (step) =>
      step.kind === "set" &&
      step.field === name &&
      [owner, undefined].includes(rowAt(plan, step, step.target)),
  );
  if (!isAlone || isGiven || isSet) return false;
  return stepsOf(plan).every((step) => {
    if (step.kind !== "create" || step.resource !== owner) return true;
    const value = step.with.find((one) => one.name === name)?.value.code;
    return (
      value !== undefined &&
      knownAt(plan, step).every(({ facts, sought }) =>
        [...sought].some(
          ([as, { resource, where }]) =>
            resource === owner &&
            isEqual(
              where,
              (one) => one.op === "get" && one.member === name && isIt(one.of),
              value,
            ) &&
            facts.some((fact) =>
              isEqual(fact, (one) => one.op === "name" && one.name === as, NULL),
            ),
        ),
      )
    );
  });
}

const NULL = { op: "literal", value: null };
const isIt = (code: Code): boolean => code.op === "name" && code.name === "it";

/** Whether a condition says that what fits has the value. */
function isEqual(code: Code, fits: (one: Code) => boolean, value: unknown): boolean {
  const [a, b] = code.op === "call" && code.fn === "==" ? code.args : [];
  return a !== undefined && fits(a) && codeText(b) === codeText(value);
}

const ONLY_AT_START = "only rows at the start give the field";

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
function isFound(plan: Plan, owner: string, { name, type }: Field): boolean {
  // What names a row by its type does so whatever its rules are.
  if (type.type.kind === "id") return false;
  if (isKey(plan, owner, name) && isNamed(plan, owner)) return true;
  const resource = plan.resources.find((one) => one.name === owner);
  if (resource !== undefined && !isMade(plan, resource) && isUnlike(resource, name)) return false;
  const inPath = plan.endpoints.some(({ bindings }) =>
    bindings.some((one) => one.resource === owner && one.by === name),
  );
  const looked = [
    ...stepsOf(plan).filter((step) => step.kind === "let one" && step.resource === owner),
    ...plan.schemes.map(({ caller }) => caller),
  ];
  return inPath || namesIn(looked, new Set(["member"])).has(name);
}

/** Whether the document gives all rows at the start, and no two have the same value. */
function isUnlike({ startRows }: Resource, field: string): boolean {
  if (startRows.is !== "stated" || startRows.value.is !== "block") return false;
  const values = startRows.value.rows.map((row) => row[field]);
  return !values.includes(undefined) && new Set(values).size === values.length;
}

/** Whether rows are named by the field, or by none that is known, so that it may be this one. */
function isKey(plan: Plan, owner: string, name: string): boolean {
  const key = plan.resources.find((one) => one.name === owner)?.key;
  return key === undefined || key === name;
}

/** Whether a row of the resource is ever named by its key: in a path, in a body, in an answer. */
function isNamed(plan: Plan, resource: string): boolean {
  const { endpoints, resources, partTypes, shapes, calls } = plan;
  const inPath = endpoints.some(({ bindings }) =>
    bindings.some((one) => one.resource === resource),
  );
  const isHeld = (node: unknown, isGiven: boolean): boolean => {
    if (Array.isArray(node)) return node.some((one) => isHeld(one, isGiven));
    if (typeof node !== "object" || node === null) return false;
    const { kind, resource: named, view } = node as Record<string, unknown>;
    const isOwn = kind === "reference" && named === resource;
    if (isOwn) return isGiven || view === undefined;
    return Object.values(node).some((one) => isHeld(one, isGiven));
  };
  const isGiven = ({ create, update }: Field): boolean => create.is !== "no" || update.is !== "no";
  // What is shown as a view is not named, but where a client gives it.
  const inFields = [...resources, ...partTypes].some(({ fields }) =>
    fields.some((one) => isHeld(one, isGiven(one))),
  );
  return inPath || inFields || isHeld(endpoints, true) || isHeld([shapes, calls], false);
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

/** Whether only the operator gives the field, once, in rows that nobody names by it. */
function isGivenAtStart(plan: Plan, resource: Resource, { name, type }: Field): boolean {
  const { startRows } = resource;
  if (startRows.is !== "stated" || startRows.value.is === "block") return false;
  if (type.type.kind === "secret" || type.type.kind === "list") return false;
  const names = isKey(plan, resource.name, name) && isNamed(plan, resource.name);
  return !isMade(plan, resource) && !names;
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

/** Why no request can meet the gap; undefined: one can. */
export function unreachableWhy(plan: Plan, clause: Clause): string | undefined {
  const refused = elseWhy(plan, clause) ?? viewWhy(plan, clause);
  if (refused !== undefined) return refused;
  const why = clause.kind === "cell" ? cellWhy(plan, clause) : undefined;
  const known = why ?? behaviourWhy(plan, clause);
  if (known !== undefined || clause.kind === "cell") return known;
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
