/** What clients know of their writes: acknowledged, refused, or never answered. */

export type What = "account" | "transfer" | "hit" | "task" | "claim";

/** One write, by its tag. */
export interface Write {
  readonly what: What;
  readonly tag: string;
  readonly name?: string;
  readonly from?: string;
  readonly to?: string;
  readonly amount?: number;
  readonly counter?: string;
  readonly task?: string;
}

/** Keeps each acknowledged write, and the tags of what was refused. */
export class Ledger {
  readonly acknowledged: Write[] = [];
  /** Answered by a refusal: nothing of it may be kept. */
  readonly refused: { readonly what: What; readonly tag: string }[] = [];
  /** Answers that no document states for these requests, with their bodies. */
  readonly odd: string[] = [];
  inDoubt = 0;
  readonly accounts: string[] = [];
  /** Tasks that may still be claimed, newest last. */
  tasks: string[] = [];
  private count = 0;
  private waiting: (() => void)[] = [];

  /** Resolves as soon as the next write is acknowledged: the moment at which a lie would show. */
  nextAcknowledged(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  tag(): string {
    return `w${this.count++}`;
  }

  answer(write: Write, status: number, body: string): void {
    if (status === 200 || status === 201) {
      this.acknowledged.push(write);
      const id = write.what === "account" || write.what === "task" ? idOf(body) : undefined;
      if (id !== undefined && write.what === "account") this.accounts.push(id);
      if (id !== undefined && write.what === "task") this.tasks.push(id);
      if (this.tasks.length > 200) this.tasks = this.tasks.slice(-50);
      for (const wake of this.waiting.splice(0)) wake();
    } else if (status === 409) this.refused.push({ what: write.what, tag: write.tag });
    else this.odd.push(`${write.what} ${write.tag}: ${status} ${body.slice(0, 300)}`);
  }
}

function idOf(body: string): string {
  return (JSON.parse(body) as { id: string }).id;
}
