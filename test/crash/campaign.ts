/** Load, kill, start again on the same file, look: as often as asked. */
import { join } from "node:path";
import { audit, dueBetween, waitingTasks } from "./audit.ts";
import { Bookings, disagreements, readBookings, unsettled } from "./calls/bookings.ts";
import { Outside } from "./calls/outside.ts";
import { Client, load } from "./clients.ts";
import { Witnesses } from "./events/witnesses.ts";
import { Ledger } from "./ledger.ts";
import { Registers } from "./registers.ts";
import { type Kind, type Serving, start } from "./service.ts";

export interface Plan {
  readonly folder: string;
  readonly kind: Kind;
  readonly kills: number;
  readonly clients: number;
  readonly random: () => number;
  /** The longest time under load before a kill. */
  readonly loadMs: number;
  /** Writes that are acknowledged before a kill comes, however slow the machine is; default 0. */
  readonly acknowledgedMin?: number;
  readonly progress?: (line: string) => void;
}

export interface Result {
  /** Kills until the end, or until something was wrong. */
  readonly kills: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly tasks: number;
  /** Tasks whose time came while no service ran. */
  readonly dueMeanwhile: number;
  /** Operations on registers, each in an order that was found. */
  readonly registered: number;
  readonly messages: number;
  readonly attempts: number;
  /** Events that readers of streams got, and how often they connected. */
  readonly events: number;
  readonly connections: number;
  /** Bookings that were acknowledged, and calls that were undone. */
  readonly booked: number;
  readonly undone: number;
  /** Bookings that were sent again with their key. */
  readonly retried: number;
  readonly faults: readonly string[];
}

/** Who is beside the clients. */
interface Others {
  readonly witnesses: Witnesses;
  readonly outside: Outside;
}

const FAULTS_MAX = 20;
/** A service that acknowledges nothing for so long is stuck: the control may be. */
const STUCK_MS = 5_000;
const LAST_TIMER_MS = 10_000;
const SETTLE_MS = 120_000;
const HEARD_MS = 40;
const ENDED = "the service has ended";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A campaign under way. */
class Run {
  readonly ledger = new Ledger();
  readonly registers = new Registers();
  readonly bookings = new Bookings();
  kills = 0;
  /** From a kill until the next start, in milliseconds since 1970. */
  private readonly downtimes: (readonly [number, number])[] = [];
  private readonly plan: Plan;
  private readonly file: string;
  private readonly witnesses: Witnesses;
  private readonly outside: Outside;

  constructor(plan: Plan, { witnesses, outside }: Others) {
    this.outside = outside;
    this.plan = plan;
    this.file = join(plan.folder, `${plan.kind}.sqlite`);
    this.witnesses = witnesses;
  }

  async begin(): Promise<Serving> {
    const serving = await this.start();
    await this.witnesses.begin(serving.port, this.file);
    return serving;
  }

  private start(): Promise<Serving> {
    return start(this.file, this.plan.kind, { code: this.outside.address });
  }

  /** One time under load, a kill, and what is wrong after the next start. */
  async round(serving: Serving): Promise<{ serving: Serving; faults: readonly string[] }> {
    const {
      plan: { clients, random },
      ledger,
      registers,
      bookings,
    } = this;
    const gone = load(serving.port, ledger, { clients, random, registers, bookings });
    await this.moment(serving);
    const ended = serving.endedAt() === 0n ? [] : [`${ENDED}: ${serving.said()}`];
    await serving.kill();
    const from = Date.now();
    await gone;
    this.kills++;
    const next = await this.start();
    this.downtimes.push([from, Date.now()]);
    this.witnesses.serveAt(next.port);
    return { serving: next, faults: [...ended, ...(await this.look(next))] };
  }

  /** Any moment, or the one at which a client or a receiver has just been told. */
  private async moment(serving: Serving): Promise<void> {
    const {
      plan: { loadMs, random, acknowledgedMin },
      ledger,
      witnesses,
    } = this;
    const least = ledger.acknowledged.length + (acknowledgedMin ?? 0);
    await pause(loadMs * (0.05 + 0.95 * random()));
    let isStuck = false;
    while (ledger.acknowledged.length < least && !isStuck) {
      const stuck = pause(STUCK_MS).then(() => true);
      isStuck = await Promise.race([ledger.nextAcknowledged().then(() => false), stuck]);
    }
    const turn = this.kills % 5;
    if (turn === 3) return;
    const told = turn === 1 ? witnesses.receivers.nextArrival() : ledger.nextAcknowledged();
    await Promise.race([told, pause(loadMs)]);
    // However slow this machine is, clients hear all that was said before the end.
    serving.freeze();
    await pause(HEARD_MS);
  }

