/** Makes an engine from plain data, in whichever thread it is to run. */

import { type Plan, withStreams } from "../../plan/index.ts";
import type { Ambient, Hooks, Members } from "../../run/index.ts";
import { Chooser, compile, StartRowFault } from "../../run/index.ts";
import type { Connection, OpenStore, StorePlace } from "../../store/index.ts";
import { judgeStore, prepareStore, StorageFault } from "../../store/index.ts";
import { CallCoordinator } from "../calls/coordinator.ts";
import { allTerms, type Code, NO_CODE } from "../calls/terms.ts";
import { makeCredentials } from "../credentials/index.ts";
import { digest, sha256 } from "../crypto/digest.ts";
import { hmac } from "../crypto/hmac.ts";
import { pooledRandom } from "../crypto/random.ts";
import { Keys } from "../limits/idempotency.ts";
import { type Limits, makeLimits } from "../limits/limits.ts";
import { blankOf, hashSecret, verifySecret } from "../secrets/secrets.ts";
import { hashesSlowly } from "../secrets/slow.ts";
import { CannotServe } from "../settings/refused.ts";
import { readSettings, readStartRows } from "../settings/settings.ts";
import { retold } from "../streams/reader.ts";
import { AssumptionHeaders } from "./assumption-headers.ts";
import { Choice, noteVersions } from "./choice.ts";
import { chosenPlan, chosenSession } from "./chosen.ts";
import { Engine } from "./engine.ts";
import { firstValue } from "./first-value.ts";
import { type OlderSetup, openOlder, type PreparedOlder, prepareOlder } from "./older.ts";
import type { EngineParts } from "./parts.ts";
import { placeOf, placesOf } from "./places.ts";
import { ReadTurn } from "./read-turn.ts";

/** What an engine is made of; it can be posted to a thread. */
export interface Setup {
  readonly plan: Plan;
  /** Places of items as JSON text: it is read when the first gap is met. */
  readonly origins?: string;
  readonly store: StorePlace;
  /** Texts of the settings by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly startRows?: string;
  /** Seed by which what is left free is chosen. */
  readonly shake?: string;
  /** Whether endpoints that meet a gap answer with an example that the document has. */
  readonly examples?: boolean | undefined;
  /** What is behind the calls. Default: nothing. */
  readonly code?: Code;
  /** Older documents that are served on the store, the oldest first. Default: none. */
  readonly older?: readonly OlderSetup[];
}

interface OpenOptions {
  /** `write` makes the store where there is none and fills a new one. */
  readonly mode: "read" | "write";
  readonly now: bigint;
  readonly random?: (bytes: number) => Uint8Array;
  /** Told how far it is with a large store. Default: nobody is. */
  readonly say?: (text: string) => void;
  /** Whether nobody else waits for what it does: then long reads are done here. */
  readonly isAlone?: boolean;
  /** Whether it is asked of each job what it will ask for, be it alone. Default: see `foresee`. */
  readonly foreseesEach?: boolean | undefined;
  /** A store that is open. Default: the one of the setup is opened. */
  readonly held?: OpenStore;
  /** The connection of a store that is opened over one. */
  readonly connection?: Connection | undefined;
  /**
   * Whether one that was prepared to read writes, too, what need not be waited for in the middle:
   * see `Quick`. Another one has opened the store for writing.
   */
  readonly isQuick?: boolean;
}

/** An engine without its store: all that can be made before the store is there. */
export interface Prepared {
  readonly plan: Plan;
  readonly settings: Members;
  open(options: Omit<OpenOptions, "mode">): Engine;
  /** Compares the plan with a store that is open elsewhere, as far as that needs no writing. */
  judge(now: bigint): void;
}

/** Compiles the plan and opens its store. Throws `CannotServe` for what the operator can mend. */
export function openEngine(setup: Setup, options: OpenOptions): Engine {
  return prepareEngine(setup, options.mode).open(options);
}

/** Compiles the plan. This, and to open it, throws `CannotServe` for what the operator can mend. */
export function prepareEngine(setup: Setup, mode: OpenOptions["mode"]): Prepared {
  const seed = setup.shake;
  const stated = withStreams(setup.plan);
  const plan = seed === undefined ? stated : chosenPlan(stated, new Chooser(seed, sha256));
  const settings = readSettings(plan, setup.settings);
  const given = readStartRows(plan, setup.startRows);
  const places = placesOf(setup.origins);
  const program = compile(plan, places);
  const older = (setup.older ?? []).map((one) => prepareOlder(one, { plan: stated, places }));
  const credentials = makeCredentials(plan, settings);
  const { store, origins } = setup;
  const beside = older.map((one) => one.besides);
  const storing = { store, mode, first: firstValue, retell: retold, places: origins, beside };
  const open = prepareStore(plan, storing);
  const code = setup.code ?? NO_CODE;
  const marks = new AssumptionHeaders(plan);
  const made = {
    plan,
    settings,
    given,
    places,
    program,
    credentials,
    seed,
    mode,
    code,
    marks,
    older,
    examples: setup.examples === true,
  };
  return {
    plan,
    settings,
    open: (options) => {
      const { held } = options;
      return mended(() => makeEngine(made, held === undefined ? open : () => held, options));
    },
    judge: (now) => mended(() => judgeStore(plan, storing, program.kept(judging(settings, now)))),
  };
}

