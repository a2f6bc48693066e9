/** The messages of a service while it is tested: received, judged, answered badly on purpose. */
import type { ItemId, Plan } from "../plan/index.ts";
import { addressFields } from "./events/addresses.ts";
import type { ReceiverTold } from "./events/arrival.ts";
import type { EventSink } from "./events/found.ts";
import type { Foreseen } from "./events/free.ts";
import { Receiver } from "./events/receiver.ts";
import { Trials, trialsMs, trialsOf } from "./events/trials.ts";
import { EventWatch } from "./events/watch.ts";
import type { Addresses } from "./generate/making.ts";
import type { Session } from "./session.ts";
import type { Streams } from "./streams.ts";
import type { Request } from "./world/message.ts";
import type { Ran } from "./world/world.ts";

interface MessagesOptions {
  readonly tag: string;
  /** Milliseconds that are waited for what is to happen by itself. Default: 5 s. */
  readonly patienceMs?: number | undefined;
  /** Of the way from the service to the receiver. */
  readonly receiver?: ReceiverTold | undefined;
}

/** What is waited for what is to happen by itself. */
export const PATIENCE_MS = 5_000;

/** How often a trial is begun, at most. */
const BEGINNINGS = 3;

/** Sends requests until one comes to a goal; false: none was found. */
type Seek = (isGoal: (ran: Ran) => boolean) => Promise<boolean>;

/** What is done about messages beside each request, and behind all of them. */
export class Messages {
  readonly addresses: Addresses;
  readonly #session: Session;
  readonly #receiver: Receiver;
  readonly #watch: EventWatch;
  readonly #trials: Trials;
  readonly #patienceMs: number;

  private constructor(session: Session, receiver: Receiver, options: MessagesOptions) {
    const { tag, patienceMs = PATIENCE_MS } = options;
    const { plan, judge } = session;
    const sink: EventSink = {
      held: (items, number) => session.verdicts.held(items, number),
      broken: (found) => session.eventBroken(found),
    };
    this.#session = session;
    this.#receiver = receiver;
    this.#watch = new EventWatch(judge, receiver, sink);
    this.#trials = new Trials(this.#watch, judge, sink, patienceMs);
    this.#patienceMs = patienceMs;
    this.addresses = { ...addressFields(plan), next: () => receiver.newAddress(tag) };
  }

  /** Undefined: the document has no webhook. Rejects where the receiver cannot listen. */
  static async open(session: Session, options: MessagesOptions): Promise<Messages | undefined> {
    if (!hasMessages(session.plan)) return undefined;
    return new Messages(session, await Receiver.open(options.receiver), options);
  }

  async close(): Promise<void> {
    await this.#receiver.close();
  }

  /** What a request comes to that is worth to be seen once. */
  features(ran: Ran): readonly string[] {
    return this.#watch.features(ran);
  }

  /** What has happened by itself is told to both. */
  beside(streams: Streams): void {
    this.#watch.onTimed = (events) => streams.addTimed(events);
    streams.onTimed = (events) => this.#watch.addTimed(events);
  }

  /** To be called before a request is sent. */
  async before(request: Request): Promise<Foreseen> {
    const foreseen = this.#watch.before(request);
    await this.#trials.before(foreseen.ran);
    return foreseen;
  }

  /** To be called when its answer is judged. */
  async after(foreseen: Foreseen): Promise<void> {
    const exchange = this.#session.exchanges.at(-1);
    if (exchange !== undefined) this.#watch.after(exchange, foreseen);
    await this.#trials.after();
  }

  /** Milliseconds that answers other than good ones take, all together. */
  get trialsMs(): number {
    return trialsMs(this.#session.plan, this.#patienceMs);
  }

  /** Judges the messages of what was done; answers some more otherwise than is good. */
  async finish(seek: Seek, run: { readonly isOver: boolean }): Promise<void> {
    const { ledger } = this.#watch;
    await this.#watch.settle(this.#patienceMs);
    for (const trial of trialsOf(this.#session.plan, this.#patienceMs)) {
      const isSent = ledger.messages.some(({ webhook }) => webhook === trial.webhook);
      if (!isSent || run.isOver) continue;
      this.#trials.next = trial;
      // A message that is on its way to the receiver may keep a trial from beginning.
      for (let i = 0; i < BEGINNINGS && this.#trials.isAwaited && !run.isOver; i++) {
        if (!(await seek((ran) => this.#trials.fits(ran)))) break;
      }
      this.#trials.next = undefined;
    }
    await this.#trials.finish();
    for (const { target, items } of this.#trials.changed) await this.#probe(seek, target, items);
    await this.#watch.settle(this.#patienceMs);
    this.#watch.close(this.#patienceMs);
  }

  /** Asks for the receiver whose row has changed by what followed an attempt. */
  async #probe(seek: Seek, target: string, items: readonly ItemId[]): Promise<void> {
    const { verdicts, breaks } = this.#session;
    const count = breaks.length;
    const shows = ({ endpoint, outcome: { response } }: Ran): boolean =>
      endpoint?.method === "GET" &&
      response.status === 200 &&
      response.body?.includes(target) === true;
    if (!(await seek(shows))) return;
    const { requests } = this.#session;
    if (breaks.length > count) verdicts.broken(items, requests);
    else verdicts.held(items, requests);
  }
}

function hasMessages({ webhooks }: Plan): boolean {
  return webhooks.length > 0;
}
