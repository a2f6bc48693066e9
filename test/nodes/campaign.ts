/** Three nodes under load, and one fault after the other: what was told must be so. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyStore } from "../../src/store/index.ts";
import { audit, waitingTasks } from "../crash/audit.ts";
import { Bookings, disagreements, readBookings, unsettled } from "../crash/calls/bookings.ts";
import { Outside } from "../crash/calls/outside.ts";
import { Client } from "../crash/clients.ts";
import { waitingMessages } from "../crash/events/deliveries.ts";
import { Witnesses } from "../crash/events/witnesses.ts";
import { Ledger } from "../crash/ledger.ts";
import { Registers } from "../crash/registers.ts";
import { type Kind, type Serving, start } from "../crash/service.ts";
import { load } from "./load.ts";
import { Servers } from "./servers.ts";

const NODES = 3;
const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
/** Longer than any time for which a node may be silent and still be waited for. */
const STOPPED_MS = 12_000;
const SETTLE_MS = 300_000;
const LATE_MS = 1_000;
const QUIET_MS = 500;
const HEARD_WITHIN_MS = 1_000;
const HEARD_MS = 40;
const SETTLED_EACH_MS = 1_500;
const STARTS_MAX = 20;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const FAULTS = [
  "node killed",
  "commit cut, server has it",
  "server killed",
  "commit cut before",
  "node stopped",
  "standby promoted",
] as const;
type Fault = (typeof FAULTS)[number];

interface Plan {
  readonly bin: string;
  readonly folder: string;
  readonly kind: Extract<Kind, "real" | "control">;
  readonly faults: number;
  /** Faults between two looks. */
  readonly each: number;
  readonly clients: number;
  readonly pauseMs: number;
  readonly random: () => number;
  readonly only?: Fault | undefined;
  /** Whether the document has calls. */
  readonly calls: boolean;
  readonly say: (line: string) => void;
}

interface Result {
  readonly counts: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly registered: number;
  readonly booked: number;
  readonly retried: number;
  /** Calls that were undone. */
  readonly undone: number;
  readonly sent: Awaited<ReturnType<Witnesses["counts"]>>;
  readonly wrong: readonly string[];
}

/** Who is beside the nodes. */
interface Others {
  readonly servers: Servers;
  readonly witnesses: Witnesses;
  readonly outside: Outside;
}

class Run {
  readonly ledger = new Ledger();
  readonly registers = new Registers(true);
  readonly bookings = new Bookings(true);
  readonly counts = new Map<Fault, number>();
  private readonly plan: Plan;
  private readonly servers: Servers;
  private readonly witnesses: Witnesses;
  private readonly outside: Outside;
  private readonly nodes: (Serving | undefined)[] = [];
  private readonly file: string;
  private done = 0;
  /** Of nodes that are started from now on. */
  private environment: Readonly<Record<string, string>> = {};

  constructor(plan: Plan, { servers, witnesses, outside }: Others) {
    this.plan = plan;
    this.servers = servers;
    this.witnesses = witnesses;
    this.outside = outside;
    this.file = join(plan.folder, "copy.sqlite");
  }

  private get ports(): readonly number[] {
    return this.nodes.flatMap((one) => (one === undefined ? [] : [one.port]));
  }

  private any<T>(list: readonly T[]): T {
    return list[Math.floor(this.plan.random() * list.length)] as T;
  }

  /** A node starts; while the database is away it cannot, and is started again. */
  private async startNode(at: number): Promise<void> {
    this.nodes[at] = undefined;
    for (let tried = 1; this.nodes[at] === undefined; tried++) {
      try {
        this.nodes[at] = await start(this.servers.url, this.plan.kind, {
          program: CHILD,
          code: this.plan.calls ? this.outside.address : "",
          environment: { ...this.environment, ...(!this.plan.calls && { NODES_CALLS: "none" }) },
        });
      } catch (fault) {
        if (tried === STARTS_MAX) throw fault;
        await pause(500);
      }
    }
  }