/** What the operator can mend is `CannotServe`. */
function mended<T>(make: () => T): T {
  try {
    return make();
  } catch (fault) {
    const mendable = fault instanceof StorageFault || fault instanceof StartRowFault;
    throw mendable ? new CannotServe([fault.message]) : fault;
  }
}

/** What rows are judged by. */
function judging(settings: Members, now: bigint): Ambient {
  return { now, settings, digest, hooks: {}, random: unrandom };
}

interface Made {
  readonly plan: Plan;
  readonly settings: ReturnType<typeof readSettings>;
  readonly given: ReturnType<typeof readStartRows>;
  readonly places: ReturnType<typeof placesOf>;
  readonly program: ReturnType<typeof compile>;
  readonly credentials: ReturnType<typeof makeCredentials>;
  readonly seed: string | undefined;
  readonly mode: OpenOptions["mode"];
  readonly code: Code;
  readonly marks: AssumptionHeaders;
  readonly older: readonly PreparedOlder[];
  readonly examples: boolean;
}

function makeEngine(
  made: Made,
  open: ReturnType<typeof prepareStore>,
  options: Omit<OpenOptions, "mode">,
): Engine {
  const { plan, settings, given, places, program, credentials, code } = made;
  const judges = program.kept(judging(settings, options.now));
  const { connection, isQuick = false } = options;
  const held = open(judges, options.say, connection && { ...connection, isBeside: isQuick });
  const isWriter = made.mode === "write" && (held.unfilled.size > 0 || made.seed !== undefined);
  if (isWriter) held.begin("write");
  const chooser =
    made.seed === undefined
      ? undefined
      : // A store that is opened again must not be given the ids of its first time.
        new Chooser(made.seed, sha256, isWriter ? held.session.counters.next("#shaken") : 0n);
  const limits = makeLimits(plan, settings);
  const own = held.shared === undefined ? held : sharing(held, limits);
  const storage = chooser ? { ...own, session: chosenSession(own.session, chooser) } : own;
  const random = chooser
    ? (count: number) => chooser.bytes(count)
    : (options.random ?? pooledRandom());
  const hooks: Hooks = {
    hash: (hash, secret) => hashSecret(hash, secret, random),
    verify: verifySecret,
    blank: blankOf,
    hmac,
    issue: (scheme, subject, { now }) => credentials.issue(scheme, subject, now),
  };
  const ambient = { now: options.now, random, digest, hooks, settings, chooser };
  const { unfilled } = storage;
  if (unfilled.size > 0) program.start(storage.session, ambient, { given, unfilled });
  if (isWriter) held.commit();
  if (made.mode === "write" && unfilled.size < plan.resources.length) {
    held.begin("write");
    program.retry(held.session, ambient, given);
    held.commit();
  }
  const all = [...made.older.map((one) => one.plan), plan];
  if (made.mode === "write") noteVersions(held, all, options.now);
  const { ends } = new Choice(all, held);
  const parts: EngineParts = {
    plan,
    all,
    program,
    storage,
    credentials,
    random,
    settings,
    turn: new ReadTurn(storage),
    limits,
    keys: new Keys(plan, all, { nodes: storage.shared }),
    calls: new CallCoordinator(allTerms(plan, code), random, storage.shared),
    hooks,
    chooser,
    isAlone: options.isAlone === true,
    marks: made.marks,
    examples: made.examples,
    // Given bytes are drawn in the order in which a request is run, once.
    hashesBeside: options.random === undefined && chooser === undefined && all.some(hashesSlowly),
    foreseesEach: options.foreseesEach === true,
    placeOf: (item) => placeOf(places.origins, item),
    said: [...held.said, ...(made.mode === "write" ? notTaken(given, unfilled) : [])],
  };
  return new Engine(
    parts,
    made.older.map((one, at) => openOlder(one, parts, ends[at])),
  );
}

/** Of a store that others write to, what is counted is read anew in each transaction. */
function sharing(held: OpenStore, { rates }: Limits): OpenStore {
  const { shared } = held;
  const anew = <T>(begin: () => T): T => {
    rates.reset();
    return begin();
  };
  return {
    ...held,
    begin: (mode) => anew(() => held.begin(mode)),
    ...(shared && { shared: { ...shared, begin: () => anew(() => shared.begin()) } }),
  };
}

/** Rows that are given for resources that have had theirs: nothing is ignored in silence. */
function notTaken(given: Made["given"], unfilled: ReadonlySet<string>): readonly string[] {
  const late = [...(given?.keys() ?? [])].filter((name) => !unfilled.has(name));
  return late.map(
    (name) =>
      `the rows given for \`${name}\` are not taken: the store has had its rows at the start ` +
      "(`lacuna rows` adds others)",
  );
}

/** To judge a row makes nothing. */
function unrandom(): never {
  throw new Error("to judge a row draws no bytes");
}
