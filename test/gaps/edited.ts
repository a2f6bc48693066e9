/** Sessions in which a row has another value, as an earlier version of the document may have let in. */
import type { Plan } from "../../src/plan/index.ts";
import { type Around, type Good, goodOf, isRead, upTo } from "./directed.ts";
import { done, type Session, type Step, startPlayer } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";
import { refusedBy, telling } from "./telling.ts";

const SEED = 9_000_000;
const SECOND = 1_000_000n;

/** The plan without limits: whatever is asked again and again is answered. */
const unlimited = (plan: Plan): Plan => ({ ...plan, limits: [] });

/**
 * Each request that writes, at the moment at which it was well, with one value of a row changed:
 * sessions that end with a refusal that nothing before them has met.
 */
export async function edited(
  { ready, subject, tried }: Around,
  session: Session,
): Promise<Session[]> {
  const made: Session[] = [];
  const told = { ...ready, plan: unlimited(telling(ready.plan, { ignored: false })) };
  const good = await goodOf(ready, subject, session);
  for (const one of good.filter(({ request }) => !isRead(request))) {
    const before = upTo(session, one);
    const player = await startPlayer(told, subject, before);
    try {
      for (const step of before.steps) await done(player, step, told);
      for (const edit of player.edits()) {
        player.mark();
        player.edit(edit);
        const step = { seed: SEED, is: "request", request: one.request } as const;
        const refused = refusedBy(await player.ask(step));
        player.undo();
        if (refused === "" || tried.seen.has(refused)) continue;
        tried.seen.add(refused);
        const steps = [...before.steps, step];
        made.push({ ...before, steps, edit: { behind: before.steps.length, rows: [edit] } });
      }
    } finally {
      await player.stop();
    }
  }
  return [...made, ...(await due(ready, subject, { session, good }))];
}

/** What is read when all rows that a transition on time takes fall due at once. */
async function due(
  ready: Ready,
  subject: Subject,
  { session, good }: { readonly session: Session; readonly good: readonly Good[] },
): Promise<Session[]> {
  const player = await startPlayer(ready, subject, session);
  const reads = good.filter(({ request }) => request.method === "GET");
  const behind = session.steps.length;
  const steps: Step[] = [
    ...session.steps,
    { seed: SEED, is: "move", micros: SECOND },
    ...reads.map(({ request }, i): Step => ({ seed: SEED + i, is: "request", request })),
  ];
  try {
    for (const step of session.steps) await done(player, step, ready);
    return player.dueEdits().map((rows) => ({ ...session, steps, edit: { behind, rows } }));
  } finally {
    await player.stop();
  }
}
