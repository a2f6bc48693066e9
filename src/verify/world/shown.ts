/** The rows that an answer shows, as far as its document says which member shows which field. */
import {
  type Endpoint,
  everyStep,
  isStated,
  type Plan,
  type Resource,
  type ResponseBody,
  type Shape,
  type ShapeField,
  type Step,
  sentName,
  sentPath,
  type ValueType,
} from "../../plan/index.ts";
import { isJsonObject, type Json } from "../../run/index.ts";

/** A row in an answer. */
export interface ShownRow {
  readonly resource: Resource;
  /** Fields with their values as they are shown; undefined: the member is not there. */
  readonly fields: ReadonlyMap<string, Json | undefined>;
  /** Reference fields, with the row that is shown in their place. */
  readonly named: ReadonlyMap<string, ShownRow>;
}

/** All rows that the body of an answer with this status shows, those inside of others first. */
export function rowsShown(
  plan: Plan,
  { steps }: Endpoint,
  { status, body }: { readonly status: number; readonly body: Json },
): readonly ShownRow[] {
  const looking = new Looking(plan);
  for (const response of responsesIn(plan, steps, new Set())) {
    if (response.status === status) looking.body(response.body, body);
  }
  return looking.found;
}

type Respond = Extract<Step, { kind: "respond" }>;

function responsesIn(plan: Plan, steps: readonly Step[], seen: Set<string>): readonly Respond[] {
  return [...everyStep(steps)].flatMap((step): readonly Respond[] => {
    if (step.kind === "respond") return [step];
    if (step.kind !== "do" || seen.has(step.routine)) return [];
    seen.add(step.routine);
    const routine = plan.routines.find(({ name }) => name === step.routine);
    return responsesIn(plan, routine?.steps ?? [], seen);
  });
}

function memberAt(json: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = json;
  for (const name of path)
    at = isJsonObject(at as Json) ? (at as Map<string, Json>).get(name) : undefined;
  return at;
}

/** The field that a member shows as it stands. */
function plainField({ value }: ShapeField): string | undefined {
  const code = isStated(value) ? value.value.code : undefined;
  if (code?.op !== "get" || code.of.op !== "name" || code.of.name !== "it") return undefined;
  return code.member;
}

class Looking {
  readonly found: ShownRow[] = [];
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  body(body: ResponseBody, json: Json): void {
    if (body.is === "shape with") this.#structure(body.shape, json);
    if (body.is !== "shape") return;
    if (!body.list) this.#structure(body.shape, json);
    else if (Array.isArray(json))
      for (const one of json as Json[]) this.#structure(body.shape, one);
  }

  #type({ type }: ValueType, json: Json | undefined): ShownRow | undefined {
    if (json === undefined || json === null) return undefined;
    if (type.kind === "structure") return this.#structure(type.name, json);
    if (type.kind === "reference") {
      if (type.view !== undefined) return this.#structure(type.view, json);
      const resource = this.#plan.resources.find(({ name }) => name === type.resource);
      if (resource?.key === undefined) return undefined;
      return this.#put({ resource, fields: new Map([[resource.key, json]]), named: new Map() });
    }
    if (type.kind === "list" && Array.isArray(json)) {
      for (const one of json as Json[]) this.#type(type.of, one);
    }
    return undefined;
  }

  #put(row: ShownRow): ShownRow {
    this.found.push(row);
    return row;
  }

  /** A resource, a view or a shape by its name. */
  #structure(name: string, json: Json): ShownRow | undefined {
    if (!isJsonObject(json)) return undefined;
    const shape = this.#plan.shapes.find((one) => one.name === name);
    const of = shape === undefined ? name : shape.viewOf;
    const resource = this.#plan.resources.find((one) => one.name === of);
    if (resource === undefined) {
      for (const one of shape?.fields ?? []) this.#type(one.type, memberAt(json, sentPath(one)));
      return undefined;
    }
    return this.#row(resource, shape, json);
  }

  #row(resource: Resource, shape: Shape | undefined, json: Json): ShownRow {
    const fields = new Map<string, Json | undefined>();
    const named = new Map<string, ShownRow>();
    const take = (field: string, type: ValueType, member: Json | undefined): void => {
      const row = this.#type(type, member);
      if (row !== undefined) named.set(field, row);
      else if (type.type.kind !== "reference" || member == null) fields.set(field, member);
    };
    for (const field of resource.fields) {
      const { taken } = shape ?? {};
      const isTaken =
        shape === undefined
          ? true
          : taken !== undefined && taken.fields.includes(field.name) !== taken.allBut;
      const isShown = field.read.is === "yes" || (taken?.allBut === false && isTaken);
      if (!isTaken || !isShown) continue;
      take(field.name, field.type, memberAt(json, [sentName(field)]));
    }
    for (const one of shape?.fields ?? []) {
      const field = resource.fields.find(({ name }) => name === plainField(one));
      const member = memberAt(json, sentPath(one));
      // A field is shown as its own type says, or as the member's where that shows a row.
      const isRow = one.type.type.kind === "structure" || one.type.type.kind === "reference";
      if (field === undefined) this.#type(one.type, member);
      else take(field.name, isRow ? one.type : field.type, member);
    }
    return this.#put({ resource, fields, named });
  }
}