  private async look({ port }: Serving): Promise<readonly string[]> {
    const client = new Client(port);
    // A read at any moment sees what has fallen due as done.
    const late = await client.ask("GET", "/late");
    const registers = await this.registers.judge(client);
    await this.bookings.retry(client);
    client.close();
    const faults =
      late?.body === `{"count":0}`
        ? []
        : [`tasks are late for a reader: ${late?.status} ${late?.body}`];
    const events = await this.witnesses.look(this.file, this.kills);
    const calls = await this.lookOutside();
    return [...audit(this.file, this.ledger), ...faults, ...registers, ...events, ...calls];
  }

  private async lookOutside(): Promise<readonly string[]> {
    const before = await this.outside.done();
    const rows = readBookings(this.file);
    const after = await this.outside.done();
    return disagreements({ bookings: this.bookings, rows, before, after });
  }

  /** Waits until all seals have come and all that nobody has is undone; tells what is left. */
  private async settleOutside(timeoutMs: number): Promise<readonly string[]> {
    this.outside.calm();
    const end = performance.now() + timeoutMs;
    const left = async (): Promise<string[]> =>
      unsettled(readBookings(this.file), await this.outside.done());
    while ((await left()).length > 0 && performance.now() < end) await pause(200);
    return [...(await left()), ...(await this.lookOutside())];
  }

  dueMeanwhile(): number {
    return dueBetween(this.file, this.downtimes);
  }

  /** After the last kill every timer and every message comes, by itself, once. */
  async settle(): Promise<readonly string[]> {
    const end = performance.now() + LAST_TIMER_MS;
    while (waitingTasks(this.file) > 0 && performance.now() < end) await pause(100);
    const left = waitingTasks(this.file);
    return [
      ...(left === 0 ? [] : [`${left} timers never came`]),
      ...(await this.witnesses.settle(this.file, this.kills, SETTLE_MS)),
      ...(await this.settleOutside(SETTLE_MS)),
      ...audit(this.file, this.ledger),
    ];
  }
}

/** Runs the campaign; ends with the first kill after which something is wrong. */
export async function campaign(plan: Plan): Promise<Result> {
  const witnesses = await Witnesses.make(plan.random);
  const outside = await Outside.start(Math.floor(plan.random() * 2 ** 32));
  const run = new Run(plan, { witnesses, outside });
  let faults: readonly string[] = [];
  let serving: Serving | undefined;
  try {
    serving = await run.begin();
    while (run.kills < plan.kills && faults.length === 0) {
      ({ serving, faults } = await run.round(serving));
      plan.progress?.(
        `kill ${run.kills}: ${run.ledger.acknowledged.length} acknowledged, ` +
          `${faults.length} faults`,
      );
    }
    if (faults.length === 0) faults = await run.settle();
    const { acknowledged, refused, inDoubt } = run.ledger;
    return {
      kills: run.kills,
      acknowledged: acknowledged.length,
      refused: refused.length,
      inDoubt,
      tasks: acknowledged.filter(({ what }) => what === "task").length,
      dueMeanwhile: run.dueMeanwhile(),
      registered: run.registers.judged,
      ...(await witnesses.counts()),
      booked: run.bookings.acknowledged.length,
      undone: (await outside.done()).cancelled.size,
      retried: run.bookings.retried,
      faults: faults.slice(0, FAULTS_MAX),
    };
  } finally {
    await serving?.kill();
    await witnesses.stop();
    await outside.stop();
  }
}

/**
 * Whether a service that commits after it answers was caught: what was lost may show as a row that
 * is not there, or as a call outside that nothing stands for. That it ended by itself is no catch.
 */
export function isCaught(faults: readonly string[]): boolean {
  return faults.length > 0 && !faults.some((fault) => fault.startsWith(ENDED));
}
