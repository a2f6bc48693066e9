/** Connects to a PostgreSQL server: the driver lets itself in, and hands its socket over. */
import { Socket } from "node:net";
import pg from "pg";
import { StorageFault } from "../sqlite/fault.ts";
import type { Place } from "./place.ts";
import { type Patience, Wire } from "./wire.ts";

/** The number of a socket in the process, by which a thread reads it while it waits. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { _handle?: { fd?: number; readStop?(): void } };
  handle?.readStop?.();
  return handle?.fd;
}

/** Connects. Rejects with `StorageFault`. */
export async function connectPg({ url }: Pick<Place, "url">, patience: Patience): Promise<Wire> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience.answerMs,
    stream: () => socket,
    application_name: "lacuna",
  });
  // What is left to the driver ends when it has let itself in.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    const text = error instanceof Error ? error.message : String(error);
    throw new StorageFault("CONNECT", `the database cannot be reached: ${text}`);
  }
  socket.removeAllListeners("data");
  const descriptor = descriptorOf(socket);
  if (descriptor === undefined || descriptor < 0) {
    socket.destroy();
    throw new StorageFault("CONNECT", "the database is not reached over a plain socket");
  }
  return new Wire(socket, descriptor, patience);
}
