/**
 * Slow hashes are made beside the transaction: the request that needs one is undone, the hash is
 * made in a thread of the platform's pool, and the request is run again with it.
 */
import { createHash } from "node:crypto";
import type { Hash } from "../../plan/index.ts";
import type { Hooks, Session } from "../../run/index.ts";
import { giveBack, isGivenUp } from "../jobs/deadlines.ts";
import type { Hashed, Unhashed } from "../jobs/hashed.ts";
import type { Job, Reply } from "../jobs/job.ts";
import { Lanes, type Presence } from "../jobs/lanes.ts";
import { peerOf } from "../jobs/peer.ts";
import type { Limits } from "../limits/limits.ts";
import { Proven } from "./proven.ts";
import { hashLater, isSlow, isStoredSlow, verifyLater } from "./secrets.ts";

/** Runs of one request for the sake of hashes; what it still needs then is made at once. */
const RUNS_MAX = 8;

/** The hashes of one run of a request. */
export class Hashes {
  /** The first hash that is not there yet. */
  needed: Unhashed | undefined;
  private readonly asked = new Set<string>();
  private readonly known: ReadonlyMap<string, Hashed["made"]>;
  private readonly isLast: boolean;
  private count = 0;

  constructor(hashed: readonly Hashed[] = [], runsMax = RUNS_MAX) {
    this.known = new Map(hashed.map((one) => [one.key, one.made]));
    this.isLast = hashed.length >= runsMax;
  }

  /** Those that were there and were asked for. */
  get used(): readonly Hashed[] {
    return [...this.known].flatMap(([key, made]) => (this.asked.has(key) ? [{ key, made }] : []));
  }

  /** The hooks with those that hash. */
  on(hooks: Hooks): Hooks {
    return {
      ...hooks,
      hash: (hash: Hash, secret: string) => {
        if (!isSlow(hash) || this.isLast) return hooks.hash?.(hash, secret) ?? "";
        const key = keyOf([this.count++, JSON.stringify(hash), secret]);
        const made = this.find(key);
        if (typeof made === "string") return made;
        this.needed ??= { key, is: "hash", hash, secret };
        throw new Error("a secret is hashed before the request goes on");
      },
      verify: (stored, secret) => {
        if (!isStoredSlow(stored) || this.isLast) return hooks.verify?.(stored, secret) === true;
        const key = keyOf(["verify", stored, secret]);
        const made = this.find(key);
        if (typeof made === "boolean") return made;
        this.needed ??= { key, is: "verify", stored, secret };
        throw new Error("a secret is compared before the request goes on");
      },
    };
  }

  private find(key: string): Hashed["made"] | undefined {
    this.asked.add(key);
    return this.known.get(key);
  }
}

function keyOf(what: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(what)).digest("base64url");
}

interface Parts {
  readonly storage: { readonly session: Session };
  readonly limits: Limits;
}

/** Runs a job; where it needs a hash, all that it did is undone. */
export function runHashed(
  { storage: { session }, limits }: Parts,
  job: Job,
  run: (hashes: Hashes) => Reply,
): Reply {
  const hashes = new Hashes(job.hashed);
  session.savepoint();
  const reply = run(hashes);
  if (hashes.needed === undefined) {
    session.release();
    return reply;
  }
  session.rollback();
  limits.rates.reset();
  giveBack(job);
  return { status: 0, headers: [], body: undefined, unhashed: hashes.needed };
}

/** What bounds the hashes that requests wait for. */
interface HashBounds {
  /** Hashes that are made at a time. */
  readonly hashesMax: number;
  /** Hashes that wait. */
  readonly hashesWaitingMax: number;
  /** How long right credentials need no new hash, in milliseconds. */
  readonly provenMs: number;
}

interface Waiting {
  readonly job: Job;
  readonly unhashed: Unhashed;
  readonly go: Go;
}

/** What becomes of a job that needs a hash. */
interface Go {
  /** It is run again, with the hash. */
  again(job: Job): void;
  /** It is not run: there is too much to do, or nobody waits for it. */
  refuse(): void;
}

/** Makes the hashes that requests wait for, a few at a time, in fair turns of the clients. */
export class Hasher {
  private readonly clock: { now(): bigint };
  private readonly bounds: HashBounds;
  private readonly lanes: Lanes<Waiting>;
  private readonly proven: Proven;
  private underWay = 0;

  /** `at`: how the connections are that requests came in on. */
  constructor(clock: { now(): bigint }, bounds: HashBounds, at: (line: number) => Presence) {
    this.clock = clock;
    this.bounds = bounds;
    this.lanes = new Lanes(
      (line) => (line === NO_LINE ? "open" : at(line)),
      ({ go }) => go.refuse(),
    );
    this.proven = new Proven(bounds.provenMs);
  }

  /** Whether a reply is none yet: then its hash is made, and the job is submitted again. */
  takes(job: Job, { unhashed }: Reply, go: Go): boolean {
    if (unhashed === undefined) return false;
    if (unhashed.is === "verify" && this.proven.has(unhashed.stored, unhashed.secret)) {
      this.submit({ job, unhashed, go }, [{ key: unhashed.key, made: true }]);
      return true;
    }
    // What has called something is done to its end, whoever waits for it.
    const line = job.replay === undefined ? (job.line ?? NO_LINE) : NO_LINE;
    this.lanes.add(peerOf(job.address), line, { job, unhashed, go });
    if (this.lanes.count > this.bounds.hashesWaitingMax) {
      this.lanes.sweep((one) => isOver(one.job));
      this.refuse();
    }
    this.next();
    return true;
  }

  /** Of the client with most waiting, the latest: it has waited for the shortest time. */
  private refuse(): void {
    if (this.lanes.count <= this.bounds.hashesWaitingMax) return;
    const one = this.lanes.latest();
    if (one === undefined) return;
    if (one.job.replay === undefined) one.go.refuse();
    else void this.make(one);
  }

  private next(): void {
    while (this.underWay < this.bounds.hashesMax) {
      const one = this.lanes.next();
      if (one === undefined) return;
      if (!isOver(one.job)) void this.make(one);
    }
  }

  private async make(one: Waiting): Promise<void> {
    const { unhashed } = one;
    this.underWay++;
    const hashed = await make(unhashed);
    this.underWay--;
    if (unhashed.is === "verify" && hashed.some(({ key, made }) => key !== "" && made === true)) {
      this.proven.add(unhashed.stored, unhashed.secret);
    }
    this.submit(one, hashed);
    this.next();
  }

  private submit({ job, go }: Waiting, made: readonly Hashed[]): void {
    if (isOver(job)) return;
    go.again({ ...job, hashed: [...(job.hashed ?? []), ...made], now: this.clock.now() });
  }
}

/** The connection of what is no client's any more. */
const NO_LINE = -1;

/** Whether a job is answered already, and has called nothing that would have to be undone. */
function isOver(job: Job): boolean {
  return isGivenUp(job) && job.replay === undefined;
}

/** The hash; where it cannot be made, the request tries it itself, and fails as it would have. */
async function make(unhashed: Unhashed): Promise<readonly Hashed[]> {
  const { key, secret } = unhashed;
  try {
    return [
      {
        key,
        made:
          unhashed.is === "hash"
            ? await hashLater(unhashed.hash, secret)
            : await verifyLater(unhashed.stored, secret),
      },
    ];
  } catch {
    return new Array<Hashed>(RUNS_MAX).fill({ key: "", made: false });
  }
}
