/** Clients that write without pause, each on a connection of its own, until the service is gone. */
import { Agent, request } from "node:http";
import type { Bookings } from "./calls/bookings.ts";
import type { Ledger, Write } from "./ledger.ts";
import type { Registers } from "./registers.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One connection that is kept. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly port: number;
  private readonly patienceMs: number;

  /** `patienceMs`: after which an answer is not waited for. Default: it is, however long. */
  constructor(port: number, patienceMs = 0) {
    this.port = port;
    this.patienceMs = patienceMs;
  }

  /** Sends a request; undefined when the connection is lost before the whole answer is there. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    further: Readonly<Record<string, string>> = {},
  ): Promise<Answer | undefined> {
    const { agent, port } = this;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      text === undefined
        ? further
        : {
            ...further,
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(text),
          };
    return new Promise((resolve) => {
      const sent = request({ agent, port, host: "127.0.0.1", method, path, headers }, (answer) => {
        let received = "";
        answer.setEncoding("utf8");
        answer.on("data", (data) => {
          received += data;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: received }));
        answer.on("error", () => resolve(undefined));
        answer.on("aborted", () => resolve(undefined));
      });
      sent.on("error", () => resolve(undefined));
      sent.setTimeout(this.patienceMs, () => sent.destroy());
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

const COUNTERS = ["a", "b", "c", "d"];

function pick<T>(list: readonly T[], random: () => number): T | undefined {
  return list[Math.floor(random() * list.length)];
}

/** The next write of a client: mostly new rows, often transfers, and now and then a clash. */
export function nextWrite(ledger: Ledger, random: () => number): Write {
  const tag = ledger.tag();
  const roll = random();
  const [from, to] = [pick(ledger.accounts, random), pick(ledger.accounts, random)];
  if (roll < 0.3 && from !== undefined && to !== undefined && from !== to) {
    const amount = 1 + Math.floor(random() * (random() < 0.2 ? 1000 : 50));
    return { what: "transfer", tag, from, to, amount };
  }
  if (roll < 0.45) return { what: "hit", tag, counter: pick(COUNTERS, random) };
  if (roll < 0.6) return { what: "task", tag };
  const task = pick(ledger.tasks, random);
  if (roll < 0.7 && task !== undefined) return { what: "claim", tag, task };
  const name = random() < 0.1 ? `shared ${Math.floor(random() * 500)}` : `name ${tag}`;
  return { what: "account", tag, name };
}

/** Sends one write. */
export function send(client: Client, write: Write): Promise<Answer | undefined> {
  const { what, tag, name, from, to, amount, counter, task } = write;
  switch (what) {
    case "account":
      return client.ask("POST", "/accounts", { tag, name });
    case "transfer":
      return client.ask("POST", "/transfers", { tag, from, to, amount });
    case "hit":
      return client.ask("POST", "/hits", { tag, counter });
    case "task":
      return client.ask("POST", "/tasks", { tag });
    case "claim":
      return client.ask("POST", `/tasks/${task}/claim`, { tag });
  }
}

export interface Load {
  readonly clients: number;
  readonly random: () => number;
  /** Where some of the requests go. */
  readonly registers: Registers;
  readonly bookings: Bookings;
}

const REGISTERS_SHARE = 0.15;
const BOOKINGS_SHARE = 0.1;

/** All clients write until the service is gone; gives when the last has noticed. */
export async function load(
  port: number,
  ledger: Ledger,
  { clients, random, registers, bookings }: Load,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client(port);
      for (;;) {
        const roll = random();
        if (roll < REGISTERS_SHARE + BOOKINGS_SHARE) {
          const isThere =
            roll < REGISTERS_SHARE ? registers.touch(client, random) : bookings.touch(client);
          if (await isThere) continue;
          break;
        }
        const write = nextWrite(ledger, random);
        const answer = await send(client, write);
        if (answer === undefined) {
          ledger.inDoubt++;
          break;
        }
        ledger.answer(write, answer.status, answer.body);
      }
      client.close();
    }),
  );
}
