/** What waits, in fair turns: of the clients first, then of the connections of each. */

/** A connection: its client has said all it will say (`left`), or nobody is there any more. */
export type Presence = "open" | "left" | "gone";

/** What waits for one connection, the earliest first. */
type Line<T> = T[];

interface Client<T> {
  readonly lines: Map<number, Line<T>>;
  count: number;
}

const NOBODY = <T>(): Client<T> => ({ lines: new Map<number, Line<T>>(), count: 0 });

/** How connections are, by their numbers. */
type At = (line: number) => Presence;

/**
 * A map keeps its entries in the order in which they were put: who has had a turn is put again, and
 * so stands last. Whoever comes new has the first turn before all others (as in RFC 8290 section
 * 4.2): who asks seldom does not wait for those who ask without end.
 */
export class Lanes<T> {
  private readonly fresh = new Map<string, Client<T>>();
  /** Who has had a turn; also where nothing waits, until the next one would be theirs. */
  private readonly known = new Map<string, Client<T>>();
  private readonly at: At;
  private readonly forgotten: (item: T) => void;
  private waiting = 0;

  /** `forgotten` is told of what nobody waits for any more. */
  constructor(at: At, forgotten: (item: T) => void) {
    this.at = at;
    this.forgotten = forgotten;
  }

  get count(): number {
    return this.waiting;
  }

  add(name: string, line: number, item: T): void {
    const client = this.known.get(name) ?? this.fresh.get(name) ?? NOBODY<T>();
    if (!this.known.has(name)) this.fresh.set(name, client);
    const items = client.lines.get(line);
    if (items === undefined) client.lines.set(line, [item]);
    else items.push(item);
    client.count++;
    this.waiting++;
  }

  /** Takes what is next; whoever has left comes after the others of the same client. */
  next(): T | undefined {
    return this.nextOf(this.fresh) ?? this.nextOf(this.known);
  }

  private nextOf(clients: Map<string, Client<T>>): T | undefined {
    for (const [name, client] of clients) {
      const line = this.lineOf(client);
      clients.delete(name);
      if (line === undefined) continue;
      const item = this.take(client, line, (items) => items.shift());
      this.known.set(name, client);
      return item;
    }
    return undefined;
  }

  /** Takes the latest of whoever has most waiting: what is refused when all is too much. */
  latest(): T | undefined {
    let most: Client<T> | undefined;
    for (const client of this.all()) if (client.count > (most?.count ?? 0)) most = client;
    if (most === undefined) return undefined;
    let [line, length] = [-1, 0];
    for (const [one, items] of most.lines) {
      if (items.length >= length) [line, length] = [one, items.length];
    }
    return this.take(most, line, (items) => items.pop());
  }

  /** Forgets what nobody waits for any more. */
  sweep(isOver: (item: T) => boolean): void {
    for (const client of this.all()) {
      for (const [line, items] of client.lines) {
        const isGone = this.at(line) === "gone";
        const left = isGone ? [] : items.filter((one) => !isOver(one));
        if (isGone) items.forEach(this.forgotten);
        this.forget(client, items.length - left.length);
        if (left.length === 0) client.lines.delete(line);
        else client.lines.set(line, left);
      }
    }
  }

  private all(): readonly Client<T>[] {
    return [...this.fresh.values(), ...this.known.values()];
  }

  /** The connection whose turn it is; those that are gone are forgotten. */
  private lineOf(client: Client<T>): number | undefined {
    let left: number | undefined;
    for (const [line, items] of client.lines) {
      const presence = this.at(line);
      if (presence === "open") return line;
      if (presence === "left") left ??= line;
      else {
        client.lines.delete(line);
        this.forget(client, items.length);
        items.forEach(this.forgotten);
      }
    }
    return left;
  }

  private take(
    client: Client<T>,
    line: number,
    from: (items: Line<T>) => T | undefined,
  ): T | undefined {
    const items = client.lines.get(line);
    if (items === undefined) return undefined;
    const item = from(items);
    this.forget(client, 1);
    client.lines.delete(line);
    if (items.length > 0) client.lines.set(line, items);
    return item;
  }

  private forget(client: Client<T>, count: number): void {
    client.count -= count;
    this.waiting -= count;
  }
}
