/** What a plan states that a request can come to: a change of anything else is none. */
import { type Plan, statedOf } from "../../../src/plan/index.ts";
import { withoutMoments } from "./moments.ts";

/** Whether any expression reads the failures that an answer reports. */
const readsFailures = (text: string): boolean => /"name":"failures","op":"name"/.test(text);

/** Fields as bodies of requests can give them: no body changes the rows of most resources. */
function resourcesOf({ resources, endpoints }: Plan): readonly object[] {
  const bodies = new Set(
    endpoints.flatMap(({ body }) => {
      const content = statedOf(body)?.content;
      return content !== undefined && "resource" in content
        ? [`${content.is} ${content.resource}`]
        : [];
    }),
  );
  return resources.map((one) => ({
    ...one,
    fields: one.fields.map(({ create, update, ...field }) => ({
      ...field,
      ...(bodies.has(`new ${one.name}`) ? { create } : {}),
      ...(bodies.has(`changed ${one.name}`) ? { update } : {}),
    })),
  }));
}

/** Parts as bodies can give them: where none is merged each is a whole new value. */
function partsOf(plan: Plan): readonly object[] {
  const isMerged = JSON.stringify(plan).includes('"is":"merged"');
  return plan.partTypes.map((part) => ({
    ...part,
    fields: part.fields.map(({ update, ...field }) => ({ ...field, ...(isMerged && { update }) })),
  }));
}

type Endpoint = Plan["endpoints"][number];

/** Errors that a request gets under the key of one that is not over. */
const runningOf = ({ endpoints }: Plan): readonly string[] =>
  endpoints.flatMap(({ idempotency }) => {
    const answer = statedOf(idempotency?.running);
    return answer !== undefined && answer !== "wait" && answer.is === "error" ? [answer.error] : [];
  });

/** Without what a request gets under the key of one that is not over. */
function withoutRunning(endpoint: Endpoint): object {
  const replaced = (name: string, value: unknown): unknown =>
    name === "running" ? undefined : value;
  return JSON.parse(JSON.stringify(endpoint, replaced));
}

/**
 * Without names of items and prose, what is said of other versions, what only a fault inside of the
 * service or a slow one comes to, how late a service may be (one that is prompt keeps either),
 * members of bodies that no endpoint takes, how parts are changed that are never merged, how many
 * failures are reported where no answer shows them, what hangs on a moment that no client can
 * choose, and what a request gets under the key of one that is not over where each is over at once,
 * because no endpoint calls anybody.
 */
export function statedBy(given: Plan): string {
  const plan = withoutMoments(given);
  const { examples: _, title: __, errors, failures, failuresReported, ...rest } = plan;
  const { changes: ___, rules: ____, oldVersions: _____, version, ...versioning } = rest.versioning;
  const inside = failures.filter(({ condition }) => condition === "fault inside");
  const unmet = inside.flatMap(({ answer }) => (answer.is === "error" ? [answer.error] : []));
  const endpoints = plan.calls.length > 0 ? plan.endpoints : plan.endpoints.map(withoutRunning);
  const names = [...unmet, ...runningOf(plan)];
  const machines = rest.machines.map(({ clock: ______, ...machine }) => machine);
  const limits = rest.limits.filter(({ counts }) => counts.is !== "request time");
  const others = JSON.stringify({
    ...{ ...rest, limits, endpoints },
    failures: failures.filter((one) => !inside.includes(one)),
  });
  const reached = errors.filter(
    ({ name }) => !names.includes(name) || others.includes(`"error":"${name}"`),
  );
  const chosenBy = statedOf(versioning.chosenBy)?.by;
  const isChosen = chosenBy === "header" || chosenBy === "query";
  const isRead = readsFailures(JSON.stringify([errors, rest.shapes]));
  const all = {
    ...rest,
    ...{
      resources: resourcesOf(plan),
      partTypes: partsOf(plan),
      endpoints,
      failures,
      errors: reached,
      versioning,
      limits,
      machines,
    },
    version: isChosen && version,
    failuresReported: isRead && failuresReported,
  };
  return JSON.stringify(all, (name, value) =>
    ["id", "text", "prose"].includes(name) ? undefined : value,
  );
}
