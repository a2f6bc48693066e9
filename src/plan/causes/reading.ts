/** What reading the inputs of a request consults, and what refuses it there. */
import { never } from "../../base/index.ts";
import { isScalar } from "../type-kinds.ts";
import type { Endpoint, Input, Resource, Rule, Service, ValueType } from "../types/index.ts";
import { partIn, referredIn } from "./kinds.ts";
import type { Refused, Stage } from "./stages.ts";
import { Uses } from "./uses.ts";

function rule(uses: Uses, one: Rule): void {
  uses.add(one.id);
  if (one.kind === "holds") {
    uses.expression(one.condition);
    uses.refusal(one.otherwise);
  }
  if (one.kind === "absent means") uses.expression(one.value);
}

/** What reading a value of the type consults: parts inside it, and rows that references name. */
function typeRead(uses: Uses, service: Service, { type }: ValueType): void {
  if (isScalar(type)) {
    uses.type({ type, ...PLAIN });
    return;
  }
  switch (type.kind) {
    case "list":
    case "map":
      typeRead(uses, service, type.of);
      return;
    case "structure": {
      const part = service.partTypes.find((one) => one.name === type.name);
      if (part === undefined || uses.items.has(part.id)) return;
      uses.add(part.id);
      fieldsRead(uses, service, { fields: part.fields, column: "create" });
      return;
    }
    case "reference":
      uses.type({ type: { kind: "reference", resource: type.resource }, ...PLAIN });
      return;
    default:
      never(type);
  }
}

const PLAIN = { orNull: false, orAbsent: false } as const;

interface Reading {
  readonly fields: Resource["fields"];
  readonly column: "create" | "update";
}

function fieldsRead(uses: Uses, service: Service, { fields, column }: Reading): void {
  for (const field of fields) {
    uses.add(field.id);
    const given = field[column];
    if (given.is === "no") continue;
    if (given.is === "required when") uses.expression(given.condition);
    typeRead(uses, service, field.type);
    for (const one of field.rules) rule(uses, one);
  }
}

function inputRead(uses: Uses, service: Service, input: Input): void {
  uses.add(input.id);
  uses.add(...Object.values(input.gaps ?? {}));
  typeRead(uses, service, input.type);
  for (const one of input.rules) rule(uses, one);
}

function ruleRefusals(rules: readonly Rule[]): Refused[] {
  return rules.flatMap((one) =>
    one.kind === "holds" ? [{ id: one.id, refusal: one.otherwise }] : [],
  );
}

/** Every input beside the body. */
export function besideStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const beside = endpoint.inputs.filter((one) => one.in !== "body");
  for (const input of beside) inputRead(uses, service, input);
  return { uses, ends: beside.flatMap((one) => ruleRefusals(one.rules)) };
}

/** Whether there is a body, and of which media type. */
export function outerStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const stated = uses.answer(endpoint.body);
  const members = endpoint.inputs.filter((one) => one.in === "body");
  const hasBody = stated !== undefined || members.length > 0;
  // Where the only rows of a body stand elsewhere, there is none.
  uses.add(...members.map(({ id }) => id));
  if (endpoint.formatGap !== undefined) uses.add(endpoint.formatGap);
  if (hasBody) {
    if (endpoint.format === undefined) uses.answer(service.about.bodyFormat);
    else uses.add(`${endpoint.id}/body format`);
  }
  return { uses, ends: [] };
}

/** What a body holds. */
export function bodyStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const ends: Refused[] = [];
  const { body } = endpoint;
  const stated = body.is === "stated" ? body.value : undefined;
  for (const input of endpoint.inputs.filter((one) => one.in === "body")) {
    inputRead(uses, service, input);
    ends.push(...ruleRefusals(input.rules));
  }
  if (stated !== undefined) {
    for (const one of stated.rules) rule(uses, one);
    const { content } = stated;
    if (content.is === "type") typeRead(uses, service, content.type);
    else {
      const { resource } = content;
      const owner = [...service.resources, ...service.partTypes].find(
        (one) => one.name === resource,
      );
      const fields = owner?.fields ?? [];
      if (owner !== undefined) uses.add(owner.id);
      fieldsRead(uses, service, { fields, column: content.is === "new" ? "create" : "update" });
      ends.push(...fields.flatMap((field) => ruleRefusals(field.rules)));
    }
  }
  return { uses, ends };
}

/** Resources of which values of some types name rows, in parts inside them too. */
function namedIn(service: Service, types: readonly ValueType[]): ReadonlySet<string> {
  const found = new Set<string>();
  const parts = new Set<string>();
  const follow = ({ type }: ValueType): void => {
    for (const one of referredIn({ type, ...PLAIN })) found.add(one);
    const name = partIn(type);
    if (name === undefined || parts.has(name)) return;
    parts.add(name);
    const part = service.partTypes.find((one) => one.name === name);
    for (const field of part?.fields ?? []) follow(field.type);
  };
  for (const one of types) follow(one);
  return found;
}

/** Resources of which inputs name rows, besides the fields of a resource that a body carries. */
export function namedBy(service: Service, { inputs, body }: Endpoint): ReadonlySet<string> {
  const content = body.is === "stated" ? body.value.content : undefined;
  const types = inputs.map((one) => one.type);
  return namedIn(service, content?.is === "type" ? [...types, content.type] : types);
}

/** The rows that the inputs name. */
export function namesStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  for (const one of namedBy(service, endpoint)) uses.finds(one);
  const body = endpoint.body.is === "stated" ? endpoint.body.value.content : undefined;
  if (body === undefined || body.is === "type") return { uses, ends: [] };
  const owner = service.resources.find((one) => one.name === body.resource);
  const column = body.is === "new" ? "create" : "update";
  const given = (owner?.fields ?? []).filter((one) => one[column].is !== "no");
  for (const one of namedIn(
    service,
    given.map(({ type }) => type),
  ))
    uses.finds(one);
  const ends = (owner?.invariants ?? []).flatMap((one): Refused[] => {
    if (one.kind !== "missing") return [];
    const field = owner?.fields.find(({ name }) => name === one.field);
    const [lacks] = field === undefined ? [] : referredIn(field.type);
    return [{ id: one.id, refusal: one.otherwise, ...(lacks === undefined ? {} : { lacks }) }];
  });
  return { uses, ends };
}
