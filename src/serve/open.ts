/** Makes an engine from plain data, in whichever thread it is to run. */
import type { ItemId, Plan } from "../plan/index.ts";
import type { Hooks, ProgramOptions } from "../run/index.ts";
import { StartRowFault, compile, withStreams } from "../run/index.ts";
import { StorageFault, prepareStore } from "../store/index.ts";
import type { OpenStore } from "../store/index.ts";
import { makeCredentials } from "./credentials/index.ts";
import { Engine } from "./engine.ts";
import { Keys } from "./keys.ts";
import { makeLimits } from "./limits.ts";
import { CannotServe } from "./options.ts";
import { hashSecret, verifySecret } from "./secrets.ts";
import { pooledRandom } from "./random.ts";
import { readSettings, readStartRows } from "./settings.ts";

/** What an engine is made of; it can be posted to a thread. */
export interface Setup {
  readonly plan: Plan;
  /** Places of items as JSON text: it is read when the first gap is met. */
  readonly origins?: string;
  readonly store: { readonly file: string } | "memory";
  /** Texts of the settings by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly startRows?: string;
}

export interface OpenOptions {
  /** `write` makes the store where there is none and fills a new one. */
  readonly mode: "read" | "write";
  readonly now: bigint;
  readonly random?: (bytes: number) => Uint8Array;
}

/** An engine without its store: all that can be made before the store is there. */
export interface Prepared {
  open(options: Omit<OpenOptions, "mode">): Engine;
}

/** Compiles the plan and opens its store. Throws `CannotServe` for what the operator can mend. */
export function openEngine(setup: Setup, options: OpenOptions): Engine {
  return prepareEngine(setup, options.mode).open(options);
}

/** Compiles the plan. This, and to open it, throws `CannotServe` for what the operator can mend. */
export function prepareEngine(setup: Setup, mode: OpenOptions["mode"]): Prepared {
  const plan = withStreams(setup.plan);
  const settings = readSettings(plan, setup.settings);
  const given = readStartRows(plan, setup.startRows);
  const places = placesOf(setup.origins);
  const program = compile(plan, places);
  const credentials = makeCredentials(plan, settings);
  const open = prepareStore(plan, { store: setup.store, mode });
  const made = { plan, settings, given, places, program, credentials };
  return {
    open: (options) => {
      try {
        return makeEngine(made, open, options);
      } catch (fault) {
        const mendable = fault instanceof StorageFault || fault instanceof StartRowFault;
        throw mendable ? new CannotServe([fault.message]) : fault;
      }
    },
  };
}

interface Made {
  readonly plan: Plan;
  readonly settings: ReturnType<typeof readSettings>;
  readonly given: ReturnType<typeof readStartRows>;
  readonly places: Pick<ProgramOptions, "origins">;
  readonly program: ReturnType<typeof compile>;
  readonly credentials: ReturnType<typeof makeCredentials>;
}

function makeEngine(made: Made, open: () => OpenStore, options: Omit<OpenOptions, "mode">)
  : Engine {
  const { plan, settings, given, places, program, credentials } = made;
  const random = options.random ?? pooledRandom();
  const storage = open();
  const hooks: Hooks = {
    hash: (hash, secret) => hashSecret(hash, secret, random),
    verify: verifySecret,
    issue: (scheme, subject, { now }) => credentials.issue(scheme, subject, now),
  };
  if (storage.isNew) {
    storage.begin("write");
    program.start(storage.session, { now: options.now, random, hooks, settings }, given);
    storage.commit();
  }
  return new Engine({
    plan,
    program,
    storage,
    credentials,
    random,
    settings,
    limits: makeLimits(plan, settings),
    keys: new Keys(plan),
    hooks,
    placeOf: (item) => placeOf(places.origins, item),
  });
}

function placesOf(text: string | undefined): Pick<ProgramOptions, "origins"> {
  let read: ProgramOptions["origins"];
  return {
    get origins() {
      read ??= JSON.parse(text ?? "{}") as NonNullable<ProgramOptions["origins"]>;
      return read;
    },
  };
}

function placeOf(origins: ProgramOptions["origins"], item: ItemId): string {
  const at = origins?.[item];
  return at ? `${at.file}:${at.line}:${at.column}` : "";
}
