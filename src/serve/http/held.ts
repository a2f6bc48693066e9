/** Counts the bytes of requests' bodies that are held, and refuses some when they are too many. */

/** The body of a request that is not answered yet. */
interface Upload {
  /** So many bytes more are held, or less: below zero. */
  add(bytes: number): void;
  /** It has come whole: it is not refused any more. */
  whole(): void;
  /** Nothing of it is held. */
  over(): void;
}

interface Entry {
  readonly peer: Peer;
  readonly refuse: () => void;
  bytes: number;
}

interface Peer {
  readonly name: string;
  /** Bodies that still come, in the order in which they began. */
  readonly coming: Set<Entry>;
  count: number;
  bytes: number;
}

/** One client holds at most this share of all. */
const SHARE = 2;
/** Who holds no more than this share is not refused because of others. */
const SMALL_SHARE = 64;

export class Held {
  private readonly bytesMax: number;
  private readonly peers = new Map<string, Peer>();
  private bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get all(): number {
    return this.bytes;
  }

  /** A body begins to come; `refuse` is called when it is not to be read any further. */
  begin(name: string, refuse: () => void): Upload {
    const peer = this.peers.get(name) ?? { name, coming: new Set<Entry>(), count: 0, bytes: 0 };
    this.peers.set(name, peer);
    const entry: Entry = { peer, refuse, bytes: 0 };
    peer.coming.add(entry);
    peer.count++;
    let isOver = false;
    return {
      add: (bytes) => {
        if (isOver) return;
        this.count(entry, bytes);
        if (bytes > 0) this.relieve(peer);
      },
      whole: () => {
        peer.coming.delete(entry);
      },
      over: () => {
        if (isOver) return;
        isOver = true;
        this.count(entry, -entry.bytes);
        peer.coming.delete(entry);
        if (--peer.count === 0) this.peers.delete(name);
      },
    };
  }

  private count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    entry.peer.bytes += bytes;
    this.bytes += bytes;
  }

  private relieve(peer: Peer): void {
    while (peer.bytes > this.bytesMax / SHARE && this.refuse(peer));
    while (this.bytes > this.bytesMax) {
      const most = this.most();
      if (most === undefined || !this.refuse(most)) return;
    }
  }

  /** Whoever holds most, of those with a body that still comes. */
  private most(): Peer | undefined {
    let most: Peer | undefined;
    for (const one of this.peers.values()) {
      if (one.coming.size > 0 && one.bytes > (most?.bytes ?? 0)) most = one;
    }
    return most !== undefined && most.bytes > this.bytesMax / SMALL_SHARE ? most : undefined;
  }

  /** Refuses the oldest body that still comes; false: there is none. */
  private refuse({ coming }: Peer): boolean {
    const [oldest] = coming;
    if (oldest === undefined) return false;
    coming.delete(oldest);
    oldest.refuse();
    return true;
  }
}
