/** Resolves who may ask, and what that tells of the caller. */
import { type Answer, isStated } from "../../../plan/index.ts";
import { type AskedAt, answer } from "../names/asking.ts";
import type { CallerState } from "../names/common.ts";
import { known, textsOf } from "../names/resolver.ts";

/** The actors that a Who bullet names; reports unknown ones. */
export function whoOf(at: AskedAt, question: "who" | "stream who"): Answer<readonly string[]> {
  return answer(at, question, (match) => {
    const actors = textsOf(match, "actors");
    for (const actor of actors) known(at.r, "actor", actor);
    return actors.map((actor) => actor.text);
  });
}

/** Who asks, as far as the actors tell. `always`: names of actors without credentials. */
export function callerState(
  who: Answer<readonly string[]>,
  always: ReadonlySet<string>,
): CallerState {
  // Where it is not shown who may ask, no request comes to what would read the caller.
  if (who.is === "gap") return "sure";
  if (!isStated(who)) return who.is === "none" ? "none" : "maybe";
  const open = who.value.filter((actor) => always.has(actor)).length;
  return open === 0 ? "sure" : open === who.value.length ? "none" : "maybe";
}
