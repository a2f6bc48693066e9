/** Whether what no trial can make anew was changed by a request that was answered wrongly. */
import { whoAsks } from "../probe/probing.ts";
import type { Exchange, Session } from "../session.ts";
import { linksOf, type NamedRequest } from "./named.ts";

/** What was done was to be refused, or the other way round. */
function isDoneWrongly({ request, answer, judgement }: Exchange): boolean {
  if (judgement.is !== "broken" || request.method === "GET") return false;
  return answer.status < 400 !== judgement.ran.outcome.response.status < 400;
}

/** What a request speaks of that was there at the start: texts of its rows, and who asks. */
function lastingOf({ plan }: Session, named: NamedRequest): readonly string[] {
  const who = whoAsks(plan, named.request);
  const rows = linksOf(named).filter((name) => /^0\./.test(name));
  const isAsked = /[^[\],]/.test(who);
  return isAsked && !who.includes("{{") ? [...rows, who] : rows;
}

/** Whether a request before has wrongly changed what this one speaks of, and trials do not make. */
export function spoiled(
  session: Session,
  all: readonly NamedRequest[],
  target: NamedRequest,
): boolean {
  const lasting = new Set(lastingOf(session, target));
  if (lasting.size === 0) return false;
  const wrong = session.exchanges.filter((one) => one.number < target.number && isDoneWrongly(one));
  const numbers = new Set(wrong.map(({ number }) => number));
  return all.some(
    (one) => numbers.has(one.number) && lastingOf(session, one).some((text) => lasting.has(text)),
  );
}
