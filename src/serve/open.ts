/** Makes an engine from plain data, in whichever thread it is to run. */
import type { ItemId, Plan } from "../plan/index.ts";
import type { Hooks, ProgramOptions } from "../run/index.ts";
import { StartRowFault, compile, withStreams } from "../run/index.ts";
import { StorageFault, openStore } from "../store/index.ts";
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
  readonly origins?: ProgramOptions["origins"];
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

/** Compiles the plan and opens its store. Throws `CannotServe` for what the operator can mend. */
export function openEngine(setup: Setup, options: OpenOptions): Engine {
  try {
    return makeEngine(setup, options);
  } catch (fault) {
    const mendable = fault instanceof StorageFault || fault instanceof StartRowFault;
    throw mendable ? new CannotServe([fault.message]) : fault;
  }
}

function makeEngine(setup: Setup, options: OpenOptions): Engine {
  const { origins } = setup;
  const plan = withStreams(setup.plan);
  const random = options.random ?? pooledRandom();
  const settings = readSettings(plan, setup.settings);
  const given = readStartRows(plan, setup.startRows);
  const program = compile(plan, { origins });
  const credentials = makeCredentials(plan, settings);
  const storage = openStore(plan, { store: setup.store, mode: options.mode });
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
    placeOf: (item) => placeOf(origins, item),
  });
}

function placeOf(origins: ProgramOptions["origins"], item: ItemId): string {
  const at = origins?.[item];
  return at ? `${at.file}:${at.line}:${at.column}` : "";
}
