/**
 * Judges again who listens to a stream, by the credentials of the request that has opened it: a
 * caller who is blocked, revoked or expired hears nothing more. A slow hash is made again only
 * when the stored form that it is compared with has become another.
 */
import type { Ambient, Listener, Presented, Program, Session } from "../../run/index.ts";
import type { Credentials } from "../credentials/index.ts";
import type { Hashed } from "../jobs/hashed.ts";
import type { Opening } from "../jobs/job.ts";
import { BoundedQueue } from "../jobs/queue.ts";
import { Hashes } from "../secrets/hashing.ts";
import { verifyLater } from "../secrets/secrets.ts";

/** Hashes under way for streams, beside those of requests. */
const UNDER_WAY_MAX = 1;

/** Who listens. `until`: when the credentials end. */
type Listening = Listener & { readonly until: bigint | undefined };

interface Memory {
  /** The comparisons that the last look was made with, and those made since. */
  hashed: readonly Hashed[];
  /** What the credentials show, where keys had to be read for it: good for one look. */
  presented: readonly Presented[] | undefined;
  /** The rows that its path names, as they were last. */
  rows: Listener["rows"] | undefined;
}

interface Parts {
  readonly program: Program;
  readonly credentials: Credentials;
}

/** The standing of those who listen. */
export class Standing {
  private readonly parts: Parts;
  private readonly memories = new WeakMap<Opening, Memory>();
  private readonly queue = new BoundedQueue(UNDER_WAY_MAX);

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Who listens; undefined: nobody may any more; a promise: to be asked again when it is kept. */
  judge(
    opening: Opening,
    session: Session,
    ambient: Ambient,
  ): Listening | undefined | Promise<void> {
    const memory = this.memoryOf(opening);
    const presented = this.presented(opening, memory, ambient.now);
    if (presented instanceof Promise) {
      return presented.then((all) => {
        memory.presented = all;
      });
    }
    const { stream, shown, caller: opener } = opening;
    const hashes = new Hashes(memory.hashed, Number.POSITIVE_INFINITY);
    const at = { ...ambient, hooks: hashes.on(ambient.hooks) };
    const listening = {
      ...{ stream, presented, address: shown.address },
      path: new Map(opening.path),
      rows: memory.rows,
    };
    const listener = this.parts.program.streams.listener(listening, session, at);
    if (hashes.needed !== undefined) return this.hash(hashes.needed, memory);
    memory.hashed = hashes.used;
    if (listener === undefined) return undefined;
    const { caller } = listener;
    memory.rows = listener.rows;
    const isSame = caller?.key === opener?.key && caller?.resource === opener?.resource;
    return isSame ? { ...listener, until: endOf(presented) } : undefined;
  }

  private memoryOf(opening: Opening): Memory {
    let memory = this.memories.get(opening);
    if (memory === undefined) {
      memory = { hashed: opening.shown.hashed, presented: undefined, rows: undefined };
      this.memories.set(opening, memory);
    }
    return memory;
  }

  private presented(
    { shown }: Opening,
    memory: Memory,
    now: bigint,
  ): readonly Presented[] | Promise<readonly Presented[]> {
    const { presented } = memory;
    memory.presented = undefined;
    const { headers, query } = shown;
    return presented ?? this.parts.credentials.present(new Map(headers), query, now);
  }

  private hash(needed: NonNullable<Hashes["needed"]>, memory: Memory): Promise<void> {
    return new Promise((resolve) => {
      this.queue.add(async () => {
        const { key } = needed;
        const isRight = needed.is === "verify" && (await verify(needed.stored, needed.secret));
        memory.hashed = [...memory.hashed, { key, made: isRight }];
        resolve();
      });
    });
  }
}

/** What cannot be compared does not match. */
function verify(stored: string, secret: string): Promise<boolean> {
  return verifyLater(stored, secret).catch(() => false);
}

function endOf(presented: readonly Presented[]): bigint | undefined {
  const first = presented.find((one) => one.is !== "none");
  return first?.is === "token" ? first.until : undefined;
}
