/** Tells whether a request has opened a stream, and with what it begins. */
import type { Plan } from "../../plan/index.ts";
import type { Inputs, Outcome, Program, Session } from "../../run/index.ts";
import type { Job, Opening, Reply } from "../jobs/job.ts";
import { replyOf } from "../jobs/reply.ts";

interface Parts {
  readonly plan: Plan;
  readonly credentials: { readonly headers: readonly string[] };
  readonly program: Program;
  readonly storage: { readonly session: Session };
  readonly streams: { isOver(opening: Opening, session: Session): boolean };
}

/** The reply that opens a stream; undefined: it was refused, or nothing was to be opened. */
export function openedBy(
  { plan, program, credentials, storage, streams }: Parts,
  job: Job,
  sent: { readonly headers: ReadonlyMap<string, string>; readonly path: Inputs["path"] },
  outcome: Outcome,
): Reply | undefined {
  if (plan.streams.length === 0 || !outcome.commit) return undefined;
  const id = program.endpoints[job.endpoint]?.id;
  const stream = plan.streams.find((one) => one.id === id)?.name;
  if (stream === undefined) return undefined;
  const lastEventId = sent.headers.get("last-event-id");
  const path = [...sent.path].map(([name, value]) => [name, String(value)] as const);
  const headers = credentials.headers.flatMap((name) => {
    const value = sent.headers.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { query, address, hashed = [] } = job;
  const shown = { headers, query, address, hashed };
  const opening = { stream, path, caller: outcome.caller, shown, lastEventId };
  const reply = replyOf(outcome);
  // Nothing more will come: a client that is told so asks no more.
  if (streams.isOver(opening, storage.session)) return { ...reply, status: 204 };
  return { ...reply, opening };
}
