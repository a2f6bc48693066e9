/** Plays a session with code behind its calls until what follows from each word has come about. */

import { isRead } from "./directed.ts";
import { done, hear, type Session, type Step, startPlayer } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";
import { renamed, textsBetween, under } from "./texts.ts";

/** A request that stand-ins let through is sent so often at most. */
const TRIES = 24;
const APART = 7_919;

/**
 * The session so many times, with code behind its calls: each request that is well with stand-ins is
 * sent, each time under another key, until it is well; later ones speak of what it has made.
 */
export async function codedUntilWell(
  ready: Ready,
  subject: Subject,
  session: Session,
  rounds: number,
): Promise<Session> {
  const { start } = session;
  const { answers } = await hear(ready, subject, session);
  const player = await startPlayer(ready, subject, { start, code: true });
  const keys = ready.plan.endpoints.flatMap(({ idempotency }) =>
    idempotency?.header.is === "stated" ? [idempotency.header.value.toLowerCase()] : [],
  );
  const steps: Step[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const names = new Map<string, string>();
      for (const [at, step] of session.steps.entries()) {
        const wanted = answers[at];
        const isWell = wanted !== undefined && wanted.status < 300;
        const tries = step.is === "request" && isWell && !isRead(step.request) ? TRIES : 1;
        for (let i = 0; i < tries; i++) {
          const nth = round * TRIES + i;
          const next: Step = { ...step, seed: step.seed + nth * APART };
          const asked = step.is === "request" ? renamed(step.request, names) : undefined;
          const made: Step =
            next.is === "request" && asked !== undefined
              ? { ...next, request: under(asked, keys[0], `coded ${at} ${nth}`) }
              : next;
          steps.push(made);
          const answer = await done(player, made, ready);
          if (answer === undefined || wanted === undefined || answer.status >= 300) continue;
          for (const [own, other] of textsBetween(wanted, answer)) names.set(own, other);
          break;
        }
      }
    }
  } finally {
    await player.stop();
  }
  return { start, steps, code: true };
}
