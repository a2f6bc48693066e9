/** Items of which no single answer shows anything: a limit that is not reached, a time that is. */
import { type ItemId, itemOf, type Plan } from "../plan/index.ts";

/** Items that are shown by what is answered when a time has passed, and before. */
export function timesIn(plan: Plan): readonly ItemId[] {
  const { resources, endpoints, schemes, limits, machines } = plan;
  const answers = [
    ...schemes.flatMap(({ lifetime, clockSkew }) => [lifetime, clockSkew]),
    ...endpoints.map(({ idempotency }) => idempotency?.kept),
    ...limits.map(({ window }) => window),
    ...machines.map(({ together }) => together),
  ];
  const kept = resources.flatMap(({ invariants }) =>
    invariants.flatMap(({ id, kind }) => (kind === "kept for" ? [id] : [])),
  );
  return [...kept, ...answers.flatMap((one) => (one === undefined ? [] : (itemOf(one) ?? [])))];
}

const SIZES = new Set(["body bytes", "path bytes", "header bytes"]);

/** Items that are shown by several answers together: whose count it is, how large one may be. */
export function countsIn({ limits }: Plan): readonly ItemId[] {
  return limits.flatMap(({ counts, per, amount }) => {
    const all = SIZES.has(counts.is) ? [amount] : counts.is === "requests" ? [per] : [];
    return all.flatMap((one) => itemOf(one) ?? []);
  });
}
