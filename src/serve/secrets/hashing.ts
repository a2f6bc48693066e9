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
import { BoundedQueue } from "../jobs/queue.ts";
import type { Limits } from "../limits/limits.ts";
import { hashLater, isSlow, isStoredSlow, verifyLater } from "./secrets.ts";

/** Runs of one request for the sake of hashes; what it still needs then is made at once. */
const RUNS_MAX = 8;
/** Hashes under way: the pool has four threads, and does other things too. */
const UNDER_WAY_MAX = 2;

/** The hashes of one run of a request. */
export class Hashes {
  /** The first hash that is not there yet. */
  needed: Unhashed | undefined;
  private readonly known: ReadonlyMap<string, Hashed["made"]>;
  private readonly isLast: boolean;
  private count = 0;

  constructor(hashed: readonly Hashed[] = []) {
    this.known = new Map(hashed.map((one) => [one.key, one.made]));
    this.isLast = hashed.length >= RUNS_MAX;
  }

  /** The hooks with those that hash. */
  on(hooks: Hooks): Hooks {
    return {
      ...hooks,
      hash: (hash: Hash, secret: string) => {
        if (!isSlow(hash) || this.isLast) return hooks.hash?.(hash, secret) ?? "";
        const key = keyOf([this.count++, JSON.stringify(hash), secret]);
        const made = this.known.get(key);
        if (typeof made === "string") return made;
        this.needed ??= { key, is: "hash", hash, secret };
        throw new Error("a secret is hashed before the request goes on");
      },
      verify: (stored, secret) => {
        if (!isStoredSlow(stored) || this.isLast) return hooks.verify?.(stored, secret) === true;
        const key = keyOf(["verify", stored, secret]);
        const made = this.known.get(key);
        if (typeof made === "boolean") return made;
        this.needed ??= { key, is: "verify", stored, secret };
        throw new Error("a secret is compared before the request goes on");
      },
    };
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

/** Makes the hashes that requests wait for, a few at a time. */
export class Hasher {
  private readonly clock: { now(): bigint };
  private readonly queue = new BoundedQueue(UNDER_WAY_MAX);

  constructor(clock: { now(): bigint }) {
    this.clock = clock;
  }

  /** Whether a reply is none yet: then its hash is made, and the job is submitted again. */
  takes(job: Job, { unhashed }: Reply, submit: (job: Job) => void): boolean {
    if (unhashed === undefined) return false;
    this.queue.add(async () => {
      if (isOver(job)) return;
      const hashed = [...(job.hashed ?? []), ...(await make(unhashed))];
      if (!isOver(job)) submit({ ...job, hashed, now: this.clock.now() });
    });
    return true;
  }
}

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
