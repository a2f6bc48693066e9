/** Hooks for one job: what judges it besides its endpoint's steps. */
import { type Plan, standingOf } from "../../plan/index.ts";
import type { Hooks } from "../../run/index.ts";
import { machineMs } from "../jobs/deadlines.ts";
import type { Job } from "../jobs/job.ts";
import type { Keyed, Keys } from "../limits/idempotency.ts";
import type { Limits } from "../limits/limits.ts";
import type { Judged } from "../limits/rates.ts";
import type { Hashes } from "../secrets/hashing.ts";

/** What judges one job besides its endpoint's steps. */
export interface JobHooks {
  readonly job: Job;
  readonly judged: Judged;
  readonly keyed: Keyed;
  /** Where slow hashes are made beside the transaction. */
  readonly hashes?: Hashes;
}

/** Tells when the time to answer has passed by the machine's clock while steps are done. */
function lateHook({ time }: Limits, { begunMs }: Job): Hooks["late"] {
  if (time === undefined || begunMs === undefined) return undefined;
  return () => (machineMs() - begunMs > Number(time.micros) / 1000 ? time.late : undefined);
}

interface Watchable {
  readonly plan: Plan;
  readonly hooks: Hooks;
  readonly all?: readonly Plan[];
}

/** The parts with a hook that wakes streams when it may have changed who listens to them. */
export function watching<T extends Watchable>(parts: T, wake: () => void): T {
  const standing = new Set((parts.all ?? [parts.plan]).flatMap((one) => [...standingOf(one)]));
  if (standing.size === 0) return parts;
  const changed = (resource: string): void => {
    if (standing.has(resource)) wake();
  };
  return { ...parts, hooks: { ...parts.hooks, changed } };
}

export interface HookParts {
  readonly plan: Plan;
  readonly hooks: Hooks;
  readonly keys: Keys;
  readonly limits: Limits;
}

/** The hooks of a plan with those that judge the job by limits, keys and the time it takes. */
export function hooksFor({ plan, hooks: all, keys, limits }: HookParts, of: JobHooks): Hooks {
  const hooks = of.hashes?.on(all) ?? all;
  const key = plan.endpoints[of.job.endpoint]?.idempotency;
  if (plan.limits.length === 0 && !key) return hooks;
  return {
    ...hooks,
    limits: limits.hook(of.job, of.judged),
    limitStates: () => of.judged.states,
    idempotency: keys.hook(of.job, of.keyed, limits.bodyRefusal(of.job.bodyBytes)),
    late: lateHook(limits, of.job),
  };
}
