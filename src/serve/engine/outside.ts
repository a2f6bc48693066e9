/** Answers outside the steps of endpoints: failures of the closed list, and the host's own. */
import type { AnsweredBy, FailureCondition, ItemId } from "../../plan/index.ts";
import type { Reply } from "../jobs/job.ts";
import { gapNamed } from "../jobs/problem.ts";
import { replyOf } from "../jobs/reply.ts";
import { answerOf } from "./assumption-headers.ts";
import type { EndFields } from "./end-fields.ts";
import type { FailureAbout } from "./failure-about.ts";
import type { EngineParts } from "./parts.ts";
import { ambientOf } from "./surroundings.ts";

/** What an answer of the host's own is about. */
type About = Pick<FailureAbout, "asked" | "endpoint">;

function pairsOf(headers: readonly string[]): (readonly [string, string])[] {
  return headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? ""] as const] : []));
}

/** What is done here is done in the transaction that runs. */
export class Outside {
  private readonly parts: EngineParts;
  private readonly ends: EndFields;

  constructor(parts: EngineParts, ends: EndFields) {
    this.parts = parts;
    this.ends = ends;
  }

  /** The stated answer to a condition. */
  failed(condition: FailureCondition, now: bigint, about: FailureAbout): Reply {
    const { marks, program, storage } = this.parts;
    const ambient = ambientOf(this.parts, now);
    const outcome = program.fail({ condition, ...about }, storage.session, ambient);
    const made = marks.on(replyOf(outcome), answerOf(outcome, about.endpoint, [condition]));
    return this.ends.on(made, about.endpoint);
  }

  /** An answer of the host's own, as the document wants every answer. `by`: what determines it. */
  own(reply: Reply, now: bigint, about: About, by?: AnsweredBy): Reply {
    const made = this.headed(reply, now, about);
    return by === undefined ? made : this.parts.marks.on(made, by);
  }

  /** The answer of a request that met the gap of that id. */
  gap(id: ItemId, now: bigint, about: About): Reply {
    return this.headed(gapNamed(this.parts, id), now, about, id);
  }

  private headed(reply: Reply, now: bigint, { asked, endpoint }: About, gap?: ItemId): Reply {
    const { plan, program, storage } = this.parts;
    const { headers: stated } = plan.endpoints[endpoint ?? -1] ?? plan;
    if (stated === undefined) return reply;
    const { status, headers, body } = reply;
    const response = { status, headers: pairsOf(headers), body };
    const of = { ...(endpoint === undefined ? {} : { endpoint }), ...(gap && { gap }) };
    const answer = { response, asked, ...of };
    const made = replyOf(program.headed(answer, storage.session, ambientOf(this.parts, now)));
    return gap === undefined
      ? { ...made, notes: [...(reply.notes ?? []), ...(made.notes ?? [])] }
      : { ...made, notes: reply.notes ?? [] };
  }
}
