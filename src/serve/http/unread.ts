/** Counts the bytes of answers that clients have not taken yet, and ends those who take nothing. */
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

export class Unread {
  private readonly bounds: UnreadBounds;
  private readonly sizes = new Map<Socket, Map<ServerResponse, number>>();
  private bytes = 0;

  constructor(bounds: UnreadBounds) {
    this.bounds = bounds;
  }

  /** Whether so much waits that no more is to be made. */
  get isMuch(): boolean {
    return this.bytes >= this.bounds.unreadBytesMax;
  }

  /** An answer of so many bytes is handed to its socket. */
  add(response: ServerResponse, byteCount: number): void {
    const { socket } = response.req;
    if (byteCount < SMALL_BYTES || socket.destroyed) return;
    const sizes = this.sizes.get(socket) ?? new Map<ServerResponse, number>();
    this.sizes.set(socket, sizes.set(response, byteCount));
    this.bytes += byteCount;
    socket.setTimeout(this.bounds.unreadTimeoutMs);
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
    return this.without(byteCount);
  }

  /** The connection has ended, with all that waited for it; true: there is room again. */
  gone(socket: Socket): boolean {
    const sizes = this.sizes.get(socket);
    if (sizes === undefined) return false;
    this.sizes.delete(socket);
    return this.without([...sizes.values()].reduce((sum, one) => sum + one, 0));
  }

  private without(byteCount: number): boolean {
    const wasMuch = this.isMuch;
    this.bytes -= byteCount;
    return wasMuch && !this.isMuch;
  }
}
