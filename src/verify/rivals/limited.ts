/** Which limit, or version, a wrong answer breaks: what refuses it should not, or does not. */
import { type ItemId, isStated, itemOf, type Limit, type Plan } from "../../plan/index.ts";
import { compare } from "../judge/compare.ts";
import type { Judge } from "../judge/judge.ts";
import type { Wrong } from "../judge/judgement.ts";
import type { RatesJudged } from "../world/rates.ts";
import { World } from "../world/world.ts";

/** The document with this limit alone, which refuses every request of which it is asked. */
function refusingAll(plan: Plan, limit: Limit): Plan {
  const { id, amount } = limit;
  if (!isStated(amount)) return plan;
  const code = { op: "literal", type: { kind: "integer" }, value: "0" } as const;
  const none = { ...amount.value, value: { ...amount.value.value, code }, atLeast: false };
  const refusing: Limit = {
    ...limit,
    counts: { is: "requests" },
    per: { is: "stated", id, value: { is: "everyone" } },
    amount: { is: "stated", id, value: none },
    window: { is: "stated", id, value: { is: "sliding", durationText: "1 s" } },
  };
  return { ...plan, limits: [refusing] };
}

/** Whether the answer is the error that another document gives, but for its headers. */
function isAnswerBy(judge: Judge, changed: Plan, { request, answer }: Wrong): boolean {
  const { world: own } = judge;
  own.begin();
  try {
    const beside = { settings: own.settings, beside: own, isApart: true };
    const world = new World(changed, beside);
    const { error, response } = judge.beside(world).foresee(request, answer.sent).outcome;
    const { differences } = compare({ ...response, headers: [] }, answer);
    return error !== undefined && differences.length === 0;
  } catch {
    // A plan that cannot be run is nothing that a service could do.
    return false;
  } finally {
    own.undo();
  }
}

/** Limits on requests that would have refused the soonest, then all others. */
function nearestFirst({ limits }: Plan, rates: RatesJudged | undefined): readonly Limit[] {
  const left = new Map(rates?.passed.map((one) => [one.limit, one.left]));
  const passed = limits.filter((one) => left.has(one));
  const leftOf = (one: Limit): number => Number(left.get(one) ?? 0n);
  const others = limits.filter((one) => !left.has(one) && one.counts.is !== "request time");
  return [...passed.toSorted((a, b) => leftOf(a) - leftOf(b)), ...others];
}

/** The item of the limit or of the version; none: it is neither that this answer breaks. */
export function limitBlamed(judge: Judge, wrong: Wrong): readonly ItemId[] {
  const { plan } = judge.world;
  const { ran, differences } = wrong;
  if (differences.every((one) => one.in !== "status")) return [];
  const refusing = plan.limits.filter(({ id }) =>
    ran.trace.some(([item, came]) => item === id && came === "failed"),
  );
  if (refusing.length > 0) return refusing.map(({ id }) => id);
  const passed = nearestFirst(plan, ratesOf(judge, wrong));
  const found = passed.find((one) => isAnswerBy(judge, refusingAll(plan, one), wrong));
  if (found !== undefined) return [found.id];
  const { version } = plan.versioning;
  const other = isStated(version) && { ...version, value: `${version.value}x` };
  const versioning = { ...plan.versioning, version: other || version };
  const isOther = other && isAnswerBy(judge, { ...plan, versioning }, wrong);
  return isOther ? [itemOf(version) ?? "versioning/this version"] : [];
}

/** What the limits say of the request. */
function ratesOf(judge: Judge, { request, answer }: Wrong): RatesJudged | undefined {
  judge.foresee(request, answer.sent);
  return judge.world.rates;
}
