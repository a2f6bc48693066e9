/** Instants of a model at which something becomes otherwise by itself. */
import { durationOf, type ItemId, itemOf, statedOf } from "../../plan/index.ts";
import type { World } from "./world.ts";

export interface Instant {
  /** By the service's clock, in microseconds. */
  readonly at: bigint;
  /** Items that say when it is, as far as these are not told by what happens then. */
  readonly items: readonly ItemId[];
}

/** Times in rows, and when rows have been kept for as long as is stated. */
function inRows({ plan, session }: World): readonly Instant[] {
  return plan.resources.flatMap(({ name, fields, invariants }) => {
    const kept = invariants.flatMap((one) => {
      if (one.kind !== "kept for") return [];
      const place = fields.findIndex((field) => field.name === one.after);
      return [{ place, delay: durationOf(one.durationText), items: [one.id] }];
    });
    const own = fields.flatMap(({ type }, place) =>
      type.type.kind === "timestamp" ? [{ place, delay: 0n, items: [] }] : [],
    );
    const times = [...kept, ...own];
    return session.all(name).flatMap(({ values }) =>
      times.flatMap(({ place, delay, items }) => {
        const time = values[place];
        return typeof time === "bigint" ? [{ at: time + delay, items }] : [];
      }),
    );
  });
}

/** When first answers are no longer kept. */
function ofKeys({ plan, kept }: World): readonly Instant[] {
  const rules = plan.endpoints.flatMap(({ id, idempotency }) => {
    const time = idempotency && statedOf(idempotency.kept);
    const item = idempotency && itemOf(idempotency.kept);
    return time === undefined || item === undefined ? [] : [{ id, time: durationOf(time), item }];
  });
  return [...kept.entries()].flatMap(([name, { at, likeness }]) => {
    const [where] = JSON.parse(name) as readonly string[];
    const of = rules.filter(({ id }) =>
      where === "all" ? likeness.bytes.startsWith(`${id} `) : id === where,
    );
    return of.map(({ time, item }) => ({ at: at + time, items: [item] }));
  });
}

/** When tokens end. */
function ofTokens({ plan, tokens }: World): readonly Instant[] {
  return [...tokens.entries().values()].flatMap(({ claims, scheme }) => {
    const { lifetime, clockSkew } = plan.schemes.find(({ id }) => id === scheme) ?? {};
    const end = claims.get("exp");
    const item = lifetime && itemOf(lifetime);
    const skew = durationOf((clockSkew && statedOf(clockSkew)) ?? "0 s");
    return typeof end === "bigint" ? [{ at: end + skew, items: item ? [item] : [] }] : [];
  });
}

/** Those between two instants, the first first. */
export function instantsIn(world: World, from: bigint, to: bigint): readonly Instant[] {
  const due = world.nextDue(from);
  const all = [
    ...inRows(world),
    ...ofKeys(world),
    ...ofTokens(world),
    ...(due === undefined ? [] : [{ at: due, items: [] }]),
  ];
  const near = all.filter(({ at }) => at > from && at <= to);
  const groups = Map.groupBy(near, ({ at }) => at);
  return [...groups]
    .map(([at, own]) => ({ at, items: [...new Set(own.flatMap(({ items }) => items))] }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}
