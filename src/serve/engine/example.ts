/** An example of the document in place of a gap, where the operator wants those. */
import { type Plan, statedOf } from "../../plan/index.ts";
import type { Job, Reply } from "../jobs/job.ts";

interface Parts {
  readonly plan: Plan;
  readonly examples?: boolean;
  readonly placeOf: (item: string) => string;
}

/** Headers that the answer to a gap has of its own. */
const OF_GAP = new Set(["Content-Type", "Lacuna-Gap"]);

/**
 * The first example of the lowest 2xx answer of the endpoint instead of a reply that met a gap; any
 * other reply is left as it is. The gap is noted all the same: nothing was done.
 */
export function withExample({ plan, examples, placeOf }: Parts, job: Job, reply: Reply): Reply {
  const isGap = examples === true && reply.notes?.some(({ what }) => what === "gap") === true;
  if (!isGap) return reply;
  const all = plan.endpoints[job.endpoint]?.answerExamples ?? [];
  const good = all.filter(({ status }) => status >= 200 && status < 300);
  const lowest = Math.min(...good.map(({ status }) => status));
  const example = good.find(({ status }) => status === lowest);
  if (example === undefined) return reply;
  const { bodyFormat } = plan.about;
  const media = example.media ?? statedOf(bodyFormat);
  // Of an example whose media type nobody has said, no answer can be made.
  if (media === undefined) return reply;
  const kept = reply.headers.filter((_, i) => !OF_GAP.has(reply.headers[i - (i % 2)] ?? ""));
  const headers = [...kept, "Content-Type", media, "Lacuna-Example", placeOf(example.id)];
  return { ...reply, status: example.status, headers, body: example.body };
}
