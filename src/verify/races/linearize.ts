/**
 * Whether operations that were done at the same time can be put in one order that a model allows.
 *
 * Wing and Gong, "Testing and Verifying Concurrent Objects" (1993), with the memory of states that
 * were seen of Lowe, "Testing for linearizability" (2017): after the same operations in the same
 * state nothing new comes, in whichever order they were done.
 */

/** One operation of a history. */
export interface Operation<T> {
  readonly what: T;
  /** When it was asked for, in any unit. */
  readonly called: number;
  /** When it was answered; `Infinity`: never, and it may be done at any time, or not at all. */
  readonly returned: number;
}

/** What operations are done in; it may go several ways, and be taken back. */
export interface Model<T> {
  /**
   * Does the operation in the way of that number, from 0 on, of those that give its answer. False:
   * there is no such way, and nothing is done.
   */
  step(what: T, way: number): boolean;
  /** Takes back the last step that was done and not taken back. */
  undo(): void;
  /** A text that two states share only if they are the same; undefined: it is not told. */
  state(): string | undefined;
  /** Whether it changes nothing, in whatever state it is done. */
  isRead(what: T): boolean;
}

type Linearized =
  /** Places of operations in the history, in the order that was found; the model is behind it. */
  | { readonly is: "yes"; readonly order: readonly number[] }
  /** The model is as it was. */
  | { readonly is: "no" }
  /** So many steps did not tell; the model is as it was. */
  | { readonly is: "unknown" };

/** An event in a list in the order of time: a call, or the return of one. */
interface Event {
  readonly operation: number;
  /** Of a call: its return. */
  readonly match: Event | undefined;
  before: Event | undefined;
  after: Event | undefined;
}

/** What may come next, and how far it was tried. */
interface Choice {
  /** Calls, that of the first return first: what is answered soon was mostly done soon. */
  readonly calls: readonly Event[];
  at: number;
  way: number;
}

/**
 * Searches an order in which no operation comes before one that was answered before it was asked
 * for. Two that touch in one instant may stand in either order. One that was never answered need
 * not stand in it.
 *
 * `budget`: steps of the model that are tried at most.
 */
export function linearize<T>(
  history: readonly Operation<T>[],
  model: Model<T>,
  budget: number,
): Linearized {
  const search = new Search(history, model);
  const found = search.run(budget);
  if (found !== "yes") search.undoAll();
  return found === "yes" ? { is: "yes", order: search.order } : { is: found };
}

class Search<T> {
  readonly #history: readonly Operation<T>[];
  readonly #model: Model<T>;
  /** Stands before the first event. */
  readonly #head: Event;
  readonly #done: Choice[] = [];
  /** Answered operations that are done, a bit each. */
  readonly #bits: Uint32Array;
  /** The same of those that were never answered. */
  readonly #open: Uint32Array;
  /** Answered operations that are not done. */
  #left: number;
  /** By answered operations and the state that they led to: what was done besides, each time. */
  readonly #seen = new Map<string, Uint32Array[]>();
  /** Numbers of states, whose texts may be long. */
  readonly #states = new Map<string, number>();

  constructor(history: readonly Operation<T>[], model: Model<T>) {
    this.#history = history;
    this.#model = model;
    this.#head = listed(history);
    this.#bits = new Uint32Array(Math.ceil(history.length / 32));
    this.#open = new Uint32Array(this.#bits.length);
    this.#left = history.filter((_, i) => !this.#isOpen(i)).length;
  }

