/** Tells whether a request has opened a stream, and with what it begins. */
import type { Plan } from "../../plan/index.ts";
import type { Outcome, Program } from "../../run/index.ts";
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
  headers: ReadonlyMap<string, string>,
  outcome: Outcome,
): Reply | undefined {
  if (plan.streams.length === 0 || !outcome.commit) return undefined;
  const id = program.endpoints[endpoint]?.id;
  const stream = plan.streams.find((one) => one.id === id)?.name;
  if (stream === undefined) return undefined;
  const lastEventId = headers.get("last-event-id");
  return { ...replyOf(outcome), opening: { stream, caller: outcome.caller, lastEventId } };
}
