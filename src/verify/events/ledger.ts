/** The messages that are expected, and those that came: which is which. */
import { isStated, type Webhook } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";
import type { Difference, Loose } from "../judge/compare.ts";
import { bindingsIn, isMarked } from "../world/texts.ts";
import { type Alike, alike, type Knowing } from "./alike.ts";
import type { Arrival } from "./arrival.ts";
import type { Judged } from "./signed.ts";

/** A message that the document states to be sent to an address of the receiver. */
export interface Message {
  /** Number of the request that caused it. */
  readonly cause: number;
  readonly webhook: Webhook;
  /** Key of the receiver's row. */
  readonly receiver: number;
  readonly event: string;
  /** A mark: what names the message is not known until it is seen. */
  readonly name: string;
  readonly body: string;
  readonly loose: Loose;
  /** The service's time of the event; where it fell due by itself, the latest that it may be. */
  readonly sent: bigint;
  /** The earliest that it may be. */
  readonly since: bigint;
  /** When it may have been sent at the earliest, by this program's clock. */
  readonly from: bigint;
  /** Where it arrives; more than one where the receiver's row has changed since. */
  readonly targets: Set<string>;
  /** Values of the receiver's row since then. */
  readonly states: (readonly Value[])[];
  /** It need not come: the receiver is gone, or what emits it is free to do otherwise. */
  isOptional: boolean;
  /** It fell due by itself, at about that time. */
  readonly isTimed: boolean;
  readonly arrivals: Arrival[];
  /** It came with another body: what is otherwise. */
  differences?: readonly Difference[];
}

const NUMBER = 200;

/** What is judged of an attempt besides its body. */
type Judge = (message: Message, arrival: Arrival) => Judged;
type Came = readonly [message: Message, arrival: Arrival, judged: Judged];

/** Knows which message each arrival is. */
export class Ledger {
  readonly messages: Message[] = [];
  /** Arrivals that are no message so far. */
  strays: Arrival[] = [];
  readonly #known = new Map<string, string>();
  readonly #context: Knowing;
  /** Messages from here on were added since strays were looked at. */
  #looked = 0;

  constructor(context: Knowing) {
    this.#context = context;
  }

  /** What names the message, as far as it is known. */
  nameOf({ name }: Message): string {
    return this.#known.get(name) ?? name;
  }

  /** Messages that must come and have not. */
  missing(): readonly Message[] {
    return this.messages.filter(
      ({ arrivals, isOptional, differences }) =>
        arrivals.length === 0 && !isOptional && differences === undefined,
    );
  }

  /** Adds arrivals; gives those that are messages, with what they are. */
  take(arrivals: readonly Arrival[], judge: Judge): readonly Came[] {
    const added = this.messages.slice(this.#looked);
    this.#looked = this.messages.length;
    const found: Came[] = [];
    const left: Arrival[] = [];
    const look = (arrival: Arrival, among: readonly Message[]): void => {
      const came = this.#messageOf(arrival, among, judge);
      if (came === undefined) left.push(arrival);
      else found.push(came);
    };
    if (added.length > 0) for (const one of this.strays) look(one, added);
    else left.push(...this.strays);
    for (const one of arrivals) look(one, this.messages);
    this.strays = left;
    return found;
  }

  /** Of several with the same body the one whose signature it has. */
  #messageOf(arrival: Arrival, among: readonly Message[], judge: Judge): Came | undefined {
    let best: (Alike & { readonly message: Message; readonly judged: Judged }) | undefined;
    for (const message of this.#candidates(arrival, among)) {
      const compared = this.compared(message, arrival);
      if (compared.differences.length > 0) continue;
      const judged = judge(message, arrival);
      const isBetter = judged.faults.length < (best?.judged.faults.length ?? Number.MAX_VALUE);
      if (isBetter) best = { ...compared, message, judged };
      if (judged.faults.length === 0) break;
    }
    if (best === undefined) return undefined;
    const { message, judged, names } = best;
    for (const [mark, text] of names) this.#known.set(mark, text);
    if (judged.name !== undefined && isMarked(message.name)) {
      this.#known.set(message.name, judged.name);
    }
    message.arrivals.push(arrival);
    return [message, arrival, judged];
  }

  /** Messages that it may be, those that did not come yet first. */
  #candidates(arrival: Arrival, among: readonly Message[]): readonly Message[] {
    const here = among.filter(
      ({ targets, from }) => targets.has(arrival.target) && from <= arrival.at,
    );
    const id = arrival.headers.find(([name]) => name.toLowerCase() === "webhook-id")?.[1];
    const named = here.filter((one) => id !== undefined && this.nameOf(one) === id);
    // Another name is another message, where what names it is shown.
    const others = here.filter(
      (one) => id === undefined || !usesIds(one) || isMarked(this.nameOf(one)),
    );
    const isNew = (one: Message): boolean => one.arrivals.length === 0;
    const known = others.filter((one) => !isNew(one)).slice(-NUMBER);
    return [...new Set([...named, ...others.filter(isNew), ...known])];
  }

  /** What of the body is otherwise, and what the marks in it are. */
  compared({ body: expected, ...message }: Message, { body: observed, at }: Arrival): Alike {
    const { loose, sent, since } = message;
    return alike(
      { expected, loose, observed, at, early: sent - since },
      this.#context,
      this.#known,
    );
  }

  /** Of the messages that did not come the one that is most like it, and how it differs. */
  nearest(arrival: Arrival): readonly [Message, readonly Difference[]] | undefined {
    const open = this.messages.filter(
      ({ targets, from, arrivals, differences, isOptional }) =>
        targets.has(arrival.target) &&
        from <= arrival.at &&
        arrivals.length === 0 &&
        differences === undefined &&
        !isOptional,
    );
    let best: readonly [Message, readonly Difference[]] | undefined;
    for (const one of open) {
      const { differences } = this.compared(one, arrival);
      if (best === undefined || differences.length < best[1].length) best = [one, differences];
    }
    return best;
  }

  /** Whether it may be a message of which not all is known. */
  mayBe({ target, at }: Arrival): boolean {
    return this.messages.some(
      ({ targets, from, arrivals, isOptional }) =>
        isOptional && arrivals.length === 0 && targets.has(target) && from <= at,
    );
  }

  /** A message that came already, and says the same but for what names it. */
  again(arrival: Arrival): Message | undefined {
    return this.messages.find((one) => {
      if (!one.targets.has(arrival.target) || one.arrivals.length === 0) return false;
      const { body } = one.arrivals[0] as Arrival;
      if (body === arrival.body) return true;
      const marked = this.#context.shown(one.body);
      return (
        bindingsIn(marked, body) !== undefined && bindingsIn(marked, arrival.body) !== undefined
      );
    });
  }
}

function usesIds({ webhook: { signature } }: Message): boolean {
  return isStated(signature) && signature.value.form !== "HMAC";
}
