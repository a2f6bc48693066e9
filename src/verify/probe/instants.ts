/** Whether a document states times that are waited for. */
import { durationOf, type Plan, statedOf } from "../../plan/index.ts";

const NOW = '"name":"now"';

/** Whether the document states anything that may become otherwise in so many microseconds. */
export function hasTimes(plan: Plan, patience: bigint): boolean {
  const { machines, resources, endpoints, schemes, routines, actors } = plan;
  const texts = [
    ...resources.flatMap(({ invariants }) =>
      invariants.flatMap((one) => (one.kind === "kept for" ? [one.durationText] : [])),
    ),
    ...endpoints.flatMap(({ idempotency }) => (idempotency && statedOf(idempotency.kept)) ?? []),
    ...schemes.flatMap(({ lifetime }) => statedOf(lifetime) ?? []),
    ...machines.flatMap(({ transitions }) =>
      transitions.flatMap(({ on }) => (on.is === "every" ? [on.durationText] : [])),
    ),
  ];
  if (texts.some((one) => durationOf(one) <= patience)) return true;
  const isTimed = machines.some(({ transitions }) =>
    transitions.some(({ on }) => on.is === "time"),
  );
  return isTimed || JSON.stringify([endpoints, schemes, routines, actors]).includes(NOW);
}
