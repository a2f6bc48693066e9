/** Counts the bytes of answers that clients have not taken yet, and ends who lets them wait. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Answers below this size count as taken: sockets hold as much. */
const SMALL_BYTES = 65_536;

interface UnreadBounds {
  /** Bytes of answers that may wait for their clients before no further request is taken. */
  readonly unreadBytesMax: number;
  /** How long a client may take nothing of an answer that waits for it. */
  readonly unreadTimeoutMs: number;
}

/** Of one client this share of the bytes may wait before no further request of it is taken. */
const SHARE = 4;

export class Unread {
  private readonly bounds: UnreadBounds;
  private readonly sizes = new Map<Socket, Map<ServerResponse, number>>();
  private readonly byPeer = new Map<string, number>();
  private readonly peers = new WeakMap<Socket, string>();
  private bytes = 0;

  constructor(bounds: UnreadBounds) {
    this.bounds = bounds;
  }

  private get isMuch(): boolean {
    return this.bytes >= this.bounds.unreadBytesMax;
  }

  /** Whether so much waits for the client that no more is to be made for it. */
  isMuchFor(peer: string): boolean {
    return (this.byPeer.get(peer) ?? 0) >= this.bounds.unreadBytesMax / SHARE;
  }

  /** An answer of so many bytes is handed to its socket. */
  add(response: ServerResponse, byteCount: number, peer: string): void {
    const { socket } = response.req;
    if (byteCount < SMALL_BYTES || socket.destroyed) return;
    const sizes = this.sizes.get(socket) ?? new Map<ServerResponse, number>();
    this.sizes.set(socket, sizes.set(response, byteCount));
    this.peers.set(socket, peer);
    this.count(socket, byteCount);
    socket.setTimeout(this.bounds.unreadTimeoutMs);
    if (this.isMuch) this.relieve();
  }

  /** Of the client for which most waits, the connection that has waited longest is given up. */
  private relieve(): void {
    let [peer, most] = ["", 0];
    for (const [one, bytes] of this.byPeer) if (bytes > most) [peer, most] = [one, bytes];
    for (const socket of this.sizes.keys()) {
      if (!this.isMuch) return;
      if (this.peers.get(socket) !== peer) continue;
      this.gone(socket);
      socket.destroy();
    }
  }

  /** The answer was taken; true: there is room again. */
  taken(response: ServerResponse, socket: Socket, hasMore: boolean): boolean {
    const sizes = this.sizes.get(socket);
    const byteCount = sizes?.get(response);
    if (sizes === undefined || byteCount === undefined) return false;
    sizes.delete(response);
    if (sizes.size === 0) {
      this.sizes.delete(socket);
      // What the same client has asked besides may take as long as it needs.
      if (hasMore) socket.setTimeout(0);
    }
    return this.without(socket, byteCount);
  }

  /** The connection has ended, with all that waited for it; true: there is room again. */
  gone(socket: Socket): boolean {
    const sizes = this.sizes.get(socket);
    if (sizes === undefined) return false;
    this.sizes.delete(socket);
    const sum = [...sizes.values()].reduce((all, one) => all + one, 0);
    return this.without(socket, sum);
  }

  private count(socket: Socket, byteCount: number): void {
    const peer = this.peers.get(socket) ?? "";
    const bytes = (this.byPeer.get(peer) ?? 0) + byteCount;
    if (bytes === 0) this.byPeer.delete(peer);
    else this.byPeer.set(peer, bytes);
    this.bytes += byteCount;
  }

  private without(socket: Socket, byteCount: number): boolean {
    const peer = this.peers.get(socket) ?? "";
    const wasMuch = this.isMuchFor(peer);
    this.count(socket, -byteCount);
    return wasMuch && !this.isMuchFor(peer);
  }
}
