/** The open connections: how many there are, whose they are, and how each is. */
import type { Socket } from "node:net";
import { filesWithin, openFilesMax } from "../jobs/files.ts";
import type { Presence } from "../jobs/lanes.ts";
import type { Line } from "./line.ts";

/** Files that a service has open besides its connections, and the share that it leaves for them. */
const OTHER_FILES = 40;
const SHARE_OF_FILES = 0.75;

/** Connections that may be open: as many as asked for, as far as the system lets them be. */
export function connectionsWithin(most: number, files = openFilesMax()): number {
  const within = filesWithin(most, SHARE_OF_FILES, files);
  return files === undefined ? within : Math.max(1, Math.min(within, files - OTHER_FILES));
}

export class Connections {
  private readonly most: number;
  /** Told, in words, when a connection was closed because there were too many. */
  private readonly told: (text: string) => void;
  private readonly bySocket = new Map<Socket, Line>();
  private readonly byNumber = new Map<number, Line>();
  /** Those of each client, the oldest first. */
  private readonly byPeer = new Map<string, Set<Line>>();

  constructor(most: number, told: (text: string) => void) {
    this.most = most;
    this.told = told;
  }

  [Symbol.iterator](): IterableIterator<Line> {
    return this.bySocket.values();
  }

  get count(): number {
    return this.bySocket.size;
  }

  of(socket: Socket): Line | undefined {
    return this.bySocket.get(socket);
  }

  add(line: Line): void {
    const { socket, number, peer } = line;
    this.bySocket.set(socket, line);
    this.byNumber.set(number, line);
    this.byPeer.set(peer, (this.byPeer.get(peer) ?? new Set<Line>()).add(line));
    if (this.bySocket.size > this.most) this.relieve(line);
  }

  remove(socket: Socket): void {
    const line = this.bySocket.get(socket);
    if (line === undefined) return;
    this.bySocket.delete(socket);
    this.byNumber.delete(line.number);
    const lines = this.byPeer.get(line.peer);
    lines?.delete(line);
    if (lines?.size === 0) this.byPeer.delete(line.peer);
  }

  at(number: number): Presence {
    const line = this.byNumber.get(number);
    if (line === undefined || line.socket.destroyed) return "gone";
    return line.socket.readableEnded ? "left" : "open";
  }

  /** Closes one of the client that has most: the oldest that waits for nothing, else the latest. */
  private relieve(latest: Line): void {
    let [peer, most]: [string, ReadonlySet<Line>] = ["", new Set()];
    for (const [one, lines] of this.byPeer) if (lines.size > most.size) [peer, most] = [one, lines];
    const [idle] = [...most].filter((one) => one.isIdle && one !== latest);
    const closed = idle ?? [...most].at(-1) ?? latest;
    const which = idle === undefined ? "latest" : "oldest idle";
    this.told(`${this.most} connections are open at most: the ${which} one of ${peer} is closed`);
    this.remove(closed.socket);
    closed.socket.destroy();
  }
}
