/** Limits on sizes, judged at `Check the limits.`; those that count over time come later. */
import type { Limit, Plan } from "../plan/index.ts";
import type { CheckContext, Hooks, Members, Response } from "../run/index.ts";
import { compileRule } from "../run/index.ts";
import type { Job } from "./job.ts";
import { unsupported } from "./problem.ts";

const SIZES = {
  "body bytes": "bodyBytes",
  "path bytes": "pathBytes",
  "header bytes": "headerBytes",
} as const;

type SizeName = (typeof SIZES)[keyof typeof SIZES];

interface SizeLimit {
  readonly limit: Limit;
  readonly size: SizeName;
  readonly amount: bigint | undefined;
}

/** The limits of a plan, compiled. */
export interface Limits {
  /** More bytes of a body than this are neither kept nor read. */
  readonly bodyBytesMax: number | undefined;
  /** The hook that judges one job. */
  hook(job: Job): NonNullable<Hooks["limits"]>;
}

/** Compiles the limits; amounts may depend on settings. */
export function makeLimits(plan: Plan, settings: Members): Limits {
  const sizes = plan.limits.flatMap((limit): SizeLimit[] => {
    const size = SIZES[limit.counts.is as keyof typeof SIZES];
    return size === undefined ? [] : [{ limit, size, amount: amountOf(limit, settings) }];
  });
  const counting = plan.limits.filter((limit) => !(limit.counts.is in SIZES));
  const bodies = sizes.flatMap(({ size, amount }) =>
    size === "bodyBytes" && amount !== undefined ? [amount] : []);
  return {
    bodyBytesMax: bodies.length === 0 ? undefined : Math.min(...bodies.map(Number)),
    hook: (job) => (context) => judge(sizes, counting, job, context),
  };
}

function amountOf({ amount }: Limit, settings: Members): bigint | undefined {
  if (amount.is !== "stated") return undefined;
  const value = compileRule(amount.value.value.code)?.(undefined, { now: 0n, settings });
  return typeof value === "bigint" ? value : undefined;
}

function judge(
  sizes: readonly SizeLimit[],
  counting: readonly Limit[],
  job: Job,
  { invocation }: CheckContext,
): ReturnType<NonNullable<Hooks["limits"]>> {
  for (const { limit, size, amount } of sizes) {
    if (amount === undefined || BigInt(job[size]) <= amount) {
      if (limit.amount.is !== "gap") continue;
      return { is: "gap", gap: limit.amount.gap };
    }
    if (limit.amount.is === "stated" && limit.amount.value.atLeast) continue;
    return limit.whenPassed.is === "stated"
      ? limit.whenPassed.value
      : { is: "gap", gap: limit.whenPassed.is === "gap" ? limit.whenPassed.gap : limit.id };
  }
  const [first] = counting.filter((limit) => concerns(limit, invocation.endpoint));
  return first && responseOf(first);
}

/** Quotas of rows and sums are judged where rows are written, not here. */
function concerns(limit: Limit, _endpoint: number): boolean {
  return limit.counts.is === "requests";
}

function responseOf(limit: Limit): Response {
  const { status, body, headers } = unsupported(limit.id);
  return { status, body, headers: [[headers[0] ?? "", headers[1] ?? ""]] };
}
