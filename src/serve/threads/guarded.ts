/** What answers where the host itself has a fault. */
import type { Reply } from "../jobs/job.ts";
import { faultInside } from "../jobs/problem.ts";

/**
 * A fault of the host itself is never silent and never a stack in an answer. `answer`: what the
 * document states for one.
 */
export function guarded<T extends Reply | undefined>(
  run: () => T,
  answer: () => Reply = faultInside,
): T | Reply {
  try {
    return run();
  } catch (fault) {
    const reply = answer();
    const note = { what: "fault", text: String(fault) } as const;
    return { ...reply, notes: [note, ...(reply.notes ?? [])] };
  }
}
