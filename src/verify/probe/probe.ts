/** What is tested on purpose at the end: versions, origins, sizes, limits and times. */
import { isStated, type Plan } from "../../plan/index.ts";
import { probeDue } from "./due.ts";
import { hasTimes } from "./instants.ts";
import { MILLISECOND, type Probing } from "./probing.ts";
import { isShort, probeRates } from "./rates.ts";
import { probeKept, probeSizes } from "./sizes.ts";
import { probeTogether } from "./together.ts";
import { probeEnds, probeVersions } from "./versions.ts";

/** Probes all that leaves the way of other requests free. */
export async function probe(run: Probing): Promise<void> {
  await probeVersions(run);
  await probeEnds(run);
  await probeTogether(run);
  await probeSizes(run);
  await probeDue(run);
  await probeKept(run);
  await probeRates(run, "short");
}

/** Probes the limits that let no more through for longer than anybody waits. */
export async function probeLast(run: Probing): Promise<void> {
  await probeRates(run, "lasting");
}

/** The share of the bounds of a run that is kept for probes, where these wait or ask often. */
const SHARE = 0.35;
/** Requests that are kept for those that do neither. */
const FEW = 20;

/** The same for limits that last. */
const LAST = 0.15;

/** Of the bounds of a run: of its time, and of its requests. */
export interface Shares {
  readonly time: number;
  readonly requests: number;
}

/** What of the bounds of a run is kept for probes. */
export function sharesOf(
  plan: Plan,
  { patienceMs, requestsMax }: { readonly patienceMs: number; readonly requestsMax: number },
): Shares {
  const isAwaited = hasTimes(plan, BigInt(patienceMs) * MILLISECOND);
  const hasLimits = plan.limits.length > 0;
  const few = isStated(plan.about.crossOrigin) ? Math.min(SHARE, FEW / requestsMax) : 0;
  return { time: isAwaited || hasLimits ? SHARE : 0, requests: hasLimits ? SHARE : few };
}

/** What of the bounds of a run is kept for the last probes. */
export function lastSharesOf({ limits }: Plan, run: Pick<Probing, "patienceMs">): Shares {
  const isLasting = limits.some((one) => one.counts.is === "requests" && !isShort(one, run));
  return isLasting ? { time: LAST, requests: SHARE } : { time: 0, requests: 0 };
}
