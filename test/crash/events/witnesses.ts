/** All who are told of events in a crash run: receivers of webhooks and readers of streams. */
import { Client } from "../clients.ts";
import { readOutgoing, undelivered, waitingMessages, withoutCause } from "./deliveries.ts";
import { isUpToDate, misread, namesIn, readHappened } from "./feeds.ts";
import { Reader } from "./readers.ts";
import { Receivers } from "./receivers.ts";

const LOOK_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Receivers and readers of one run. */
export class Witnesses {
  readonly receivers: Receivers;
  private readonly readers: Reader[];
  private readonly random: () => number;

  private readonly mayFail: boolean;

  private constructor(receivers: Receivers, random: () => number, mayFail: boolean) {
    this.mayFail = mayFail;
    this.receivers = receivers;
    this.random = random;
    this.readers = [
      new Reader("feed", "steady", { random }),
      new Reader("feed", "dropping", { random }),
      new Reader("large", "steady", { fromStart: true, random }),
      new Reader("large", "dropping", { random }),
    ];
  }

  /** `mayFail`: streams may be refused for a fault of the service. */
  static async make(random: () => number, { mayFail = false } = {}): Promise<Witnesses> {
    const seed = Math.floor(random() * 2 ** 32);
    const made = new Witnesses(await Receivers.start(seed), random, mayFail);
    for (const one of made.readers) one.mayFail = mayFail;
    return made;
  }

  /** Registers the hooks and opens the streams, before anything happens. */
  async begin(port: number, file: string): Promise<void> {
    const client = new Client(port);
    for (const one of this.receivers.registrations()) {
      const answer = await client.ask("POST", "/hooks", one);
      if (answer?.status !== 201) throw new Error(`no hook: ${answer?.status} ${answer?.body}`);
    }
    client.close();
    for (const one of this.readers) one.names = namesIn(file);
    await Promise.all(this.readers.map((one) => one.serveAt(port)));
  }

  serveAt(port: number): void {
    for (const one of this.readers) void one.serveAt(port);
  }

  /** What is wrong with what was sent so far. */
  async look(file: string, kills: number): Promise<readonly string[]> {
    const before = await this.receivers.received();
    const outgoing = readOutgoing(file);
    const after = await this.receivers.received();
    const happened = readHappened(file);
    return [
      ...withoutCause(outgoing, before),
      ...undelivered(outgoing, after, kills),
      ...this.readers.flatMap((one) => misread(one, happened)),
    ];
  }

  /** In the end nothing waits and every reader has seen all; one more reads all from the start. */
  async settle(file: string, kills: number, timeoutMs: number): Promise<readonly string[]> {
    this.receivers.calm();
    const within = async (holds: () => boolean): Promise<void> => {
      const end = performance.now() + timeoutMs;
      while (!holds() && performance.now() < end) await pause(LOOK_MS);
    };
    await within(() => waitingMessages(file) === 0);
    const port = this.readers[0]?.port ?? 0;
    const late = new Reader("feed", "lazy", { fromStart: true, random: this.random });
    late.mayFail = this.mayFail;
    late.names = namesIn(file);
    this.readers.push(late);
    await late.serveAt(port);
    const happened = readHappened(file);
    const behind = (): Reader[] => this.readers.filter((one) => !isUpToDate(one, happened));
    await within(() => behind().length === 0);
    const left = waitingMessages(file);
    return [
      ...(left === 0 ? [] : [`lost: ${left} messages still wait`]),
      ...behind().map((one) => `lost: the ${one.habit} reader of ${one.stream} never got the rest`),
      ...(await this.look(file, kills)),
    ];
  }

  async counts(): Promise<Record<"messages" | "attempts" | "events" | "connections", number>> {
    const { arrivals } = await this.receivers.received();
    const sum = (of: (one: Reader) => number): number =>
      this.readers.reduce((total, one) => total + of(one), 0);
    return {
      messages: new Set(arrivals.map(({ hook, id }) => `${hook} ${id}`)).size,
      attempts: arrivals.length,
      events: sum(({ seen }) => seen.length),
      connections: sum((one) => one.connections),
    };
  }

  async stop(): Promise<void> {
    for (const one of this.readers) one.stop();
    await this.receivers.stop();
  }
}
