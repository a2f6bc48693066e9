/** Tells whether a request has opened a stream, and with what it begins. */
import type { Plan } from "../../plan/index.ts";
import type { Inputs, Outcome, Program } from "../../run/index.ts";
import type { Reply } from "../jobs/job.ts";
import { replyOf } from "../jobs/reply.ts";

interface Parts {
  readonly plan: Plan;
  readonly program: Program;
}

/** The reply that opens a stream; undefined: it was refused, or nothing was to be opened. */
export function openedBy(
  { plan, program }: Parts,
  endpoint: number,
  sent: { readonly headers: ReadonlyMap<string, string>; readonly path: Inputs["path"] },
  outcome: Outcome,
): Reply | undefined {
  if (plan.streams.length === 0 || !outcome.commit) return undefined;
  const id = program.endpoints[endpoint]?.id;
  const stream = plan.streams.find((one) => one.id === id)?.name;
  if (stream === undefined) return undefined;
  const lastEventId = sent.headers.get("last-event-id");
  const path = [...sent.path].map(([name, value]) => [name, String(value)] as const);
  const opening = { stream, path, caller: outcome.caller, lastEventId };
  return { ...replyOf(outcome), opening };
}
