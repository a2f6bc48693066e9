/** Whether the version tag of a row stands for the whole of an answer that shows the row. */
import { type Code, partsOf } from "../expr/index.ts";
import { heldStructure, References } from "./references.ts";
import { everyStep } from "./step-kinds.ts";
import type { Endpoint, Field, Resource, Service, Shape, Step, ValueType } from "./types/index.ts";

/** Whether steps may set the field of a row, or delete one; `other`: a name of another's row. */
function touches(
  steps: readonly Step[],
  { name }: Resource,
  field: Field,
  other: (name: string) => boolean,
): boolean {
  return everyStep(steps).some((step) => {
    if (step.kind === "delete every") return step.resource === name;
    if (step.kind === "set") return step.field === field.name && !other(step.target);
    return step.kind === "delete" && !other(step.target);
  });
}

/** Whether any step of the service may: of names, only those of Path bullets are followed. */
function isTouched(service: Service, resource: Resource, field: Field): boolean {
  const inEndpoint = service.endpoints.some(({ steps, bindings }) =>
    touches(steps, resource, field, (name) =>
      bindings.some((one) => one.as === name && one.resource !== resource.name),
    ),
  );
  const others = [
    service.prologue,
    ...service.routines.map(({ steps }) => steps),
    ...service.machines.flatMap(({ transitions }) => transitions.map(({ then }) => then)),
  ];
  const elsewhere = others.some((steps) => touches(steps, resource, field, () => false));
  return inEndpoint || elsewhere || service.webhooks.length > 0;
}

/** A value of the field names one row for ever: nothing sets it, and no other row gets it. */
function isLasting(service: Service, resource: Resource, field: Field): boolean {
  const { type, create, update, rules } = field;
  if (update.is !== "no" || rules.some((rule) => rule.kind === "set")) return false;
  const counts = rules.some(
    (rule) => rule.kind === "counts up" && rule.within.length === 0 && !rule.onEveryChange,
  );
  if (create.is === "no" && (type.type.kind === "id" || counts)) return true;
  const goes = resource.fields.some((one) =>
    one.rules.some((rule) => rule.kind === "when gone" && rule.action === "deleted with it"),
  );
  const ends = resource.invariants.some(({ kind }) => kind === "kept for" || kind === "gap");
  return field.name === resource.key && !goes && !ends && !isTouched(service, resource, field);
}

/** What is shown depends on who asks, or is not known. */
const isForSome = ({ is }: Field["read"]): boolean => is === "actors" || is === "gap";

/** Whether the code reads the row `it` and nothing else. */
function isOwn(code: Code): boolean {
  if (code.op === "name") return code.name === "it" || code.type.kind !== "row";
  if (code.op === "rows" || code.op === "gap") return false;
  if (code.op === "call" && code.fn === "token") return false;
  const readsRow = (code.op === "get" || code.op === "has") && code.of.type.kind === "row";
  if (readsRow) return code.of.op === "name" && code.of.name === "it";
  return partsOf(code).every(isOwn);
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

  constructor(service: Service) {
    this.#service = service;
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
      return resource !== undefined && key !== undefined && isLasting(this.#service, resource, key);
    });
  }

  /** A field of the resource that is shown to everybody as it is stored, if at all. */
  #isOwnField({ type, read }: Field): boolean {
    return !isForSome(read) && !this.#partsAreForSome(type) && this.#isLastingType(type);
  }

  #partsAreForSome({ type }: ValueType): boolean {
    if (heldStructure(type) === undefined) return false;
    return this.#service.partTypes.some(({ fields }) => fields.some(({ read }) => isForSome(read)));
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
      return !isOwn(code) || outside(code, new Set(["it"])) || !this.#isLastingType(type);
    });
    return shown?.name;
  }
}

function respondsOf(steps: readonly Step[]): readonly Extract<Step, { kind: "respond" }>[] {
  return everyStep(steps).flatMap((step) => (step.kind === "respond" ? [step] : []));
}

/**
 * Why `If-None-Match` is not compared where an endpoint shows a row with a version tag, in words;
 * undefined: it is compared, since the tag changes whenever the answer does.
 */
export function whyNotCompared(service: Service, endpoint: Endpoint): string | undefined {
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
  if (field?.rules.some((rule) => rule.kind === "counts up" && rule.onEveryChange) !== true) {
    return `\`${tag.field}\` does not count up on every change`;
  }
  const { code } = of;
  const binding = endpoint.bindings.find((one) => code.op === "name" && one.as === code.name);
  const by = resource.fields.find((one) => one.name === binding?.by);
  if (by === undefined || !isLasting(service, resource, by)) {
    return "the path does not name the row by a value that is its own for ever";
  }
  const more = new Answers(service).more(resource, shape);
  return more === undefined ? undefined : `\`${more}\` in the answer can change without its row`;
}
