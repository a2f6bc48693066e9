/** Tells which assumed items determine the answers of an endpoint, from the plan alone. */
import type { Endpoint, ItemId, Plan } from "./types/index.ts";

type Tree = Readonly<Record<string, unknown>>;

/** Members by which a node of a plan names something that stands elsewhere in it. */
const NAMES: Readonly<Record<string, Exclude<keyof Tables, "issuer">>> = {
  resource: "resources",
  shape: "shapes",
  view: "shapes",
  routine: "routines",
  call: "calls",
  event: "events",
};

interface Tables {
  /** The scheme whose tokens are issued, as one entry. */
  readonly issuer: unknown;
  readonly resources: ReadonlyMap<string, readonly unknown[]>;
  readonly shapes: ReadonlyMap<string, readonly unknown[]>;
  readonly routines: ReadonlyMap<string, readonly unknown[]>;
  readonly calls: ReadonlyMap<string, readonly unknown[]>;
  readonly events: ReadonlyMap<string, readonly unknown[]>;
  readonly settings: ReadonlyMap<string, readonly unknown[]>;
}

function byName(
  ...lists: readonly (readonly { readonly name: string }[])[]
): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const one of lists.flat()) found.set(one.name, [...(found.get(one.name) ?? []), one]);
  return found;
}

function tablesOf(plan: Plan): Tables {
  const machines = plan.machines.map((one) => ({ ...one, name: one.resource }));
  return {
    issuer: plan.schemes.find(
      ({ credential }) =>
        credential.is === "gap" || (credential.is === "stated" && credential.value.is === "jwt"),
    ),
    resources: byName(plan.resources, machines),
    shapes: byName(plan.shapes, plan.partTypes),
    routines: byName(plan.routines),
    calls: byName(plan.calls),
    events: byName(plan.events),
    settings: byName(plan.about.settings),
  };
}

interface Walk {
  readonly tables: Tables;
  readonly assumed: ReadonlySet<ItemId>;
  readonly found: Set<ItemId>;
  readonly seen: Set<unknown>;
  /** The error whose refusals count; undefined: the answers of Respond steps. */
  readonly error: string | undefined;
}

function visitNamed(walk: Walk, table: Exclude<keyof Tables, "issuer">, name: unknown): void {
  if (typeof name !== "string") return;
  for (const one of walk.tables[table].get(name) ?? []) visit(walk, one);
}

/** A field refers to rows without showing them: only what shows or reads them leads there. */
function isFieldType(node: Tree): boolean {
  return node.kind === "reference" && node.view === undefined;
}

function visit(walk: Walk, value: unknown): void {
  if (typeof value !== "object" || value === null || walk.seen.has(value)) return;
  walk.seen.add(value);
  if (Array.isArray(value)) {
    for (const one of value) visit(walk, one);
    return;
  }
  const node = value as Tree;
  if (node.is === "error" && node.error !== walk.error) return;
  if (typeof node.id === "string" && walk.assumed.has(node.id)) walk.found.add(node.id);
  if (isFieldType(node)) return;
  for (const [key, table] of Object.entries(NAMES)) visitNamed(walk, table, node[key]);
  if (node.kind === "structure") visitNamed(walk, "shapes", node.name);
  if (node.op === "call" && node.fn === "token") visit(walk, walk.tables.issuer);
  const of = node.of as Tree | undefined;
  if (node.op === "get" && of?.op === "name" && of.name === "setting") {
    visitNamed(walk, "settings", node.member);
  }
  for (const member of Object.values(node)) visit(walk, member);
}

/** Whether requests to an endpoint carry credentials that are read. */
function readsCredentials(plan: Plan, endpoint: Endpoint): boolean {
  const { who } = endpoint;
  if (who.is !== "stated") return who.is !== "none";
  const always = new Set(
    plan.actors.filter((actor) => actor.holds.is === "always").map((actor) => actor.name),
  );
  return who.value.some((actor) => !always.has(actor));
}

/** Conditions of requests that belong to no endpoint. */
const NOWHERE = new Set(["unknown path", "unknown method"]);

function visitError(walk: Walk, plan: Plan, endpoint: Endpoint | undefined, error: string): void {
  const definition = plan.errors.find((one) => one.name === error);
  visit(walk, definition);
  if (definition?.body.is === "stated") visitNamed(walk, "shapes", definition.body.value);
  const rows = [...(endpoint?.failures ?? []), ...plan.failures].filter(
    ({ answer, condition }) =>
      answer.is === "error" &&
      answer.error === error &&
      NOWHERE.has(condition) === (endpoint === undefined),
  );
  for (const row of rows) {
    if (walk.assumed.has(row.id)) walk.found.add(row.id);
    visit(walk, row.columns);
  }
  if (rows.length > 0) visit(walk, plan.failuresReported);
  for (const limit of plan.limits) {
    if (
      limit.whenPassed.is === "stated" &&
      limit.whenPassed.value.is === "error" &&
      limit.whenPassed.value.error === error
    )
      visit(walk, limit);
  }
}

/**
 * The assumed items that determine the answers of an endpoint (by its place in `plan.endpoints`;
 * undefined: requests that belong to none), sorted. Without `error` those of its Respond steps: its
 * inputs and steps, the checks before them, and the resources, shapes, steps, calls and credentials
 * that it uses. With `error` also what makes that error and its body. Empty where nothing is
 * assumed. To be asked once when a plan is compiled: it walks the plan.
 */
export function assumedBy(plan: Plan, endpointIndex?: number, error?: string): ItemId[] {
  const assumed = new Set(plan.assumed ?? []);
  if (assumed.size === 0) return [];
  const tables = tablesOf(plan);
  const walk: Walk = { tables, assumed, found: new Set(), seen: new Set(), error };
  const { basePath, bodyFormat, isolation, precision, crossOrigin } = plan.about;
  visit(walk, { basePath, bodyFormat, isolation, precision, crossOrigin });
  const endpoint = endpointIndex === undefined ? undefined : plan.endpoints[endpointIndex];
  if (endpoint !== undefined) {
    const { failures: _, ...rest } = endpoint;
    visit(walk, rest);
    visit(walk, plan.prologue);
    if (readsCredentials(plan, endpoint)) {
      visit(walk, plan.schemes);
      visit(walk, plan.actors);
    }
  }
  if (error !== undefined) visitError(walk, plan, endpoint, error);
  return [...walk.found].sort();
}
