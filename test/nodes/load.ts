/** Clients that write at several nodes in turn, each answer taken for what it says. */
import type { Bookings } from "../crash/calls/bookings.ts";
import { Client, nextWrite, send } from "../crash/clients.ts";
import type { Ledger } from "../crash/ledger.ts";
import type { Registers } from "../crash/registers.ts";

/** What the document says where the service fails: nothing of the request is kept. */
export const FAULT = `{"error":"fault"}`;
const REGISTERS_SHARE = 0.15;
const BOOKINGS_SHARE = 0.1;
/** Then a client turns to another node. */
const PATIENCE_MS = 2_500;

interface Load {
  readonly clients: number;
  readonly random: () => number;
  readonly ledger: Ledger;
  readonly registers: Registers;
  /** Undefined: the document has no calls. */
  readonly bookings: Bookings | undefined;
  /** Ports of the nodes that are there. */
  ports(): readonly number[];
  /** Between two requests of a client, in milliseconds. */
  readonly pauseMs: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** All clients write until `enough` says so; ends when each has its last answer. */
export async function load(all: Load, enough: () => boolean): Promise<void> {
  await Promise.all(Array.from({ length: all.clients }, () => one(all, enough)));
}

async function one(all: Load, enough: () => boolean): Promise<void> {
  const { random, ports, pauseMs } = all;
  const clients = new Map<number, Client>();
  while (!enough()) {
    const at = ports();
    const port = at[Math.floor(random() * at.length)] ?? 0;
    const client = clients.get(port) ?? new Client(port, PATIENCE_MS);
    clients.set(port, client);
    if (!(await step(all, client))) {
      client.close();
      clients.delete(port);
    }
    await pause(pauseMs * (0.5 + random()));
  }
  for (const client of clients.values()) client.close();
}

/** One request; false: the connection is lost. */
async function step(
  { random, ledger, registers, bookings }: Load,
  client: Client,
): Promise<boolean> {
  const roll = random();
  if (roll < REGISTERS_SHARE) return await registers.touch(client, random);
  if (bookings !== undefined && roll < REGISTERS_SHARE + BOOKINGS_SHARE) {
    return await bookings.touch(client);
  }
  const write = nextWrite(ledger, random);
  const answer = await send(client, write);
  if (answer === undefined) {
    ledger.inDoubt++;
    return false;
  }
  const isFault = answer.status === 500 && answer.body === FAULT;
  ledger.answer(write, isFault ? 409 : answer.status, answer.body);
  return true;
}
