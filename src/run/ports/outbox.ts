/** What a store keeps of events and of the messages that carry them; knows no database. */

/** An event that was recorded; numbers grow in the order of the causes. */
export interface Recorded {
  readonly number: number;
  readonly event: string;
  readonly at: bigint;
  /** JSON text. */
  readonly content: string;
}

/** The events of a store; to record one is part of the running transaction. */
export interface Events {
  record(event: string, at: bigint, content: string): void;
  /** Events behind a number, at most so many. */
  after(number: number, countMax: number): readonly Recorded[];
  /** The greatest number; 0: nothing has happened yet. */
  last(): number;
  /** Takes out some of the events before `from`, the oldest first. */
  forget(from: bigint): void;
}

/** A receiver of a webhook, by the key of its row. */
export interface Receiver {
  readonly webhook: string;
  readonly receiver: number;
}

/** A message for one receiver that is not delivered yet. */
export interface Message extends Receiver {
  /** Messages are numbered in the order of their causes. */
  readonly number: number;
  /** Names the message to its receiver, the same in every attempt. */
  readonly name: string;
  readonly body: string;
  /** The event that it tells of, and when that happened. */
  readonly event: string;
  readonly sent: bigint;
  /** Attempts that were made. */
  readonly attempts: number;
  /** When the next one is to be made. */
  readonly due: bigint;
}

/** A message that is new, as its cause makes it. */
export type NewMessage = Pick<Message, "webhook" | "receiver" | "name" | "body" | "event">;

/** The messages of a store; what is done to them is part of the running transaction. */
export interface Messages {
  /** Numbers them in their order; the first attempt of each is made when it happened. */
  add(messages: readonly NewMessage[], sent: bigint): void;
  /** Sets attempts and due time of a message, and adds it again where it was taken out. */
  put(message: Message): void;
  remove(number: number): void;
  /** Messages due at `until` or before, the earliest first. */
  due(receiver: Receiver, until: bigint, countMax: number): readonly Message[];
  /** The message with the earliest cause. */
  first(receiver: Receiver): Message | undefined;
  /** Receivers with messages due at `until`, in a fixed order, those that follow another one. */
  receivers(after: Receiver | undefined, until: bigint, countMax: number): readonly Receiver[];
  /** The earliest due time past `after`. */
  nextDue(after: bigint): bigint | undefined;
  /** How many there are, counted up to `most`. */
  count(most: number): number;
}