  async begin(): Promise<void> {
    await Promise.all(Array.from({ length: NODES }, (_, at) => this.startNode(at)));
    await this.copy();
    await this.witnesses.begin(this.any(this.ports), this.file);
  }

  /** What the database holds at one moment, in a file. */
  private async copy(): Promise<void> {
    for (const end of ["", ".copying", ".copying-wal", ".copying-shm"]) {
      if (existsSync(`${this.file}${end}`)) rmSync(`${this.file}${end}`);
    }
    await copyStore(this.servers.ownUrl, this.file, () => {});
  }

  /** Something under load, then a look at all that was told. */
  private async under(work: () => Promise<void>): Promise<readonly string[]> {
    const { clients, pauseMs, random } = this.plan;
    const { ledger, registers } = this;
    const bookings = this.plan.calls ? this.bookings : undefined;
    let isOver = false;
    const all = { clients, pauseMs, random, ledger, registers, bookings, ports: () => this.ports };
    const loaded = load(all, () => isOver);
    await work();
    await pause(QUIET_MS);
    isOver = true;
    await loaded;
    return await this.look();
  }

  private tell(what: string, fromMs: number): void {
    const { acknowledged, refused, inDoubt } = this.ledger;
    const seconds = ((performance.now() - fromMs) / 1000).toFixed(1);
    this.plan.say(
      `${what} (${seconds} s): ${acknowledged.length} acknowledged, ${refused.length} refused, ` +
        `${inDoubt} in doubt`,
    );
  }

  /** Faults under load. */
  async round(count: number): Promise<readonly string[]> {
    const { random, only } = this.plan;
    return await this.under(async () => {
      for (let i = 0; i < count; i++) {
        await pause(200 + random() * 600);
        const fault = only ?? (FAULTS[this.done % FAULTS.length] as Fault);
        const fromMs = performance.now();
        await this.make(fault);
        this.done++;
        this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
        this.witnesses.serveAt(this.any(this.ports));
        this.tell(`${this.done}. ${fault}`, fromMs);
      }
    });
  }

  /** Node after node ends in order, and is started with a wider document, under load. */
  async roll(): Promise<readonly string[]> {
    return await this.under(async () => {
      for (const at of this.nodes.keys()) {
        const fromMs = performance.now();
        const former = this.nodes[at];
        this.nodes[at] = undefined;
        this.witnesses.serveAt(this.any(this.ports));
        await former?.end();
        this.environment = { NODES_DOCUMENT: "wider" };
        await this.startNode(at);
        this.tell(`node ${at} serves a wider document`, fromMs);
        await pause(QUIET_MS);
      }
    });
  }

  private async make(fault: Fault): Promise<void> {
    const at = Math.floor(this.plan.random() * NODES);
    switch (fault) {
      case "node killed":
        // The moment at which a lie would show: somebody has just been told.
        await Promise.race([this.ledger.nextAcknowledged(), pause(HEARD_WITHIN_MS)]);
        this.nodes[at]?.freeze();
        await pause(HEARD_MS);
        await this.nodes[at]?.kill();
        await this.startNode(at);
        return;
      case "node stopped": {
        this.nodes[at]?.freeze();
        await pause(STOPPED_MS);
        this.nodes[at]?.child.kill("SIGCONT");
        return;
      }
      case "server killed":
        await this.servers.restart();
        return;
      case "standby promoted":
        await this.servers.promote();
        return;
      case "commit cut before":
        await this.servers.cut("before");
        return;
      case "commit cut, server has it":
        await this.servers.cut("behind");
        return;
    }
  }

  private async look(): Promise<readonly string[]> {
    await this.ready();
    const client = new Client(this.any(this.ports));
    const late = await client.ask("GET", "/late");
    const registers = await this.registers.judge(client);
    await this.bookings.retry(client);
    client.close();
    const before = await this.outside.done();
    await this.copy();
    const ended = this.nodes.flatMap((one) =>
      one !== undefined && one.endedAt() !== 0n ? [`a node has ended: ${one.said()}`] : [],
    );
    return [
      ...ended,
      ...(late?.body === `{"count":0}` ? [] : [`tasks are late: ${late?.status} ${late?.body}`]),
      ...registers,
      ...audit(this.file, this.ledger),
      ...(await this.booked(before)),
      ...(await this.witnesses.look(this.file, this.done * NODES)),
    ];
  }

