/** The calls of a store: which work waits for which, what is undone, what answers later. */
import { isStated } from "../../plan/index.ts";
import type { Ambient, Called, Effects, Firing, FiringHost, Session } from "../../run/index.ts";
import type { Ask, AskResult, Asks, CallResult, Replay, Step, Unfinished } from "../jobs/ask.ts";
import type { Note } from "../jobs/job.ts";
import { type Nodes, nodeOf, workOf } from "../jobs/nodes.ts";
import { CallRun, withinMs } from "./call-run.ts";
import { givenTo, type Terms } from "./terms.ts";

/** Calls given out in one go. */
const GIVEN_OUT_MAX = 256;
/** Calls of the store under way, from which on no further long one is given out. */
const UNDER_WAY_MAX = 2_048;
/** Firings of one timed transition that may wait at a time. */
const FIRINGS_MAX = 64;
const FIRST_WAIT_MICROS = 100_000n;
const LAST_WAIT_MICROS = 60_000_000n;
/** How often it is looked for calls of nodes that are gone, and said that this one leads. */
const LOOK_MICROS = 2_000_000n;
/** Time in which an undo is to be answered before it is made again. */
const UNDONE_WITHIN_MS = 30_000;

/** A work besides requests, of which nobody waits for the answer. */
interface Waiting {
  readonly replay: Replay;
  readonly step: Step;
  readonly ask: Ask;
  /** Runs it again; a firing is run again because it is still due. */
  readonly again: (() => void) | undefined;
  ready: boolean;
}

/** What the coordinator is given: the running transaction, and what is left to its owner. */
export interface CoordinatorContext {
  readonly session: Session;
  note(...notes: readonly Note[]): void;
  /** Does what is stated for the answer of a long call, and forgets the call when that is done. */
  answered(called: Called, text: string): void;
}

export class CallCoordinator {
  readonly any: boolean;
  /** Whether the store has calls that are to be made. */
  stirred = true;
  private readonly terms: ReadonlyMap<string, Terms>;
  private readonly random: (bytes: number) => Uint8Array;
  private readonly waiting = new Map<string, Waiting>();
  /** Works that are under way, by name. */
  private readonly works = new Set<string>();
  private readonly turns = new Map<string, CallRun>();
  /** How many firings of a timed transition wait, and which one waits for which. */
  private readonly firings = new Map<string, number>();
  private readonly items = new Map<string, string>();
  /** Whether the store may hold calls of works that nobody runs any more. */
  private hasLost = true;

  private readonly nodes: Nodes | undefined;

  /** `nodes`: others that serve on the same store. Default: there are none. */
  constructor(
    terms: ReadonlyMap<string, Terms>,
    random: (bytes: number) => Uint8Array,
    nodes?: Nodes,
  ) {
    this.terms = terms;
    this.random = random;
    this.nodes = nodes;
    this.any = terms.size > 0;
  }

  /** A run of a request. One that another name of this node has begun begins anew. */
  turn(now: bigint, session: Session, replay?: Replay): CallRun {
    if (replay !== undefined && this.isOwn(replay.work)) return new CallRun(this.terms, replay);
    if (replay !== undefined) this.finish(replay, [], session);
    const text = (bytes: number): string => Buffer.from(this.random(bytes)).toString("base64url");
    const work = workOf(this.nodes, text(15));
    return new CallRun(this.terms, { work, seed: text(24), now, count: 0, said: [] });
  }

  private isOwn(work: string): boolean {
    return this.nodes === undefined || nodeOf(work) === this.nodes.own();
  }

  /** What a request waits for; undefined: it has ended, and its calls stand or are undone. */
  ended(turn: CallRun, { asking, called = [] }: Effects, session: Session): Unfinished | undefined {
    const { work } = turn.replay;
    if (turn.keepsAny) this.stirred = true;
    const waits = asking && turn.waits();
    if (asking === undefined || waits === undefined) {
      this.finish(turn.replay, called, session);
      return undefined;
    }
    turn.keep(session, asking);
    this.works.add(work);
    return waits;
  }

  /** The surroundings of a work that nobody waits for; undefined: it waits for a call. */
  begin(name: string, base: Ambient, session: Session): Ambient | undefined {
    if (!this.any) return base;
    const waiting = this.waiting.get(name);
    if (waiting !== undefined && !waiting.ready) return undefined;
    const turn = this.turn(base.now, session, waiting?.replay);
    this.turns.set(name, turn);
    return turn.ambient(base);
  }

  /** Whether such a work has ended; where it waits for a call, it is run again by `again`. */
  done(name: string, effects: Effects, session: Session, again?: () => void): boolean {
    const turn = this.turns.get(name);
    this.turns.delete(name);
    this.waiting.delete(name);
    const waits = turn && this.ended(turn, effects, session);
    if (waits === undefined) return true;
    this.waiting.set(name, { ...waits, again, ready: false });
    this.stirred = true;
    return false;
  }

  /** A work that was begun and has done nothing. */
  forget(name: string): void {
    this.turns.delete(name);
  }

