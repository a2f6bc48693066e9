/** Limits on sizes, and on requests in windows, judged at `Check the limits.` */
import {
  type Counts,
  type Endpoint,
  gapOf,
  isStated,
  type Limit,
  type Plan,
  pathText,
  type Refusal,
  statedOf,
  unknownOf,
  unknownToAll,
} from "../../plan/index.ts";
import type { Hooks, Late, Members } from "../../run/index.ts";
import { compileRule } from "../../run/index.ts";
import { digest } from "../crypto/digest.ts";
import type { Job, Reply } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";
import { type Judged, Rates } from "./rates.ts";

type SizeName = "bodyBytes" | "pathBytes" | "headerBytes";

interface SizeLimit {
  readonly limit: Limit;
  readonly size: SizeName;
  readonly amount: bigint | undefined;
}

/** Sizes of a request in bytes. */
type Sizes = Pick<Job, SizeName>;

/** The limits of a plan, compiled. */
export interface Limits {
  /** More bytes of a body than this are neither kept nor read. */
  readonly bodyBytesMax: number | undefined;
  /** What answers a body of so many bytes that was not read; undefined: it was. */
  bodyRefusal(bytes: number): Refusal | undefined;
  readonly rates: Rates;
  /** Whether a rate counts requests to the endpoint of that index: then the writer answers them. */
  counts(endpoint: number): boolean;
  /** The least stated time to answer in microseconds, and what a late request gets. */
  readonly time: { readonly micros: bigint; readonly late: Late } | undefined;
  /** The hook that judges one job; what it finds of rates goes into `judged`. */
  hook(job: Job, judged: Judged): NonNullable<Hooks["limits"]>;
}

/** Compiles the limits; amounts may depend on settings. `beside`: of another on that store. */
export function makeLimits(plan: Plan, settings: Members, beside?: Limits): Limits {
  const sizes = plan.limits.flatMap((limit): SizeLimit[] => {
    const size = sizeOf(limit.counts);
    return size === undefined ? [] : [{ limit, size, amount: amountOf(limit, settings) }];
  });
  const rates = new Rates(plan, settings, beside?.rates);
  const names = plan.endpoints.map(nameOf);
  const bodies = sizes.flatMap(({ size, amount }) =>
    size === "bodyBytes" && amount !== undefined ? [amount] : [],
  );
  const gap = unknownToAll(plan);
  const unknown: Refusal | undefined = gap === undefined ? undefined : { is: "gap", gap };
  return {
    bodyBytesMax: bodies.length === 0 ? undefined : Math.min(...bodies.map(Number)),
    bodyRefusal: (bodyBytes) =>
      judgeSizes(sizes, { bodyBytes, pathBytes: 0, headerBytes: 0 }, "body alone"),
    rates,
    counts: (endpoint) => rates.counts(names[endpoint] ?? ""),
    time: timeOf(plan, settings),
    hook: (job, judged) => (context) => {
      const passed = unknown ?? judgeSizes(sizes, job, "limits");
      if (passed !== undefined) return passed;
      rates.judge(names[context.invocation.endpoint] ?? "", context, judged);
      return judged.refusal;
    },
  };
}

/** The amount; undefined: it is not known. */
function amountOf({ amount }: Limit, settings: Members): bigint | undefined {
  if (!isStated(amount)) return undefined;
  const value = compileRule(amount.value.value.code)?.(undefined, { now: 0n, settings, digest });
  return typeof value === "bigint" ? value : undefined;
}

/** A limit whose error is not shown is answered as the condition is, where that is stated. */
function timeOf({ limits, failures }: Plan, settings: Members): Limits["time"] {
  const isAnswered = failures.some(
    (row) => row.condition === "time passed" && row.answer.is === "error",
  );
  const all = limits.flatMap(({ id, counts, amount, whenPassed }) => {
    if (counts.is !== "request time" || !isStated(amount)) return [];
    const micros = compileRule(amount.value.value.code)?.(undefined, { now: 0n, settings, digest });
    if (typeof micros !== "bigint") return [];
    const gap = gapOf(whenPassed) ?? id;
    const late: Late = statedOf(whenPassed) ?? (isAnswered ? "time passed" : { is: "gap", gap });
    return [{ micros, late }];
  });
  return all.sort((a, b) => (a.micros < b.micros ? -1 : 1))[0];
}

/** Of which bytes a limit counts how many a request may have; undefined: it counts no bytes. */
function sizeOf(counts: Counts): SizeName | undefined {
  switch (counts.is) {
    case "body bytes":
      return "bodyBytes";
    case "path bytes":
      return "pathBytes";
    case "header bytes":
      return "headerBytes";
    case "gap":
    case "request time":
    case "requests":
    case "rows kept":
    case "sum":
      return undefined;
    default:
      return counts satisfies never;
  }
}

/** `body alone`: a body was not read; what is not shown of limits is met where they are checked. */
function judgeSizes(
  sizes: readonly SizeLimit[],
  of: Sizes,
  when: "limits" | "body alone",
): Refusal | undefined {
  for (const { limit, size, amount } of sizes) {
    const gap = when === "limits" ? unknownOf(limit) : undefined;
    if (gap !== undefined) return { is: "gap", gap };
    if (amount === undefined || BigInt(of[size]) <= amount) continue;
    return isStated(limit.whenPassed)
      ? limit.whenPassed.value
      : { is: "gap", gap: gapOf(limit.whenPassed) ?? limit.id };
  }
  return undefined;
}

/** An endpoint as limits name it: its method and path. */
function nameOf({ method, path }: Endpoint): string {
  return `${method} ${pathText(path)}`;
}

/** The reply with what limits add to it; a request held back is counted by its status. */
export function settled(
  parts: { readonly limits: Limits; readonly storage: Storage },
  reply: Reply,
  judged: Judged,
  now: bigint,
): Reply {
  parts.limits.rates.settle(judged, reply.status, parts.storage.session, now);
  if (judged.headers.length === 0) return reply;
  return { ...reply, headers: [...reply.headers, ...judged.headers] };
}

/** The reply with when a request may pass again, where that is stated: it is part of the answer. */
export function retried(reply: Reply, { retryAfter }: Judged): Reply {
  if (retryAfter === undefined) return reply;
  return { ...reply, headers: [...reply.headers, "Retry-After", retryAfter] };
}
