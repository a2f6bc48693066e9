/** Which of several nodes makes the attempts to deliver messages: one at a time. */
import type { Lead } from "../../store/index.ts";
import { machineMs } from "../jobs/deadlines.ts";
import type { Collected, UnderWay } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";

/** How often a node says that it leads still, where anything waits. */
const SAID_MICROS = 2_000_000n;

/** The lead of this node is taken to end so much earlier, as what is begun takes time to arrive. */
const BEFORE_MS = 1_000;

/** Until when what is chosen is to be begun; `askedMs`: when it was asked who leads. */
export function ledUntil({ ownMs }: Lead, askedMs: number): number {
  return askedMs + ownMs - BEFORE_MS;
}

/** Collects where this node leads; where another one does, it is asked again when that may end. */
export function leading(
  shared: Storage["shared"],
  now: bigint,
  { busy }: UnderWay,
  collect: () => Collected,
): Collected {
  if (shared === undefined) return collect();
  const askedMs = machineMs();
  const lead = shared.lead();
  if (lead.otherMs > 0) return { sendings: [], due: now + BigInt(lead.otherMs) * 1_000n };
  const collected = { ...collect(), untilMs: ledUntil(lead, askedMs) };
  const { sendings, due } = collected;
  const isOver = due === undefined && sendings.length === 0 && busy.length === 0;
  const again = now + SAID_MICROS;
  return { ...collected, due: isOver || (due !== undefined && due < again) ? due : again };
}
