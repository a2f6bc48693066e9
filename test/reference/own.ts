/** Whether a tag tells of all that an answer shows: what a row shows of itself, and never another's. */
import type { Code } from "../../src/expr/index.ts";
import type { Endpoint, Field, Plan, Resource, Step, ValueType } from "../../src/plan/index.ts";

/** What is asked of a plan, and the gaps behind which something may be that speaks against it. */
interface Asked {
  readonly plan: Plan;
  readonly gaps: string[];
}

/** Notes a gap: what it hides does not speak against it, but may do so. */
function note(
  { gaps }: Asked,
  ...met: readonly ({ is?: string; kind?: string } | undefined)[]
): void {
  for (const one of met) {
    const isGap = one?.is === "gap" || one?.kind === "gap";
    if (isGap && "gap" in one && typeof one.gap === "string") gaps.push(one.gap);
  }
}

/** Whether a value of a field, once it names a row, names no other one later. */
function lasts(asked: Asked, resource: Resource | undefined, field: Field | undefined): boolean {
  const { plan } = asked;
  if (resource === undefined || field === undefined) return false;
  note(asked, field.update, ...field.rules, field.create);
  if (!["no", "gap"].includes(field.update.is)) return false;
  if (field.rules.some((rule) => rule.kind === "set")) return false;
  const made =
    field.type.type.kind === "id" ||
    field.rules.some(
      (rule) => rule.kind === "counts up" && !rule.onEveryChange && rule.within.length === 0,
    );
  if (made && ["no", "gap"].includes(field.create.is)) return true;
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
  const ends = resource.invariants.some((one) => one.kind === "kept for");
  note(asked, ...resource.fields.flatMap(({ rules }) => rules), ...stepsIn(all, "gap"));
  for (const one of resource.invariants) {
    if (one.kind === "gap" && ["kept", "deleted"].includes(one.of)) note(asked, one);
  }
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

const namesLast = (asked: Asked, type: ValueType): boolean =>
  named(asked.plan, type).every((name) => {
    const resource = asked.plan.resources.find((one) => one.name === name);
    const key = resource?.fields.find((one) => one.name === resource.key);
    return lasts(asked, resource, key);
  });

const holdsPart = ({ type }: ValueType): boolean =>
  type.kind === "structure" ||
  ((type.kind === "list" || type.kind === "map") && holdsPart(type.of));

function readsItAlone(asked: Asked, code: Code, bound: readonly string[]): boolean {
  if (code.op === "gap") asked.gaps.push(code.gap);
  if (code.op === "name") {
    return code.name === "it" || (bound.includes(code.name) && code.type.kind !== "row");
  }
  if (code.op === "rows") return false;
  if (code.op === "call" && code.fn === "token") return false;
  if (code.op === "get" || code.op === "has") {
    const ofRow = code.of.type.kind === "row";
    return ofRow
      ? code.of.op === "name" && code.of.name === "it"
      : readsItAlone(asked, code.of, bound);
  }
  const inner = code.op === "each" ? [...bound, code.as] : bound;
  const parts = Object.values(code).flat() as unknown[];
  const codes = parts.flatMap((one) => {
    if (typeof one !== "object" || one === null) return [];
    if ("op" in one) return [one as Code];
    return "key" in one && "value" in one ? [one.key as Code, one.value as Code] : [];
  });
  return codes.every((one) => readsItAlone(asked, one, inner));
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

/**
 * Whether who names the tag of an answer may be told that nothing has changed; `gap`: that is not
 * known, since something may speak against it there.
 */
export function tagTellsAll(plan: Plan, endpoint: Endpoint): boolean | { readonly gap: string } {
  const asked: Asked = { plan, gaps: [] };
  note(asked, ...stepsIn(endpoint.steps, "gap"));
  const tells = mayTellAll(asked, endpoint);
  const [gap] = asked.gaps;
  return tells && gap !== undefined ? { gap } : tells;
}

function mayTellAll(asked: Asked, endpoint: Endpoint): boolean {
  const { plan } = asked;
  const [step, more] = stepsIn(endpoint.steps, "respond").filter(({ body }) => body.is !== "none");
  if (step === undefined || more !== undefined) return false;
  if (step.status >= 300 || step.body.is !== "shape" || step.body.list) return false;
  const { shape: name, of } = step.body;
  const shape = plan.shapes.find((one) => one.name === name);
  const resource = plan.resources.find((one) => one.name === (shape?.viewOf ?? name));
  const fieldOf = (wanted: string | undefined) =>
    resource?.fields.find((one) => one.name === wanted);
  const tag = fieldOf(resource?.versionTag?.field);
  note(asked, ...(tag?.rules ?? []));
  const counts = tag?.rules.some(
    (rule) => rule.kind === "gap" || (rule.kind === "counts up" && rule.onEveryChange),
  );
  const { by, anyCase } =
    endpoint.bindings.find((one) => of.code.op === "name" && of.code.name === one.as) ?? {};
  if (anyCase) return false;
  if (resource === undefined || counts !== true || !lasts(asked, resource, fieldOf(by)))
    return false;
  const isOpen = ({ read }: Field): boolean => {
    note(asked, read);
    return read.is !== "actors";
  };
  const partsOpen = (): boolean => plan.partTypes.every((part) => part.fields.every(isOpen));
  const taken = resource.fields.filter((field) => {
    if (shape === undefined) return field.read.is !== "no";
    const { fields = [], allBut = false } = shape.taken ?? {};
    return shape.taken !== undefined && fields.includes(field.name) !== allBut;
  });
  const own = (field: Field): boolean =>
    isOpen(field) && (!holdsPart(field.type) || partsOpen()) && namesLast(asked, field.type);
  const shown = shape?.fields ?? [];
  return (
    taken.every(own) &&
    shown.every(
      ({ type, value }) =>
        value.is === "stated" &&
        readsItAlone(asked, value.value.code, []) &&
        namesLast(asked, type),
    )
  );
}
