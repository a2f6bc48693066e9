/** The engine of an older document, on the store of the newest one. */
import { besides } from "../../change/index.ts";
import { type ItemId, type Plan, withStreams } from "../../plan/index.ts";
import { compile, type Members, type Program } from "../../run/index.ts";
import { type Credentials, makeCredentials } from "../credentials/index.ts";
import { Keys } from "../limits/idempotency.ts";
import { makeLimits } from "../limits/limits.ts";
import { readSettings } from "../settings/settings.ts";
import { AssumptionHeaders } from "./assumption-headers.ts";
import { Engine } from "./engine.ts";
import type { EngineParts } from "./parts.ts";
import { placeOf, placesOf } from "./places.ts";

/** An older document, as plain data. */
export interface OlderSetup {
  readonly plan: Plan;
  /** Places of items as JSON text. */
  readonly origins?: string | undefined;
  /** Texts of the settings by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** All of it that can be made before the store is there. */
export interface PreparedOlder {
  /** The document as it is stated: what requests give and are shown. */
  readonly plan: Plan;
  /** The same over the rows of the newest one. */
  readonly besides: Plan;
  readonly settings: Members;
  readonly program: Program;
  readonly credentials: Credentials;
  readonly placeOf: (item: ItemId) => string;
}

interface Newest {
  readonly plan: Plan;
  readonly places: ReturnType<typeof placesOf>;
}

/** Compiles an older document over the newest. Throws `CannotServe` where a setting is missing. */
export function prepareOlder(setup: OlderSetup, newest: Newest): PreparedOlder {
  const plan = withStreams(setup.plan);
  const settings = readSettings(plan, setup.settings);
  const order = new Map(
    plan.resources.map(({ name, fields }) => [name, fields.map((field) => field.name)]),
  );
  const places = placesOf(setup.origins, newest.places, (resource) => order.get(resource));
  const laid = besides(plan, newest.plan);
  return {
    plan,
    besides: laid,
    settings,
    program: compile(laid, places),
    credentials: makeCredentials(plan, settings),
    placeOf: (item) => placeOf(places.origins, item),
  };
}

/** Its engine: it shares the store, what is counted and called, and leaves the rest to `newest`. */
export function openOlder(
  { plan, settings, program, credentials, placeOf: place }: PreparedOlder,
  newest: EngineParts,
  until: bigint | undefined,
): Engine {
  const { issue: _, ...hooks } = newest.hooks;
  return new Engine({
    ...newest,
    plan,
    program,
    settings,
    credentials,
    limits: makeLimits(plan, settings, newest.limits),
    keys: new Keys(plan, newest.all, { beside: newest.keys }),
    hooks: {
      ...hooks,
      issue: (scheme, subject, { now }) => credentials.issue(scheme, subject, now),
    },
    marks: new AssumptionHeaders(plan),
    placeOf: place,
    said: [],
    until,
  });
}
