/** What is tested on purpose at the end: versions, origins, sizes, limits and times. */
import { isStated, type Limit, type Plan, statedOf } from "../../plan/index.ts";
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

/** Shares of the time for limits that last: the largest, and what they have in any case. */
const LAST = 0.15;
const LAST_LEAST = 0.02;

/** Of the bounds of a run: of its time, and of its requests. */
export interface Shares {
  readonly time: number;
  readonly requests: number;
}

/** Requests for each that a limit lets through: by several callers, and what these need first. */
const FOR_EACH = 10;

/** The share of the requests of a run by which limits can be reached. */
function reaching(limits: readonly Limit[], requestsMax: number): number {
  const needed = limits.map(({ counts, amount }) => {
    const code = statedOf(amount)?.value.code;
    if (counts.is !== "requests") return FEW;
    return code?.op === "literal" ? FOR_EACH * (Number(code.value) + 1) : requestsMax;
  });
  const all = needed.reduce((sum, one) => sum + one, 0);
  return Math.min(SHARE, all / requestsMax);
}

type Bounds = Pick<Probing, "patienceMs"> & { readonly requestsMax: number };

/** What of the bounds of a run is kept for probes. */
export function sharesOf(plan: Plan, { patienceMs, requestsMax }: Bounds): Shares {
  const isAwaited = hasTimes(plan, BigInt(patienceMs) * MILLISECOND);
  const hasLimits = plan.limits.length > 0;
  const few = isStated(plan.about.crossOrigin) ? FEW / requestsMax : 0;
  const requests = Math.min(SHARE, few + reaching(plan.limits, requestsMax));
  return { time: isAwaited || hasLimits ? SHARE : 0, requests };
}

/** What of the bounds of a run is kept for the last probes. */
export function lastSharesOf({ limits }: Plan, bounds: Bounds): Shares {
  const lasting = limits.filter((one) => one.counts.is === "requests" && !isShort(one, bounds));
  if (lasting.length === 0) return { time: 0, requests: 0 };
  const requests = reaching(lasting, bounds.requestsMax);
  return { time: Math.min(LAST, LAST_LEAST + 2 * requests), requests };
}