  /** Waits until each node answers a read and a write. */
  private async ready(): Promise<void> {
    // What clients have given up may still be done, by a node that waits for the database.
    await pause(LATE_MS);
    for (const port of this.ports) {
      for (let tried = 0; tried < 100; tried++) {
        const client = new Client(port);
        const answer = await client.ask("GET", "/late");
        const name = `ready ${this.done} ${port} ${tried}`;
        const made = await client.ask("POST", "/accounts", { tag: name, name });
        client.close();
        if (answer?.status === 200 && made?.status === 201) break;
        await pause(200);
      }
    }
  }

  /** `before`: what was done outside before the copy was made. */
  private async booked(before: Awaited<ReturnType<Outside["done"]>>): Promise<string[]> {
    if (!this.plan.calls) return [];
    const rows = readBookings(this.file);
    const after = await this.outside.done();
    return disagreements({ bookings: this.bookings, rows, before, after });
  }

  /** In the end every timer has fired, and nothing waits for a receiver, a reader or a call. */
  async settle(): Promise<readonly string[]> {
    this.witnesses.receivers.calm();
    this.outside.calm();
    const until = performance.now() + SETTLE_MS;
    const open = async (): Promise<string[]> => {
      await pause(SETTLED_EACH_MS);
      await this.copy();
      if (!this.plan.calls) return [];
      return unsettled(readBookings(this.file), await this.outside.done());
    };
    let left = await open();
    while (
      waitingTasks(this.file) + waitingMessages(this.file) + left.length > 0 &&
      performance.now() < until
    ) {
      left = await open();
    }
    const tasks = waitingTasks(this.file);
    return [
      ...(tasks === 0 ? [] : [`${tasks} timers never came`]),
      ...left,
      ...(await this.witnesses.settle(this.file, this.done * NODES, SETTLE_MS)),
      ...audit(this.file, this.ledger),
      ...(await this.booked(await this.outside.done())),
    ];
  }

  async stop(): Promise<void> {
    for (const one of this.nodes) {
      one?.child.kill("SIGCONT");
      await one?.kill();
    }
  }

  /** What the nodes have said last. */
  said(): string {
    return this.nodes.map((one, at) => `node ${at}:\n${one?.said().slice(-2_000)}`).join("\n");
  }
}

/** Runs the campaign; ends with the first round after which something is wrong. */
export async function campaign(plan: Plan): Promise<Result> {
  const witnesses = await Witnesses.make(plan.random, { mayFail: true });
  const outside = await Outside.start(Math.floor(plan.random() * 2 ** 32));
  const servers = await Servers.start(plan.bin);
  const run = new Run(plan, { servers, witnesses, outside });
  let wrong: readonly string[] = [];
  try {
    await run.begin();
    for (let done = 0; done < plan.faults && wrong.length === 0; done += plan.each) {
      wrong = await run.round(Math.min(plan.each, plan.faults - done));
      plan.say(`  ${wrong.length} wrong`);
    }
    if (wrong.length === 0 && plan.kind === "real") wrong = await run.roll();
    if (wrong.length === 0) wrong = await run.settle();
    if (wrong.length > 0 && plan.kind === "real") plan.say(run.said());
    return {
      counts: Object.fromEntries(run.counts),
      acknowledged: run.ledger.acknowledged.length,
      refused: run.ledger.refused.length,
      inDoubt: run.ledger.inDoubt,
      registered: run.registers.judged,
      booked: run.bookings.acknowledged.length,
      retried: run.bookings.retried,
      undone: (await outside.done()).cancelled.size,
      sent: await witnesses.counts(),
      wrong,
    };
  } finally {
    await run.stop();
    await witnesses.stop();
    await outside.stop();
    await servers.stop();
  }
}
