/** Finds the resolver of a step that is one sentence. */
import type { StepNode } from "../../../spec/index.ts";
import { origin, type Resolver } from "../names/resolver.ts";
import { call, check, checkTag, doRoutine, refuse, require_, respond } from "./answering.ts";
import type { At } from "./at.ts";
import { letDifferent, letEvery, letOne, letValue, order, page } from "./finding.ts";
import type { Flow, Stepped } from "./flow.ts";
import { create, emit, fire, remove, setField, setFrom } from "./writing.ts";

const handlers: Readonly<Record<string, (at: At) => Stepped>> = {
  check,
  "check tag": checkTag,
  require: require_,
  "may fire": fire,
  "let one": letOne,
  "let one or null": letOne,
  "let every where": letEvery,
  "let every": letEvery,
  "let different": letDifferent,
  "page after": page,
  "page before": page,
  page,
  let: letValue,
  order,
  create,
  "set from": setFrom,
  "set all": setFrom,
  set: setField,
  "delete every": remove,
  delete: remove,
  fire,
  emit,
  call,
  do: doRoutine,
  "respond empty": respond,
  "respond list": respond,
  "respond shape": respond,
  "respond with": respond,
  "respond value": respond,
  "respond text": respond,
  refuse,
};

/** Resolves a step that is one sentence. Throws for a form that the table lacks (a bug). */
export function simpleStep(r: Resolver, flow: Flow, node: StepNode): Stepped {
  const handler = handlers[node.match.form];
  if (handler === undefined) throw new Error(`no step ${node.match.form}`);
  return handler({ r, flow, match: node.match, id: origin(r, node.id, node) });
}
