/**
 * A plan as an older version beside one that has more fields, in another order: it must answer as
 * it answers alone.
 */
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import type { Field, Plan, Resource } from "../../src/plan/index.ts";
import { movableClock, type ServeOptions, serve } from "../../src/serve/index.ts";
import type { ParsedExample } from "../../src/spec/index.ts";
import type { Kept } from "../served/answers.ts";
import { exchange } from "../served/exchange.ts";
import { settingsFor } from "../served/settings.ts";

const OLD = "/v1";

function chosenBy(plan: Plan, prefix: string): Plan {
  const { basePath } = plan.about;
  const base = basePath.is === "stated" ? basePath.value : "";
  const id = "versioning/chosen by";
  const value = base === OLD ? prefix : `${prefix}${base}`;
  const { oldVersions: _, ...versioning } = plan.versioning;
  return {
    ...plan,
    about: { ...plan.about, basePath: { is: "stated", id, value } },
    versioning: {
      ...versioning,
      chosenBy: { is: "stated", id, value: { by: "path", name: prefix } },
    },
  };
}

function added(resource: Resource, name: string): Field {
  const id = `${resource.id}/${name}`;
  const code = { op: "literal", type: { kind: "null" }, value: null } as const;
  return {
    id,
    name,
    type: { type: { kind: "string" }, orNull: true, orAbsent: false },
    ...{ create: { is: "no" }, update: { is: "no" }, read: { is: "no" } },
    rules: [{ id: `${id}/starts`, kind: "starts", value: { code, text: "null" } }],
  };
}

interface Grown {
  /** In which order the newest has the fields; random bytes are drawn in that order. */
  readonly order: "same" | "reversed";
}

/** The resource with two more fields. */
function grown(resource: Resource, { order }: Grown): Resource {
  if (resource.fixed) return resource;
  const fields = order === "reversed" ? resource.fields.toReversed() : resource.fields;
  const [first, last] = [added(resource, "addedFirst"), added(resource, "addedLast")];
  return { ...resource, fields: [first, ...fields, last] };
}

/** The plan as an older version and a newer one. */
export function versionsOf(
  plan: Plan,
  how: Grown,
): { readonly older: Plan; readonly newest: Plan } {
  const newest = { ...plan, resources: plan.resources.map((one) => grown(one, how)) };
  return { older: chosenBy(plan, OLD), newest: chosenBy(newest, "/v2") };
}

/** The block against the older version. Rejects where an answer is not as it is stated. */
export async function runBeside(
  plan: Plan,
  parsed: ParsedExample,
  store: Partial<ServeOptions>,
): Promise<void> {
  const stated = parsed.clock === undefined ? undefined : parseTimestamp(parsed.clock.text);
  const clock = movableClock(typeof stated === "bigint" ? stated : 1_800_000_000_000_000n);
  const { older, newest } = versionsOf(plan, { order: "reversed" });
  const options = { inline: true, clock, settings: settingsFor(plan), standIns: true };
  const running = await serve(newest, { ...options, ...store, older: [{ plan: older }] });
  const base = plan.about.basePath.is === "stated" ? plan.about.basePath.value : "";
  const before = base === OLD ? "" : OLD;
  const kept: Kept = new Map();
  try {
    for (const [i, one] of parsed.exchanges.entries()) {
      for (const move of parsed.moves.filter((each) => each.before === i)) {
        clock.move(microsOf(move.durationText));
      }
      const { method, target } = one.request;
      const text = target.text.startsWith("/") ? `${before}${target.text}` : target.text;
      const request = { ...one.request, target: { ...target, text } };
      await exchange(
        running.address,
        { ...one, request },
        kept,
        `${method.text} ${text} (${i + 1})`,
      );
    }
  } finally {
    await running.stop();
  }
}
