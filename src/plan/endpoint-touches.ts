/** What a request to an endpoint, or code outside, may do to rows, whatever steps come to. */
import { References } from "./references.ts";
import type { NamedRow } from "./step-rows.ts";
import { Effects, type Touch } from "./touches.ts";
import type { Binding, Endpoint, Plan } from "./types/index.ts";

/** The row that a name of the path stands for. */
function boundRow({ as, resource }: Binding): readonly [string, NamedRow] {
  return [as, { resource, isOwn: false }];
}

/** What may be done, by resource; undefined: none of the document, so that it is anything. */
export function touchesOf(plan: Plan, endpoint: Endpoint | undefined): ReadonlyMap<string, Touch> {
  const effects = new Effects(plan, new References(plan.partTypes));
  if (endpoint === undefined) effects.anything();
  else effects.steps(endpoint.steps, new Map(endpoint.bindings.map(boundRow)));
  return effects.others;
}

/** What may be done at any time by what code outside says, by resource. */
export function callTouchesOf(plan: Plan): ReadonlyMap<string, Touch> {
  const effects = new Effects(plan, new References(plan.partTypes));
  for (const machine of plan.machines) {
    const row = { resource: machine.resource, isOwn: false };
    for (const one of machine.transitions) {
      if (one.on.is === "call") effects.taken(machine, one, row);
    }
  }
  return effects.others;
}
