/**
 * Decides whether a history of concurrent operations is linearizable: the search of Wing and Gong
 * with the memory of states that Lowe added ("Testing for linearizability", 2017).
 */

/** One operation; `end` is infinite where nobody knows whether it ever took effect. */
export interface Operation<O> {
  readonly start: number;
  readonly end: number;
  readonly is: O;
}

export interface Model<O> {
  /** State at the beginning, as text. */
  readonly initial: string;
  /** The state after an operation; undefined where it cannot have that result in this state. */
  readonly step: (state: string, operation: O) => string | undefined;
}

/** A call, or the return that belongs to it, in a list by time. */
interface Entry {
  readonly operation: number;
  /** Of a call: its return. */
  match: Entry | undefined;
  before: Entry | undefined;
  next: Entry | undefined;
}

/** Calls before returns of the same moment: what touches may have been at once. */
function entriesOf<O>(history: readonly Operation<O>[]): Entry {
  const points = history.flatMap(({ start, end }, operation) => [
    { at: start, isCall: true, operation },
    { at: end, isCall: false, operation },
  ]);
  points.sort((a, b) =>
    a.at === b.at ? Number(b.isCall) - Number(a.isCall) : a.at < b.at ? -1 : 1,
  );
  const head: Entry = { operation: -1, match: undefined, before: undefined, next: undefined };
  const calls = new Map<number, Entry>();
  let last = head;
  for (const { isCall, operation } of points) {
    const entry: Entry = { operation, match: undefined, before: last, next: undefined };
    last.next = entry;
    last = entry;
    const call = calls.get(operation);
    if (isCall) calls.set(operation, entry);
    else if (call) call.match = entry;
  }
  return head;
}

function unlink(entry: Entry): void {
  if (entry.before) entry.before.next = entry.next;
  if (entry.next) entry.next.before = entry.before;
}

function relink(entry: Entry): void {
  if (entry.before) entry.before.next = entry;
  if (entry.next) entry.next.before = entry;
}

/** The operations that have been placed, as bits, and as a text to remember them by. */
class Placed {
  private readonly words: Uint32Array;

  constructor(count: number) {
    this.words = new Uint32Array(Math.ceil(count / 32));
  }

  flip(index: number): void {
    const at = index >>> 5;
    this.words[at] = (this.words[at] ?? 0) ^ (1 << (index & 31));
  }

  name(): string {
    return String.fromCharCode(...new Uint16Array(this.words.buffer));
  }
}

/** Whether there is an order; undefined where more than `stepsMax` steps did not tell. */
export function isLinearizable<O>(
  history: readonly Operation<O>[],
  { initial, step }: Model<O>,
  stepsMax = 5_000_000,
): boolean | undefined {
  const head = entriesOf(history);
  const placed = new Placed(history.length);
  const tried = new Set<string>();
  // States may be long, and are remembered by number.
  const numbers = new Map<string, number>();
  const numberOf = (one: string): number => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  };
  const stack: { readonly entry: Entry; readonly state: string }[] = [];
  let state = initial;
  let entry = head.next;
  for (let steps = 0; head.next !== undefined; steps++) {
    if (steps > stepsMax) return undefined;
    const { match, operation } = entry as Entry;
    if (match) {
      const after = step(state, (history[operation] as Operation<O>).is);
      placed.flip(operation);
      const name = after === undefined ? "" : `${placed.name()} ${numberOf(after)}`;
      if (after !== undefined && !tried.has(name)) {
        tried.add(name);
        stack.push({ entry: entry as Entry, state });
        state = after;
        unlink(match);
        unlink(entry as Entry);
        entry = head.next;
        continue;
      }
      placed.flip(operation);
      entry = entry?.next;
    } else {
      // A return: all that may come before it has been tried.
      const last = stack.pop();
      if (last === undefined) return false;
      placed.flip(last.entry.operation);
      state = last.state;
      relink(last.entry);
      if (last.entry.match) relink(last.entry.match);
      entry = last.entry.next;
    }
  }
  return true;
}