  /** Who fires what is due: a firing that waits, or too many of whose kind do, is left. */
  firingHost(base: Ambient, session: Session): FiringHost {
    return {
      waiting: this.waiting.size,
      waits: (firing) => {
        const waiting = this.waiting.get(firingName(firing));
        if (waiting !== undefined) return !waiting.ready;
        return (this.firings.get(firing.item) ?? 0) >= FIRINGS_MAX;
      },
      begin: (firing) => this.begin(firingName(firing), base, session) ?? base,
    };
  }

  /** Whether a firing has ended. */
  fired(firing: Firing, effects: Effects, session: Session): boolean {
    const name = firingName(firing);
    const { item } = firing;
    const wasWaiting = this.waiting.has(name);
    const isOver = this.done(name, effects, session);
    const more = Number(!isOver) - Number(wasWaiting);
    if (more !== 0) this.firings.set(item, (this.firings.get(item) ?? 0) + more);
    if (!isOver) this.items.set(name, item);
    else this.items.delete(name);
    return isOver;
  }

  isWaiting(name: string): boolean {
    return this.waiting.get(name)?.ready === false;
  }

  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Stand-ins answer at once what a request has called, so that the next one sees it. */
  standIn(context: CoordinatorContext, now: bigint): void {
    if (![...this.terms.values()].some(({ behind }) => behind.is === "stand-in")) return;
    for (const one of context.session.calls.due("long", now, GIVEN_OUT_MAX)) {
      const behind = this.terms.get(one.call)?.behind;
      if (behind?.is !== "stand-in" || this.isWaiting(answerName(one.key))) continue;
      this.settle(context, now, one, { is: "said", text: behind.text });
    }
  }

  /** Whether a stand-in answers the call. */
  standsIn(call: string): boolean {
    return this.terms.get(call)?.behind.is === "stand-in";
  }

  /** A request that nobody waits for any more. */
  abandon(replay: Replay, session: Session): void {
    this.finish(replay, [], session);
  }

  /** Works that could go on and were not tried again, because nothing is due any more. */
  sweep(session: Session): void {
    for (const [name, { ready, again, replay }] of this.waiting) {
      if (!ready || again !== undefined) continue;
      this.waiting.delete(name);
      const item = this.items.get(name) ?? "";
      this.items.delete(name);
      this.firings.set(item, (this.firings.get(item) ?? 1) - 1);
      this.finish(replay, [], session);
    }
    this.turns.clear();
  }

  /** A transaction was undone: what is known of works may not be what the store holds. */
  reset(): void {
    this.waiting.clear();
    this.firings.clear();
    this.items.clear();
    this.turns.clear();
    this.works.clear();
    this.hasLost = true;
    this.stirred = true;
  }

  /** Calls of the work that stand are forgotten, the others are to be undone. */
  private finish({ work, count }: Replay, called: readonly string[], session: Session): void {
    this.works.delete(work);
    if (count === 0) return;
    for (const one of session.calls.asked(work)) {
      if (called.includes(one.key)) session.calls.remove(one.key);
      else this.undo(one, session);
    }
  }

  private undo(one: Called, { calls }: Session): void {
    calls.remove(one.key);
    const undo = this.terms.get(one.call)?.call.undo;
    const by = isStated(undo) ? this.terms.get(undo.value) : undefined;
    if (by === undefined) return;
    calls.put({
      ...one,
      key: `${one.key}.undo`,
      call: by.call.name,
      state: "undo",
      given: givenTo(by.call, one.given),
      undoes: one.key,
      due: one.since,
      attempts: 0,
    });
    this.stirred = true;
  }

  /** Undoes the calls of works that a crash has ended, of this node or of one that is gone. */
  private undoLost(context: CoordinatorContext): void {
    this.hasLost = false;
    for (const one of context.session.calls.asked()) {
      if (this.works.has(one.work)) continue;
      if (!this.isOwn(one.work) && this.nodes?.isGone(nodeOf(one.work)) === false) continue;
      this.undo(one, context.session);
      context.note({
        what: "fault",
        text: `the call \`${one.call}\` ${one.key} was made for a request that was not finished`,
      });
    }
  }

  /**
   * Takes in what was told, and gives out what is to be made now. `isOthers`: another node looks
   * for calls of works that are lost.
   */
  serve(
    context: CoordinatorContext,
    now: bigint,
    asked: readonly AskResult[],
    isOthers = false,
  ): void {
    const isLooked = this.hasLost || (this.nodes !== undefined && !isOthers);
    if (isLooked) this.undoLost(context);
    for (const { key, told } of asked) this.take(context, now, { key, told });
  }

  private take(context: CoordinatorContext, now: bigint, { key, told }: AskResult): void {
    for (const [name, waiting] of this.waiting) {
      if (waiting.ask.key !== key || waiting.ready) continue;
      const said = [...waiting.replay.said, { ...waiting.step, told }];
      this.waiting.set(name, { ...waiting, replay: { ...waiting.replay, said }, ready: true });
      waiting.again?.();
      return;
    }
    const called = context.session.calls.get(key);
    if (called !== undefined && called.state !== "asked") this.settle(context, now, called, told);
  }

