/** Whether the version tag of a row stands for the whole of an answer that shows the row. */
import { type Code, partsOf } from "../expr/index.ts";
import { heldStructure, References } from "./references.ts";
import { everyStep } from "./step-kinds.ts";
import type {
  Endpoint,
  Field,
  ItemId,
  Resource,
  Rule,
  Service,
  Shape,
  Step,
  ValueType,
} from "./types/index.ts";

/** Gaps behind which something may be that speaks against it; what they hide is left out. */
type Doubts = ItemId[];

function doubtSteps(steps: readonly Step[], doubts: Doubts): void {
  for (const step of everyStep(steps)) if (step.kind === "gap") doubts.push(step.gap);
}

function doubtRules(rules: readonly Rule[], doubts: Doubts): void {
  for (const rule of rules) if (rule.kind === "gap") doubts.push(rule.gap);
}

interface Asked {
  readonly field: Field;
  readonly doubts: Doubts;
}

/** Whether steps may set the field of a row, or delete one; `other`: a name of another's row. */
function touches(
  steps: readonly Step[],
  { name }: Resource,
  { field, doubts }: Asked,
  other: (name: string) => boolean,
): boolean {
  doubtSteps(steps, doubts);
  return everyStep(steps).some((step) => {
    if (step.kind === "delete every") return step.resource === name;
    if (step.kind === "set") return step.field === field.name && !other(step.target);
    return step.kind === "delete" && !other(step.target);
  });
}

/** Whether any step of the service may: of names, only those of Path bullets are followed. */
function isTouched(service: Service, resource: Resource, asked: Asked): boolean {
  const inEndpoint = service.endpoints.some(({ steps, bindings }) =>
    touches(steps, resource, asked, (name) =>
      bindings.some((one) => one.as === name && one.resource !== resource.name),
    ),
  );
  const others = [
    service.prologue,
    ...service.routines.map(({ steps }) => steps),
    ...service.machines.flatMap(({ transitions }) => transitions.map(({ then }) => then)),
  ];
  const elsewhere = others.some((steps) => touches(steps, resource, asked, () => false));
  return inEndpoint || elsewhere || service.webhooks.length > 0;
}

/** A value of the field names one row for ever: nothing sets it, and no other row gets it. */
function isLasting(service: Service, resource: Resource, asked: Asked): boolean {
  const { field, doubts } = asked;
  const { type, create, update, rules } = field;
  if (update.is === "gap") doubts.push(update.gap);
  else if (update.is !== "no" || rules.some((rule) => rule.kind === "set")) return false;
  doubtRules(rules, doubts);
  if (create.is === "gap") doubts.push(create.gap);
  const isMade = create.is === "no" || create.is === "gap";
  const counts = rules.some(
    (rule) => rule.kind === "counts up" && rule.within.length === 0 && !rule.onEveryChange,
  );
  if (isMade && (type.type.kind === "id" || counts)) return true;
  for (const one of resource.fields) doubtRules(one.rules, doubts);
  const goes = resource.fields.some((one) =>
    one.rules.some((rule) => rule.kind === "when gone" && rule.action === "deleted with it"),
  );
  const ends = resource.invariants.some(({ kind }) => kind === "kept for");
  for (const one of resource.invariants) {
    if (one.kind === "gap" && (one.of === "kept" || one.of === "deleted")) doubts.push(one.gap);
  }
  return field.name === resource.key && !goes && !ends && !isTouched(service, resource, asked);
}

/** Whether what is shown depends on who asks. */
function isForSome(read: Field["read"], doubts: Doubts): boolean {
  if (read.is === "gap") doubts.push(read.gap);
  return read.is === "actors";
}

/** Whether the code reads the row `it` and nothing else. */
function isOwn(code: Code, doubts: Doubts): boolean {
  if (code.op === "gap") doubts.push(code.gap);
  if (code.op === "name") return code.name === "it" || code.type.kind !== "row";
  if (code.op === "rows") return false;
  if (code.op === "call" && code.fn === "token") return false;
  const readsRow = (code.op === "get" || code.op === "has") && code.of.type.kind === "row";
  if (readsRow) return code.of.op === "name" && code.of.name === "it";
  return partsOf(code).every((part) => isOwn(part, doubts));
}

/** Names that an expression of a view may use and that are no part of the row. */
function outside(code: Code, bound: ReadonlySet<string>): boolean {
  if (code.op === "name") return !bound.has(code.name);
  const inner = code.op === "each" ? new Set([...bound, code.as]) : bound;
  return partsOf(code).some((part) => outside(part, inner));
}

/** What is known of a service for the question. */
class Answers {
  readonly #service: Service;
  readonly #references: References;
  readonly #doubts: Doubts;

  constructor(service: Service, doubts: Doubts) {
    this.#service = service;
    this.#doubts = doubts;
    this.#references = new References(service.partTypes);
  }

