/** What answering cost at a store that is asked over a connection: its round trips. */
import type { Engine } from "../engine/engine.ts";
import type { Job, Reply } from "../jobs/job.ts";

/** Characters of a statement that are shown. */
const SHOWN_MOST = 120;

function shown(sql: string): string {
  const line = sql.replace(/\s+/g, " ");
  return line.length > SHOWN_MOST ? `${line.slice(0, SHOWN_MOST)} ...` : line;
}

/** The endpoint of a job and where it stands. */
function endpointOf({ parts }: Engine, { endpoint, older }: Job): string {
  const id = parts.program.endpoints[endpoint]?.id ?? "";
  const place = older === undefined ? parts.placeOf(id) : "";
  return place === "" ? id : `${id} (${place})`;
}

/**
 * The first reply of the transaction that has ended, with its round trips where they are asked
 * for. `job`: the first that it did; `count`: of so many.
 */
export function explained(engine: Engine, job: Job, reply: Reply, count: number): Reply {
  const trips = engine.parts.storage.shared?.trips();
  if (trips === undefined || trips.length === 0) return reply;
  const others = count === 1 ? "" : ` and ${count - 1} more`;
  const said = `${trips.length} round ${trips.length === 1 ? "trip" : "trips"}`;
  const lines = trips.map((trip, i) => `\n  ${i + 1}. ${trip.map(shown).join("; ")}`);
  const text = `${endpointOf(engine, job)}${others}: ${said}${lines.join("")}`;
  return { ...reply, notes: [...(reply.notes ?? []), { what: "explained", text }] };
}

/** The same of all replies; undefined: the job was not done. */
export function allExplained<R extends Reply | undefined>(
  engine: Engine,
  jobs: readonly Job[],
  replies: readonly R[],
): readonly (R | Reply)[] {
  const at = replies.findIndex((one) => one !== undefined);
  const [job, reply] = [jobs[at], replies[at]];
  if (job === undefined || reply === undefined) return replies;
  const count = replies.filter((one) => one !== undefined).length;
  return (replies as readonly (R | Reply)[]).with(at, explained(engine, job, reply, count));
}