  /** What becomes of an undo or of a long call. */
  private settle(context: CoordinatorContext, now: bigint, called: Called, told: CallResult): void {
    const { key, call, state } = called;
    const { calls } = context.session;
    const terms = this.terms.get(call);
    if (told.is === "said" && (state === "long" || saysWord(terms, told.text))) {
      if (state === "long") context.answered(called, told.text);
      else calls.remove(key);
      return;
    }
    const why =
      told.is === "said"
        ? "it says a word that is not in its table"
        : told.is === "late"
          ? "no answer came in time"
          : told.message;
    if (why !== undefined) {
      context.note({ what: "fault", text: `the call \`${call}\` ${key}: ${why}` });
    }
    if (told.is === "fault" && state === "long") this.askAgain(context.session, called, now);
    else {
      const wait =
        told.is === "later" && told.afterMs !== undefined
          ? BigInt(Math.round(told.afterMs * 1000))
          : backoff(called.attempts);
      calls.put({ ...called, attempts: called.attempts + 1, due: now + wait });
    }
  }

  /** A long call that was answered as it must not be: it is made again, where it may be. */
  askAgain({ calls }: Session, called: Called, now: bigint): void {
    const { key, call, attempts } = called;
    if (this.terms.get(call)?.repeatable !== true) calls.remove(key);
    else calls.put({ ...called, attempts: attempts + 1, due: now + backoff(attempts) });
  }

  /**
   * Calls to be made now, except those that are under way. `otherMs`: for so long another node
   * makes those that no work waits for.
   */
  collect(context: CoordinatorContext, now: bigint, busy: ReadonlySet<string>, otherMs = 0): Asks {
    const { calls } = context.session;
    this.stirred = false;
    const asks: Ask[] = [];
    for (const { ask, ready } of this.waiting.values()) {
      if (!ready && !busy.has(ask.key)) asks.push(ask);
    }
    if (otherMs > 0) return { asks, due: now + BigInt(otherMs) * 1_000n };
    for (const state of ["undo", "long"] as const) {
      asks.push(...this.dueOf(context, state, { now, busy }));
    }
    const due = calls.nextDue(now);
    if (this.nodes === undefined) return { asks, due };
    const again = now + LOOK_MICROS;
    return { asks, due: due === undefined || due > again ? again : due };
  }

  private dueOf(
    context: CoordinatorContext,
    state: "undo" | "long",
    { now, busy }: { readonly now: bigint; readonly busy: ReadonlySet<string> },
  ): Ask[] {
    const { calls } = context.session;
    if (busy.size >= UNDER_WAY_MAX && state === "long") return [];
    const asks: Ask[] = [];
    for (const one of calls.due(state, now, GIVEN_OUT_MAX + busy.size + this.waiting.size)) {
      if (busy.has(one.key) || this.isWaiting(answerName(one.key))) continue;
      const ask = this.askOf(one, now);
      if (ask !== undefined) asks.push(ask);
      else {
        calls.remove(one.key);
        context.note({
          what: "fault",
          text: `the call \`${one.call}\` ${one.key}: no answer came in time`,
        });
      }
    }
    return asks;
  }

  /** The call of a store; undefined: its time is over, or the plan has it no more. */
  private askOf({ key, call, given, undoes, since, state }: Called, now: bigint): Ask | undefined {
    const terms = this.terms.get(call);
    if (terms === undefined) return undefined;
    const { within, behind, repeatable } = terms;
    const left = state === "long" && within !== undefined ? since + within - now : undefined;
    if (left !== undefined && left <= 0n) return undefined;
    return {
      key,
      call,
      given,
      repeatable,
      patient: true,
      ...(undoes === undefined ? {} : { undoes }),
      ...(behind.is === "stand-in" ? { standIn: behind.text } : {}),
      ...(left === undefined
        ? state === "undo"
          ? { withinMs: withinMs(terms).withinMs ?? UNDONE_WITHIN_MS }
          : {}
        : { withinMs: Number(left / 1000n) + 1 }),
    };
  }
}

/** The name of the work that a timed firing is. */
export function firingName({ resource, key, item, at }: Firing): string {
  return `time ${resource} ${key} ${at} ${item}`;
}

/** The name under which the work waits that an answer causes. */
export function answerName(key: string): string {
  return `answer ${key}`;
}

function backoff(attempts: number): bigint {
  const wait = FIRST_WAIT_MICROS * 2n ** BigInt(Math.min(attempts, 20));
  return wait < LAST_WAIT_MICROS ? wait : LAST_WAIT_MICROS;
}

function saysWord(terms: Terms | undefined, text: string): boolean {
  try {
    const { word } = JSON.parse(text) as { word?: unknown };
    return terms?.call.says.some((one) => one.word === word) === true;
  } catch {
    return false;
  }
}