  #resource(name: string): Resource | undefined {
    return this.#service.resources.find((one) => one.name === name);
  }

  /** Values of the type are sent as the row has them: rows that they name keep their names. */
  #isLastingType(type: ValueType): boolean {
    return [...this.#references.named(type)].every((name) => {
      const resource = this.#resource(name);
      const key = resource?.fields.find((field) => field.name === resource.key);
      if (resource === undefined || key === undefined) return false;
      return isLasting(this.#service, resource, { field: key, doubts: this.#doubts });
    });
  }

  /** A field of the resource that is shown to everybody as it is stored, if at all. */
  #isOwnField({ type, read }: Field): boolean {
    return (
      !isForSome(read, this.#doubts) && !this.#partsAreForSome(type) && this.#isLastingType(type)
    );
  }

  #partsAreForSome({ type }: ValueType): boolean {
    if (heldStructure(type) === undefined) return false;
    return this.#service.partTypes.some(({ fields }) =>
      fields.some(({ read }) => isForSome(read, this.#doubts)),
    );
  }

  /** Values of the type in a shape show nothing but themselves: there a row is shown whole. */
  #isShownAlone({ type, ...rest }: ValueType): boolean {
    if (type.kind === "list" || type.kind === "map") return this.#isShownAlone(type.of);
    if (type.kind === "reference") return false;
    if (type.kind !== "structure") return true;
    const isPart = this.#service.partTypes.some(({ name }) => name === type.name);
    const whole = { type, ...rest };
    return isPart && !this.#partsAreForSome(whole) && this.#isLastingType(whole);
  }

  /** What of a shape is more than its row; undefined: nothing. */
  more(resource: Resource, shape: Shape | undefined): string | undefined {
    const taken = shape?.taken;
    const fields = resource.fields.filter(({ name, read }) =>
      shape === undefined
        ? read.is !== "no"
        : taken !== undefined && taken.fields.includes(name) !== taken.allBut,
    );
    const field = fields.find((one) => !this.#isOwnField(one));
    if (field !== undefined) return field.name;
    const shown = shape?.fields.find(({ type, value }) => {
      if (value.is !== "stated") return true;
      const { code } = value.value;
      return (
        !isOwn(code, this.#doubts) || outside(code, new Set(["it"])) || !this.#isShownAlone(type)
      );
    });
    return shown?.name;
  }
}

function respondsOf(steps: readonly Step[]): readonly Extract<Step, { kind: "respond" }>[] {
  return everyStep(steps).flatMap((step) => (step.kind === "respond" ? [step] : []));
}

/**
 * Why `If-None-Match` is not compared where an endpoint shows a row with a version tag, in words;
 * undefined: it is compared, since the tag changes whenever the answer does. A gap: what speaks
 * against it may be behind that, and nothing else does.
 */
export function whyNotCompared(
  service: Service,
  endpoint: Endpoint,
): string | { readonly gap: ItemId } | undefined {
  const doubts: Doubts = [];
  const why = reasonOf(service, endpoint, doubts);
  const [gap] = doubts;
  return why ?? (gap === undefined ? undefined : { gap });
}

function reasonOf(service: Service, endpoint: Endpoint, doubts: Doubts): string | undefined {
  doubtSteps(endpoint.steps, doubts);
  const responds = respondsOf(endpoint.steps).filter(({ body }) => body.is !== "none");
  const [step] = responds;
  if (step?.body.is !== "shape" || step.body.list) return "no row is shown";
  if (responds.length > 1) return "the endpoint has several answers with a body";
  const { shape: name, of } = step.body;
  const shape = service.shapes.find((one) => one.name === name);
  const resource = service.resources.find((one) => one.name === (shape?.viewOf ?? name));
  const tag = resource?.versionTag;
  if (resource === undefined || tag === undefined) return "no row with a version tag is shown";
  const field = resource.fields.find((one) => one.name === tag.field);
  const isHidden = field?.rules.some((rule) => rule.kind === "gap") === true;
  doubtRules(field?.rules ?? [], doubts);
  const counts = field?.rules.some((rule) => rule.kind === "counts up" && rule.onEveryChange);
  if (counts !== true && !isHidden) {
    return `\`${tag.field}\` does not count up on every change`;
  }
  const { code } = of;
  const binding = endpoint.bindings.find((one) => code.op === "name" && one.as === code.name);
  const by = resource.fields.find((one) => one.name === binding?.by);
  if (
    by === undefined ||
    binding?.anyCase ||
    !isLasting(service, resource, { field: by, doubts })
  ) {
    return "the path does not name the row by a value that is its own for ever";
  }
  const more = new Answers(service, doubts).more(resource, shape);
  return more === undefined ? undefined : `\`${more}\` in the answer can change without its row`;
}
