/** Bounds of the host itself, apart from those that a document states: one table, and no other. */

interface BoundEntry {
  /** As `--bound` names it. */
  readonly name: string;
  readonly unit: "bytes" | "ms" | "requests" | "connections" | "hashes" | "attempts";
  readonly value: number;
  readonly means: string;
}

/**
 * What protects the host itself. The reference lists it from here. Where a document states a limit
 * that is wider, the bound is as wide as that limit.
 */
export const BOUNDS = {
  targetBytesMax: {
    name: "target-bytes",
    unit: "bytes",
    value: 16_384,
    means: "A request target; a longer one is `target too long`.",
  },
  headerBytesMax: {
    name: "header-bytes",
    unit: "bytes",
    value: 16_384,
    means: "A header section; a larger one is `header section too large`.",
  },
  bodyBytesMax: {
    name: "body-bytes",
    unit: "bytes",
    value: 8_388_608,
    means: "A body, where the document states no limit on it; a larger one is `body too large`.",
  },
  headersTimeoutMs: {
    name: "head-time",
    unit: "ms",
    value: 15_000,
    means: "Until a head has come; past it, `sender too slow`.",
  },
  requestTimeoutMs: {
    name: "request-time",
    unit: "ms",
    value: 60_000,
    means: "Until a whole request has come; past it, `sender too slow`.",
  },
  keepAliveTimeoutMs: {
    name: "idle-time",
    unit: "ms",
    value: 30_000,
    means: "An idle connection; then it is closed (RFC 9112 section 9.5).",
  },
  checkIntervalMs: {
    name: "check-time",
    unit: "ms",
    value: 2_000,
    means: "Between two looks at `head-time` and `request-time`: either may be late by as much.",
  },
  waitingMax: {
    name: "waiting",
    unit: "requests",
    value: 4_096,
    means: "Requests that wait to be written; further ones are read later.",
  },
  pipelinedMax: {
    name: "pipelined",
    unit: "requests",
    value: 256,
    means: "Requests of one connection under way at a time; further ones are done later.",
  },
  unreadBytesMax: {
    name: "unread-bytes",
    unit: "bytes",
    value: 268_435_456,
    means:
      "Answers that wait for their clients. Past a quarter for one client its further requests " +
      "wait; past all, of the client with most the connection that waits longest is closed.",
  },
  unreadTimeoutMs: {
    name: "unread-time",
    unit: "ms",
    value: 30_000,
    means: "A client that takes nothing of a long answer; then its connection is closed.",
  },
  heldBytesMax: {
    name: "held-bytes",
    unit: "bytes",
    value: 134_217_728,
    means:
      "Bodies of requests that are not answered yet, of one client at most half of it; past it, " +
      "what the client with most has begun first and not sent to its end is `too busy`.",
  },
  connectionsMax: {
    name: "connections",
    unit: "connections",
    value: 16_384,
    means:
      "Open connections, or fewer where the system gives the process fewer files; past it, the " +
      "oldest idle one of the client with most is closed.",
  },
  hashesMax: {
    name: "hashes",
    unit: "hashes",
    value: 2,
    means: "Slow hashes (Argon2id, scrypt) that are made at a time, in turns of the clients.",
  },
  hashesWaitingMax: {
    name: "hashes-waiting",
    unit: "hashes",
    value: 1_024,
    means: "Slow hashes that wait; past it, the latest of the client with most is `too busy`.",
  },
  provenMs: {
    name: "proven-time",
    unit: "ms",
    value: 5_000,
    means: "How long credentials that were right need no new slow hash.",
  },
  deliveriesMax: {
    name: "deliveries",
    unit: "attempts",
    value: 2_048,
    means: "Attempts to deliver messages at a time, or fewer where there are fewer files for them.",
  },
  lingerTimeoutMs: {
    name: "linger-time",
    unit: "ms",
    value: 2_000,
    means: "Reading on after the last answer of a connection, so that it arrives (RFC 9112 9.6).",
  },
  freeBytesMin: {
    name: "free-bytes",
    unit: "bytes",
    value: 67_108_864,
    means: "Free space of the database's disk below which `--admin` says that it is not ready.",
  },
  stopTimeoutMs: {
    name: "stop-time",
    unit: "ms",
    value: 10_000,
    means: "Waiting, when the service stops, for what it has begun.",
  },
} as const satisfies Readonly<Record<string, BoundEntry>>;

export type BoundKey = keyof typeof BOUNDS;

/** Values of all bounds: bytes, milliseconds or requests. */
export type HostBounds = Readonly<Record<BoundKey, number>>;

const KEYS = Object.keys(BOUNDS) as BoundKey[];

export const DEFAULT_BOUNDS = Object.fromEntries(
  KEYS.map((key) => [key, BOUNDS[key].value]),
) as HostBounds;

/** The bound that `--bound` names so; undefined: none. */
export function boundNamed(name: string): BoundKey | undefined {
  return KEYS.find((key) => BOUNDS[key].name === name);
}

/** The least that a document asks of bounds, each with the words for what asks it. */
type Needed = ReadonlyMap<BoundKey, { readonly least: number; readonly by: string }>;

/**
 * The bounds that hold: what the operator gives, else the default or what the document needs, if
 * that is more. A text says why: the operator gives less than the document needs.
 */
export function boundsFor(needed: Needed, given: Partial<HostBounds> = {}): HostBounds | string {
  const made: Partial<Record<BoundKey, number>> = {};
  for (const key of KEYS) {
    const { name, value } = BOUNDS[key];
    const { least = 0, by = "" } = needed.get(key) ?? {};
    const wanted = given[key];
    if (wanted !== undefined && wanted < least) {
      return `Bound \`${name}\` is ${wanted}, and the document states ${least} (${by}).`;
    }
    made[key] = wanted ?? Math.max(value, least);
  }
  const { heldBytesMax = 0, bodyBytesMax = 0 } = made;
  const twice = 2 * bodyBytesMax;
  if (heldBytesMax >= twice) return made as HostBounds;
  if (given.heldBytesMax === undefined) return { ...made, heldBytesMax: twice } as HostBounds;
  // One client holds at most half of all.
  return (
    `Bound \`held-bytes\` is ${heldBytesMax}, and bodies of ${bodyBytesMax} bytes ` +
    `(\`body-bytes\`) need ${twice} or more.`
  );
}
