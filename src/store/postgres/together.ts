/**
 * Runs that only read, each at one moment of the store: what they ask for is sent together, and
 * each is begun anew with the answers.
 */
import type { Ran } from "../opened.ts";
import { Ahead, type Asked, NOT_THERE_YET } from "./ahead.ts";
import type { HeldRow } from "./wire.ts";

/** How often runs are run again together without those whose statements were ended. */
const ENDED_MAX = 2;
const GOES_MAX = 8;

/** Statements that are to be sent together. */
interface Fetch {
  readonly asked: readonly Asked[];
  /** Whether a transaction is to begin with them, as more is asked behind; else none is needed. */
  readonly begins: boolean;
}

/** The rows of each; or the place of the one that was ended, undefined: another fault. */
export type Fetched =
  | { readonly rows: readonly (readonly HeldRow[])[] }
  | { readonly endedAt: number | undefined };

/** Gives what became of the runs; whoever drives it sends what it asks for. */
export type Asking<T> = Generator<Fetch, readonly Ran<T>[], Fetched>;

interface Around {
  /** What a run asks for is answered by it. */
  readonly within: <R>(ahead: Ahead, run: () => R) => R;
  /** Statements behind which more was asked before. Undefined: there is a transaction. */
  readonly longer?: Set<string>;
  /** Takes what is known. Default: one for each go. */
  readonly ahead?: Ahead;
  /** How often runs are begun anew together: what asks more often is run by itself. */
  readonly goesMost?: number;
}

/** What became of a run. */
export function ran<T>(run: () => T): Ran<T> {
  try {
    return { is: "made", made: run() };
  } catch (fault) {
    return { is: "fault", fault };
  }
}

/** `runs`: each may be begun more than once. */
export function* together<T>(runs: readonly (() => T)[], around: Around): Asking<T> {
  const made: Ran<T>[] = runs.map(() => ({ is: "long" }));
  let left: readonly number[] = [...runs.keys()];
  for (let ended = 0; left.length > 0 && ended < ENDED_MAX; ended++) {
    left = yield* goes(runs, left, made, around);
  }
  return made;
}

/** Gives the runs that are left where what one of them has asked for was ended. */
function* goes<T>(
  runs: readonly (() => T)[],
  all: readonly number[],
  made: Ran<T>[],
  { within, longer, ahead = new Ahead(), goesMost = GOES_MAX }: Around,
): Generator<Fetch, readonly number[], Fetched> {
  const wanted = new Map<number, string>();
  let hasBegun = longer === undefined;
  /** What was asked first, and what each run had asked of it. */
  let [first, asking]: [readonly Asked[], ReadonlyMap<number, string>] = [[], wanted];
  let left = [...all];
  for (let go = 0; go < goesMost; go++) {
    left = within(ahead, () =>
      left.filter((at) => {
        const one = ran(runs[at] as () => T);
        wanted.set(at, ahead.lastWanted);
        made[at] = one;
        return one.is === "fault" && one.fault === NOT_THERE_YET;
      }),
    );
    if (left.length === 0) return [];
    // Several statements without a transaction are of one moment only where they are sent together.
    if (go > 0 && !hasBegun) {
      const more = new Set(left.map((at) => asking.get(at)));
      for (const [i, { sql }] of first.entries()) if (more.has(ahead.askedAt(i))) longer?.add(sql);
      ahead.anew();
    }
    const asked = ahead.wanted();
    if (go === 0) [first, asking] = [asked, new Map(wanted)];
    const begins = !hasBegun && (go > 0 || asked.some(({ sql }) => longer?.has(sql)));
    const fetched = yield { asked, begins };
    hasBegun ||= begins;
    if ("rows" in fetched) {
      ahead.take(fetched.rows);
      continue;
    }
    // What one of them has asked for is no reason for the others to fail.
    const { endedAt } = fetched;
    for (const at of left) made[at] = { is: endedAt === undefined ? "alone" : "long" };
    if (endedAt === undefined) return [];
    const guilty = ahead.askedAt(endedAt);
    return left.filter((at) => wanted.get(at) !== guilty);
  }
  for (const at of left) made[at] = { is: "alone" };
  return [];
}
