/** One run of a work that may call: tells its steps what was said, chance and time as before. */
import { createHash } from "node:crypto";
import type { Ambient, Asking, Called, CallOutcome, Session } from "../../run/index.ts";
import type { Replay, Said, Step, Unfinished } from "../jobs/ask.ts";
import type { Terms } from "./terms.ts";

/** Calls that one work may make in all its runs, so that it ends. */
const CALLS_MAX = 256;
/** An asked call is never due: whoever asked makes it. */
const NEVER = 2n ** 62n;
const BLOCK_BYTES = 32;

/** Bytes that follow from a seed alone: SHA-256 over the seed and a counter. */
export function seededRandom(seed: string): (bytes: number) => Uint8Array {
  let count = 0;
  let pool = Buffer.alloc(0);
  return (bytes) => {
    const blocks = [pool];
    for (let length = pool.length; length < bytes; length += BLOCK_BYTES) {
      blocks.push(createHash("sha256").update(`${seed} ${count}`).digest());
      count++;
    }
    const all = Buffer.concat(blocks);
    pool = all.subarray(bytes);
    return all.subarray(0, bytes);
  };
}

/** The milliseconds within which a call must be answered. */
export function withinMs({ within }: Terms): { readonly withinMs?: number } {
  return within === undefined ? {} : { withinMs: Number(within / 1000n) };
}

export class CallRun {
  readonly replay: Replay;
  private readonly terms: ReadonlyMap<string, Terms>;
  private readonly counts = new Map<string, number>();
  /** The call that must be made before the work can go on. */
  private asking: { readonly step: Step; readonly terms: Terms } | undefined;
  /** Long calls that were kept. */
  private kept = 0;

  constructor(terms: ReadonlyMap<string, Terms>, replay: Replay) {
    this.terms = terms;
    this.replay = replay;
  }

  /** Whether a call was kept that answers later. */
  get keepsAny(): boolean {
    return this.kept > 0;
  }

  /** The surroundings of the work, as they were when it was run first. */
  ambient(base: Ambient): Ambient {
    const { now, seed } = this.replay;
    const call = (asking: Asking, session: Session): CallOutcome => this.tell(asking, session);
    return { ...base, now, random: seededRandom(seed), hooks: { ...base.hooks, call } };
  }

  /** The call that the work waits for, with what it is to be run again with. */
  waits(): Unfinished | undefined {
    if (this.asking === undefined) return undefined;
    const { step, terms } = this.asking;
    const { key, call, given } = step;
    const { repeatable } = terms;
    return {
      step,
      replay: { ...this.replay, count: this.replay.count + 1 },
      ask: { key, call, given, repeatable, patient: false, ...withinMs(terms) },
    };
  }

  /** Keeps the call that is to be made, so that a crash does not forget it. */
  keep(session: Session, asking: Asking): void {
    if (this.asking?.terms.kind !== "effect") return;
    const { key } = this.asking.step;
    session.calls.put(this.called(key, asking, { state: "asked", due: NEVER }));
  }

  private called(
    key: string,
    { call, given, rows }: Asking,
    as: Pick<Called, "state" | "due">,
  ): Called {
    const { work, now } = this.replay;
    return { key, work, call, given, rows, ...as, undoes: undefined, since: now, attempts: 0 };
  }

  private tell(asking: Asking, session: Session): CallOutcome {
    const terms = this.terms.get(asking.call);
    if (terms === undefined) return { is: "no code" };
    if (terms.gap !== undefined) return { is: "gap", gap: terms.gap };
    const { behind, kind } = terms;
    if (behind.is === "gap" || behind.is === "no code") return behind;
    const nth = this.counts.get(asking.step) ?? 0;
    this.counts.set(asking.step, nth + 1);
    if (kind === "long") {
      const key = `${this.replay.work}.long.${this.kept}`;
      this.kept++;
      session.calls.put(this.called(key, asking, { state: "long", due: this.replay.now }));
      return { is: "kept" };
    }
    if (behind.is === "stand-in") {
      return { is: "said", answer: { text: behind.text, standIn: true } };
    }
    const said = this.said(asking, nth, terms, session);
    if (said !== undefined) return outcomeOf(said, kind === "effect");
    return this.ask({ asking, nth, terms });
  }

  /** What was said to the same call in a run before. */
  private said(
    { step, call, given }: Asking,
    nth: number,
    { kind }: Terms,
    session: Session,
  ): Said | undefined {
    return this.replay.said.find((one) => {
      if (one.call !== call || one.given !== given) return false;
      if (kind === "pure") return true;
      const isSame = one.step === step && one.nth === nth;
      return isSame && session.calls.get(one.key)?.state === "asked";
    });
  }

  private ask({ asking, nth, terms }: { asking: Asking; nth: number; terms: Terms }): CallOutcome {
    const { step, call, given } = asking;
    const { work, count, said } = this.replay;
    if (count >= CALLS_MAX) {
      return { is: "fault", message: `one request calls more than ${CALLS_MAX} times` };
    }
    const { undo } = terms.call;
    // Made before with other data: that call is undone, and must be one that can be.
    const isMoved = said.some((one) => one.step === step && one.nth === nth && one.call === call);
    const isUndone = isMoved && terms.kind === "effect";
    if (isUndone && undo.is === "gap") return { is: "gap", gap: undo.gap };
    this.asking = { terms, step: { step, nth, call, given, key: `${work}.${count}` } };
    return { is: "unasked" };
  }
}

/** What a step is told of an answer. */
function outcomeOf({ told: answer, key }: Said, acts: boolean): CallOutcome {
  const named = acts ? { key } : {};
  if (answer.is === "said") {
    return { is: "said", answer: { text: answer.text, standIn: false }, ...named };
  }
  if (answer.is === "fault") return { is: "fault", message: answer.message, ...named };
  return { is: "late", ...named };
}
