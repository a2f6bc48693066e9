/** Connects to a PostgreSQL server: the driver lets itself in, and hands its socket over. */
import { Socket } from "node:net";
import pg from "pg";
import { StorageFault } from "../sqlite/fault.ts";
import { pgFault } from "./fault.ts";
import type { Servers } from "./place.ts";
import { throughRelay } from "./relay.ts";
import { OWN_SETTINGS } from "./settings.ts";
import { type Patience, Wire } from "./wire.ts";

/** The number of a socket in the process, by which a thread reads it while it waits. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { _handle?: { fd?: number; readStop?(): void } };
  handle?.readStop?.();
  return handle?.fd;
}

/** A client that is let in, and its socket. */
interface Inside {
  readonly client: pg.Client;
  readonly socket: Socket;
}

/** A socket that goes to a path, whatever it is told to go to. */
function socketTo(path: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = () => connect({ path });
  return socket;
}

/** `socket`: not connected yet. */
async function letIn(url: string, { answerMs }: Patience, socket: Socket): Promise<Inside> {
  const client = new pg.Client({
    connectionString: url,
    ssl: false,
    connectionTimeoutMillis: answerMs,
    stream: () => socket,
    application_name: "lacuna",
    keepAlive: true,
  });
  // What is left to the driver ends when it has let itself in.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is: boolean }>("SELECT pg_is_in_recovery() AS is");
    if (rows[0]?.is === true) throw new Error("it is a standby, which takes no writes");
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket };
}

/** What a server, or the check of its certificate, says, and what to do where that is known. */
function mendable(message: string): string {
  if (/, no encryption$/.test(message)) {
    return `${message}: say \`sslmode=verify-full\` (or \`require\`) in the URL`;
  }
  if (!/certificate/i.test(message)) return message;
  const [first] = message.split(";");
  return `${first}: \`sslrootcert\` names a file of the authorities that are believed`;
}

/** A client of the server of a place that takes writes. Rejects with `StorageFault`. */
export async function clientOf({ urls, tls }: Servers, patience: Patience): Promise<Inside> {
  const why: string[] = [];
  for (const url of urls) {
    try {
      if (tls === undefined) return await letIn(url, patience, new Socket());
      return await throughRelay(url, tls, (path) => letIn(url, patience, socketTo(path)));
    } catch (error) {
      why.push(mendable(error instanceof Error ? error.message : String(error)));
    }
  }
  throw new StorageFault("CONNECT", `the database cannot be reached: ${why.join("; ")}`);
}

/** Connects. Rejects with `StorageFault`. */
export async function connectPg(place: Servers, patience: Patience): Promise<Wire> {
  const { socket } = await clientOf(place, patience);
  socket.removeAllListeners("data");
  const descriptor = descriptorOf(socket);
  if (descriptor === undefined || descriptor < 0) {
    socket.destroy();
    throw new StorageFault("CONNECT", "the database is not reached over a plain socket");
  }
  const wire = new Wire(socket, descriptor, patience);
  try {
    wire.ask(OWN_SETTINGS);
    return wire;
  } catch (fault) {
    wire.close();
    throw pgFault(fault);
  }
}
