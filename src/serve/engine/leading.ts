/** Which of several nodes makes the attempts to deliver messages: one at a time. */
import type { Collected, UnderWay } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";

/** How often a node says that it leads still, where anything waits. */
const SAID_MICROS = 2_000_000n;

/** Collects where this node leads; where another one does, it is asked again when that may end. */
export function leading(
  shared: Storage["shared"],
  now: bigint,
  { busy }: UnderWay,
  collect: () => Collected,
): Collected {
  if (shared === undefined) return collect();
  const otherMs = shared.lead();
  if (otherMs > 0) return { sendings: [], due: now + BigInt(otherMs) * 1_000n };
  const collected = collect();
  const { sendings, due } = collected;
  const isOver = due === undefined && sendings.length === 0 && busy.length === 0;
  const again = now + SAID_MICROS;
  return { ...collected, due: isOver || (due !== undefined && due < again) ? due : again };
}
