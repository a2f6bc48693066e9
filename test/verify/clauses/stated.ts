/** What a plan states that a request can come to: a change of anything else is none. */
import { type Plan, statedOf } from "../../../src/plan/index.ts";

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

/**
 * Without names of items and prose, what is said of other versions, what only a fault inside of the
 * service or a slow one comes to, how late a service may be (one that is prompt keeps either),
 * members of bodies that no endpoint takes, and how many failures are reported where no answer
 * shows them.
 */
export function statedBy(given: Plan): string {
  const { examples: _, title: __, errors, failures, failuresReported, ...rest } = given;
  const { changes: ___, rules: ____, oldVersions: _____, version, ...versioning } = rest.versioning;
  const inside = failures.filter(({ condition }) => condition === "fault inside");
  const names = inside.flatMap(({ answer }) => (answer.is === "error" ? [answer.error] : []));
  const machines = rest.machines.map(({ clock: ______, ...machine }) => machine);
  const limits = rest.limits.filter(({ counts }) => counts.is !== "request time");
  const others = JSON.stringify({
    ...{ ...rest, limits },
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
    ...{ resources: resourcesOf(given), failures, errors: reached, versioning, limits, machines },
    version: isChosen && version,
    failuresReported: isRead && failuresReported,
  };
  return JSON.stringify(all, (name, value) =>
    ["id", "text", "prose"].includes(name) ? undefined : value,
  );
}
