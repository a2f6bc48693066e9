/** Remembers for a while which credentials were right, so that no slow hash proves them again. */
import { createHmac, randomBytes } from "node:crypto";

const KEY_BYTES = 32;
const KEPT_MAX = 10_000;

/**
 * Holds digests under a key that is made when the service starts and leaves it never: neither a
 * secret nor a stored form. A stored form that changes is another one, so that nothing of the old
 * one holds for it.
 */
export class Proven {
  private readonly forMs: number;
  private readonly key = randomBytes(KEY_BYTES);
  /** Until when each holds, by a time that nobody can set; the first to end stands first. */
  private readonly until = new Map<string, number>();

  constructor(forMs: number) {
    this.forMs = forMs;
  }

  /** The secret is the one whose stored form this is. */
  add(stored: string, secret: string): void {
    const name = this.nameOf(stored, secret);
    this.until.delete(name);
    this.until.set(name, performance.now() + this.forMs);
    this.prune();
  }

  /** False: it is not known. */
  has(stored: string, secret: string): boolean {
    if (this.until.size === 0) return false;
    const until = this.until.get(this.nameOf(stored, secret));
    return until !== undefined && until > performance.now();
  }

  private nameOf(stored: string, secret: string): string {
    const text = JSON.stringify([stored, secret]);
    return createHmac("sha256", this.key).update(text).digest("base64url");
  }

  private prune(): void {
    const now = performance.now();
    for (const [name, until] of this.until) {
      if (until > now && this.until.size <= KEPT_MAX) return;
      this.until.delete(name);
    }
  }
}