  #isOpen(operation: number): boolean {
    return this.#history[operation]?.returned === Number.POSITIVE_INFINITY;
  }

  get order(): readonly number[] {
    return this.#done.map((one) => callOf(one).operation);
  }

  undoAll(): void {
    for (; this.#done.length > 0; this.#done.pop()) this.#model.undo();
  }

  run(budget: number): Linearized["is"] {
    let choice = this.#choice();
    for (let left = budget; this.#left > 0; left--) {
      const call = choice.calls[choice.at];
      if (call === undefined) {
        const last = this.#back();
        if (last === undefined) return "no";
        choice = last;
        continue;
      }
      if (left <= 0) return "unknown";
      const came = this.#try(call, choice.way);
      if (came === "impossible") {
        choice.at += 1;
        choice.way = 0;
      } else if (came === "seen") choice.way += 1;
      if (came !== "new") continue;
      this.#done.push(choice);
      lift(call);
      choice = this.#choice();
    }
    return "yes";
  }

  /** The calls before the first return: what was asked for behind it cannot come before it. */
  #choice(): Choice {
    const calls: Event[] = [];
    let one = this.#head.after;
    for (; one?.match !== undefined; one = one.after) calls.push(one);
    const rank = ({ operation }: Event): number => {
      const { what, returned } = this.#history[operation] as Operation<T>;
      return this.#model.isRead(what) ? 0 : returned === Number.POSITIVE_INFINITY ? 2 : 1;
    };
    calls.sort((a, b) => rank(a) - rank(b));
    return { calls, at: 0, way: 0 };
  }

  /**
   * Takes operations back, up to one in whose place another may lead to an end. A read is none:
   * what ends with it later ends with it here, since nothing is changed by it.
   */
  #back(): Choice | undefined {
    for (let last = this.#done.pop(); last !== undefined; last = this.#done.pop()) {
      const { operation } = callOf(last);
      this.#model.undo();
      this.#mark(operation);
      unlift(callOf(last));
      const { what } = this.#history[operation] as Operation<T>;
      if (this.#model.isRead(what)) continue;
      last.way += 1;
      return last;
    }
    return undefined;
  }

  #try({ operation }: Event, way: number): "new" | "seen" | "impossible" {
    const { what } = this.#history[operation] as Operation<T>;
    if (!this.#model.step(what, way)) return "impossible";
    this.#mark(operation);
    const state = this.#model.state();
    if (state === undefined) return "new";
    if (this.#isNew(state)) return "new";
    this.#mark(operation);
    this.#model.undo();
    return "seen";
  }

  /** Whether nobody was here before with as much or more left to be done. */
  #isNew(state: string): boolean {
    const number = this.#states.get(state) ?? this.#states.size;
    this.#states.set(state, number);
    const name = `${number} ${String.fromCharCode(...new Uint16Array(this.#bits.buffer))}`;
    const before = this.#seen.get(name) ?? [];
    if (before.some((one) => one.every((bits, i) => (bits & ~(this.#open[i] ?? 0)) === 0))) {
      return false;
    }
    before.push(this.#open.slice());
    this.#seen.set(name, before);
    return true;
  }

  /** Notes that an operation is done, or that it is not, any more. */
  #mark(operation: number): void {
    const isOpen = this.#isOpen(operation);
    const all = isOpen ? this.#open : this.#bits;
    const place = operation >> 5;
    const bit = 1 << (operation & 31);
    all[place] = (all[place] ?? 0) ^ bit;
    if (!isOpen) this.#left += ((all[place] ?? 0) & bit) === 0 ? 1 : -1;
  }
}

function callOf({ calls, at }: Choice): Event {
  return calls[at] as Event;
}

/** All events in a list, behind one that is none of them. */
function listed<T>(history: readonly Operation<T>[]): Event {
  const all = history.flatMap(({ called, returned }, operation) => [
    { operation, at: called, isReturn: false },
    { operation, at: returned, isReturn: true },
  ]);
  all.sort((a, b) => (a.at === b.at ? Number(a.isReturn) - Number(b.isReturn) : a.at - b.at));
  const returns = new Map<number, Event>();
  for (const { operation, isReturn } of all) {
    const event = { operation, match: undefined, before: undefined, after: undefined };
    if (isReturn) returns.set(operation, event);
  }
  const head: Event = { operation: -1, match: undefined, before: undefined, after: undefined };
  let last = head;
  for (const { operation, isReturn } of all) {
    const own = returns.get(operation) as Event;
    const event = isReturn ? own : { operation, match: own, before: undefined, after: undefined };
    link(last, event);
    last = event;
  }
  return head;
}

function link(before: Event, after: Event): void {
  before.after = after;
  after.before = before;
}

/** Takes a call and its return out of the list. */
function lift(call: Event): void {
  for (const one of [call, call.match as Event]) {
    if (one.before !== undefined) one.before.after = one.after;
    if (one.after !== undefined) one.after.before = one.before;
  }
}

/** Puts a call and its return back where they were. */
function unlift(call: Event): void {
  for (const one of [call.match as Event, call]) {
    if (one.before !== undefined) one.before.after = one;
    if (one.after !== undefined) one.after.before = one;
  }
}

const FIRST_BUDGET = 20_000;

/**
 * Judges a history in parts that nothing but themselves hangs on, such as those of one key each: it
 * has no order if one part has none. Each gets a small budget first, so that a part that is hard to
 * judge keeps none from being found to have no order.
 *
 * `modelOf`: what a part is done in from its beginning. `budget`: steps for each part.
 */
export function linearizeParts<T>(
  history: readonly Operation<T>[],
  keyOf: (what: T) => string,
  { modelOf, budget }: { readonly modelOf: () => Model<T>; readonly budget: number },
): Linearized["is"] {
  let parts = [...Map.groupBy(history, ({ what }) => keyOf(what)).values()];
  for (let steps = Math.min(FIRST_BUDGET, budget); ; steps = Math.min(steps * 10, budget)) {
    const open: (typeof parts)[number][] = [];
    for (const part of parts) {
      const { is } = linearize(part, modelOf(), steps);
      if (is === "no") return "no";
      if (is === "unknown") open.push(part);
    }
    if (open.length === 0) return "yes";
    if (steps === budget) return "unknown";
    parts = open;
  }
}
