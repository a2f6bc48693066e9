/** Messages for the receivers of webhooks, in memory: found by looking through all of them. */
import type { Message, Messages, NewMessage, Receiver } from "../../run/index.ts";

function compare(a: Receiver, b: Receiver): number {
  if (a.webhook !== b.webhook) return a.webhook < b.webhook ? -1 : 1;
  return a.receiver - b.receiver;
}

/** `log` is told how to undo each change. */
export class MemoryMessages implements Messages {
  readonly #all = new Map<number, Message>();
  readonly #log: (undo: () => void) => void;
  #last = 0;

  constructor(log: (undo: () => void) => void) {
    this.#log = log;
  }

  add(messages: readonly NewMessage[], sent: bigint): void {
    for (const { webhook, receiver, name, body, event } of messages) {
      this.#last++;
      const message = { number: this.#last, webhook, receiver, name, body, event };
      this.put({ ...message, attempts: 0, due: sent, sent });
    }
  }

  put(message: Message): void {
    const { number } = message;
    const before = this.#all.get(number);
    this.#all.set(number, message);
    this.#log(() => {
      if (before === undefined) this.#all.delete(number);
      else this.#all.set(number, before);
    });
  }

  remove(number: number): void {
    const before = this.#all.get(number);
    if (before === undefined) return;
    this.#all.delete(number);
    this.#log(() => this.#all.set(number, before));
  }

  #of(receiver: Receiver): Message[] {
    return [...this.#all.values()]
      .filter((one) => compare(one, receiver) === 0)
      .sort((a, b) => a.number - b.number);
  }

  due(receiver: Receiver, until: bigint, countMax: number): readonly Message[] {
    const due = this.#of(receiver).filter((one) => one.due <= until);
    return due.sort((a, b) => Number(a.due - b.due)).slice(0, countMax);
  }

  first(receiver: Receiver): Message | undefined {
    return this.#of(receiver)[0];
  }

  receivers(after: Receiver | undefined, until: bigint, countMax: number): readonly Receiver[] {
    return [...this.#all.values()]
      .filter((one) => one.due <= until && (after === undefined || compare(one, after) > 0))
      .sort(compare)
      .filter((one, i, all) => i === 0 || compare(one, all[i - 1] as Message) !== 0)
      .slice(0, countMax)
      .map(({ webhook, receiver }) => ({ webhook, receiver }));
  }

  nextDue(after: bigint): bigint | undefined {
    let first: bigint | undefined;
    for (const { due } of this.#all.values()) {
      if (due > after && (first === undefined || due < first)) first = due;
    }
    return first;
  }

  count(most: number): number {
    return Math.min(this.#all.size, most);
  }
}
