/** Takes an endpoint and perhaps a status, gives the items whose lines determine the answer. */
import type { BaseType, Endpoint, ItemId, Service } from "../../model/index.ts";
import { type End, type Ways, waysOf } from "./ends.ts";

/** Items under one heading, in the order in which they act. */
export interface Chapter {
  readonly title: string;
  readonly items: readonly ItemId[];
}

function namesOf(type: BaseType): string[] {
  switch (type.kind) {
    case "list":
    case "map":
      return namesOf(type.of.type);
    case "structure":
      return [type.name];
    case "reference":
      return [type.view ?? type.resource];
    default:
      return [];
  }
}

/** The headings and rows of shapes, and of the shapes that they show; each once. */
function shapeItems(service: Service, names: readonly (string | undefined)[]): ItemId[] {
  const items: ItemId[] = [];
  const waiting = [...names];
  const done = new Set<string>();
  for (
    let name = waiting.shift();
    waiting.length > 0 || name !== undefined;
    name = waiting.shift()
  ) {
    if (name === undefined || done.has(name)) continue;
    done.add(name);
    const shape = service.shapes.find((each) => each.name === name);
    const fields =
      shape?.fields ??
      [...service.resources, ...service.partTypes].find((each) => each.name === name)?.fields;
    const owner =
      shape ?? [...service.resources, ...service.partTypes].find((each) => each.name === name);
    if (owner === undefined || fields === undefined) continue;
    items.push(
      owner.id,
      ...fields.filter((f) => !("read" in f) || f.read.is !== "no").map((field) => field.id),
    );
    if (shape?.viewOf !== undefined && shape.taken !== undefined) waiting.push(shape.viewOf);
    waiting.push(...fields.flatMap((field) => namesOf(field.type.type)));
  }
  return items;
}

function errorItems(service: Service, ends: readonly End[]): ItemId[] {
  const names = new Set(ends.flatMap((end) => end.error ?? []));
  return service.errors.filter((each) => names.has(each.name)).map((each) => each.id);
}

/** The lines of the endpoint itself that a request has met when it ends so. */
function metItems(endpoint: Endpoint, ways: Ways, ends: readonly End[]): ItemId[] {
  const { who, body, idempotency, inputs, bindings } = endpoint;
  const { reaches } = ways;
  return [
    endpoint.id,
    ...(reaches(ends, "caller") ? [who.is === "gap" ? who.gap : who.id] : []),
    ...(reaches(ends, "idempotency key") && idempotency !== undefined ? [idempotency.id] : []),
    ...(reaches(ends, "inputs")
      ? [body.is === "gap" ? body.gap : body.id, ...inputs.map((each) => each.id)]
      : []),
    ...(reaches(ends, "paths") ? bindings.map((each) => each.id) : []),
  ];
}

function requestItems(endpoint: Endpoint): ItemId[] {
  const { who, body } = endpoint;
  return [
    endpoint.id,
    who.is === "gap" ? who.gap : who.id,
    ...(body.is === "gap" ? [body.gap] : [body.id]),
    ...(endpoint.idempotency === undefined ? [] : [endpoint.idempotency.id]),
    ...endpoint.inputs.map((each) => each.id),
    ...endpoint.bindings.map((each) => each.id),
    ...endpoint.failures.map((each) => each.id),
  ];
}

/** All that determines what a request to the endpoint gets. */
export function wholeAnswer(service: Service, endpoint: Endpoint): Chapter[] {
  const { ends, steps } = waysOf(service, endpoint);
  const prologue = new Set(service.prologue.map((step) => step.id));
  const refusals = ends.filter((end) => !steps.includes(end.id)).map((end) => end.id);
  return [
    { title: "The endpoint", items: requestItems(endpoint) },
    { title: "First, at every endpoint", items: steps.filter((id) => prologue.has(id)) },
    { title: "Then", items: steps.filter((id) => !prologue.has(id)) },
    { title: "What refuses it besides", items: refusals },
    { title: "Errors", items: errorItems(service, ends) },
    {
      title: "What is sent",
      items: shapeItems(
        service,
        ends.map((end) => end.shape),
      ),
    },
  ].filter((chapter) => chapter.items.length > 0);
}

/** Statuses with which a request to the endpoint can end, in order, each once. */
export function statusesOf(service: Service, endpoint: Endpoint): number[] {
  const all = waysOf(service, endpoint).ends.flatMap((end) => end.status ?? []);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** What determines that a request gets this status, and what is done before; empty: none does. */
export function answerWith(service: Service, endpoint: Endpoint, status: number): Chapter[] {
  const ways = waysOf(service, endpoint);
  const ends = ways.ends.filter((end) => end.status === status);
  if (ends.length === 0) return [];
  const causes = ends.flatMap((end) => [...end.within, end.id]);
  const before = ways.onTheWay(ends).filter((id) => !causes.includes(id));
  return [
    {
      title: "The endpoint",
      items: metItems(endpoint, ways, ends).filter((id) => !causes.includes(id)),
    },
    { title: "On the way", items: before },
    { title: `Ends in ${status}`, items: causes },
    { title: "Errors", items: errorItems(service, ends) },
    {
      title: "What is sent",
      items: shapeItems(
        service,
        ends.map((end) => end.shape),
      ),
    },
  ].filter((chapter) => chapter.items.length > 0);
}
