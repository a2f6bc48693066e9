/** Rule: limits can be reached, and do not make each other or an endpoint pointless. */
import { type Endpoint, isStated, type Limit } from "../../plan/index.ts";
import { bodyBytesLeast } from "./bytes.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { codeRank, literalOf } from "./order.ts";
import { endpointKey } from "./places.ts";

function amountOf(limit: Limit): bigint | undefined {
  return isStated(limit.amount) ? codeRank(limit.amount.value.value.code) : undefined;
}

/** What two limits have in common where one of them makes the other pointless. */
function kindOf(limit: Limit): string | undefined {
  if (!isStated(limit.per) || limit.window.is === "gap") return undefined;
  const window = isStated(limit.window)
    ? {
        ...limit.window.value,
        ...("zone" in limit.window.value ? { zone: limit.window.value.zone.text } : {}),
      }
    : limit.window.is;
  return JSON.stringify([limit.counts, limit.per.value, window]);
}

function shadowed(c: RuleContext): void {
  const least = new Map<string, { limit: Limit; amount: bigint }>();
  const known = c.service.limits.flatMap((limit) => {
    const kind = kindOf(limit);
    const amount = amountOf(limit);
    return kind === undefined || amount === undefined ? [] : [{ limit, kind, amount }];
  });
  for (const one of known) {
    const before = least.get(one.kind);
    if (before === undefined || one.amount < before.amount) least.set(one.kind, one);
  }
  for (const { limit, kind } of known) {
    const strict = least.get(kind)?.limit;
    if (strict === undefined || strict === limit) continue;
    report(c, {
      code: "limit-shadowed",
      severity: "warning",
      at: limit.id,
      message:
        `\`${limit.name}\` is never reached: \`${strict.name}\` counts the same and is ` +
        "stricter.",
      hint: "Take one of the two away, or let them count different things.",
      related: [
        { span: c.origins.get(strict.id) ?? { start: 0, end: 0 }, message: "the stricter" },
      ],
    });
  }
}

function smallBodies(c: RuleContext): void {
  const limit = c.service.limits.find((one) => one.counts.is === "body bytes");
  const value =
    isStated(limit?.amount) && !limit.amount.value.atLeast
      ? literalOf(limit.amount.value.value.code)
      : undefined;
  if (limit === undefined || typeof value !== "string") return;
  const most = Number(value);
  for (const endpoint of c.service.endpoints) {
    const least = bodyBytesLeast(c, endpoint);
    if (least <= most) continue;
    report(c, {
      code: "limit-body",
      severity: "error",
      at: limit.id,
      message:
        `\`${limit.name}\` allows ${most} bytes, and the smallest body of ` +
        `\`${endpointKey(endpoint)}\` has ${least}.`,
      hint: "Raise the limit, or ask for less.",
      related: [
        { span: c.origins.get(endpoint.id) ?? { start: 0, end: 0 }, message: "the endpoint" },
      ],
    });
    return;
  }
}

/** Statuses that each endpoint can answer with Respond. */
function statuses(c: RuleContext): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const { step, owner } of c.steps) {
    if (step.kind !== "respond") continue;
    const all = found.get(owner.name) ?? new Set();
    found.set(owner.name, all.add(step.status));
  }
  return found;
}

function judgeCounts(c: RuleContext, limit: Limit, given: Map<string, Set<number>>): void {
  const { counts } = limit;
  if (
    counts.is === "requests" &&
    counts.endpoint !== undefined &&
    counts.status !== undefined &&
    counts.status < 400 &&
    c.endpoints.has(counts.endpoint) &&
    given.get(counts.endpoint)?.has(counts.status) !== true
  ) {
    report(c, {
      code: "limit-never",
      severity: "warning",
      at: limit.id,
      message:
        `\`${limit.name}\` counts answers ${counts.status} of \`${counts.endpoint}\`, which ` +
        "never gives one.",
      hint: "Name a status that one of its Respond steps has.",
    });
  }
}

/** Whether no request to the endpoint need have a caller. */
function isOpen(c: RuleContext, endpoint: Endpoint): boolean {
  const { who } = endpoint;
  if (who.is === "none") return true;
  return isStated(who) && who.value.every((actor) => c.always.has(actor));
}

/** A limit per caller where requests have none: a request without a caller is not counted. */
function judgeOpen(c: RuleContext, limit: Limit): void {
  const { counts, per } = limit;
  if (counts.is !== "requests" || !isStated(per) || per.value.is !== "caller") return;
  const named = c.endpoints.get(counts.endpoint ?? "");
  if (counts.endpoint !== undefined && named === undefined) return;
  const counted = named === undefined ? c.service.endpoints : [named];
  if (counted.length === 0 || !counted.every((one) => isOpen(c, one))) return;
  report(c, {
    code: "limit-open",
    severity: "warning",
    at: limit.id,
    message:
      `\`${limit.name}\` counts callers, and ` +
      `${named === undefined ? "every endpoint" : `\`${endpointKey(named)}\``} ` +
      "is open to requests without one, which are not counted.",
    hint: "Count per address, or say under `Who` that a caller is needed.",
  });
}

/** Reports `limit-shadowed`, `limit-body`, `limit-never`, `limit-zero`, `limit-open`. */
export const limits: Rule = (c) => {
  const given = statuses(c);
  for (const limit of c.service.limits) {
    const amount = amountOf(limit);
    if (amount !== undefined && amount <= 0n) {
      report(c, {
        code: "limit-zero",
        severity: "error",
        at: isStated(limit.amount) ? limit.amount.id : limit.id,
        message: `\`${limit.name}\` lets nothing through.`,
        hint: "An amount is more than 0.",
      });
    }
    judgeCounts(c, limit, given);
    judgeOpen(c, limit);
  }
  shadowed(c);
  smallBodies(c);
};
