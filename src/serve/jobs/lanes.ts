/** What waits, in fair turns: of the clients first, then of the connections of each. */

/** A connection: its client has said all it will say (`left`), or nobody is there any more. */
export type Presence = "open" | "left" | "gone";

/** What waits for one connection, the earliest first. */
type Line<T> = T[];

interface Client<T> {
  readonly lines: Map<number, Line<T>>;
  count: number;
}

/** How connections are, by their numbers. */
type At = (line: number) => Presence;

/**
 * A map keeps its entries in the order in which they were put: who has had a turn is put again, and
 * so stands last.
 */
export class Lanes<T> {
  private readonly clients = new Map<string, Client<T>>();
  private readonly at: At;
  private readonly forgotten: (item: T) => void;
  private all = 0;

  /** `forgotten` is told of what nobody waits for any more. */
  constructor(at: At, forgotten: (item: T) => void) {
    this.at = at;
    this.forgotten = forgotten;
  }

  get count(): number {
    return this.all;
  }

  add(name: string, line: number, item: T): void {
    const client = this.clients.get(name) ?? { lines: new Map<number, Line<T>>(), count: 0 };
    this.clients.set(name, client);
    const items = client.lines.get(line);
    if (items === undefined) client.lines.set(line, [item]);
    else items.push(item);
    client.count++;
    this.all++;
  }

  /** Takes what is next; whoever has left comes after the others of the same client. */
  next(): T | undefined {
    for (const [name, client] of this.clients) {
      const line = this.lineOf(client);
      this.clients.delete(name);
      if (line === undefined) continue;
      const item = this.take(client, line, (items) => items.shift());
      if (client.count > 0) this.clients.set(name, client);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  /** Takes the latest of whoever has most waiting: what is refused when all is too much. */
  latest(): T | undefined {
    let [name, most]: [string, Client<T> | undefined] = ["", undefined];
    for (const [one, client] of this.clients) {
      if (client.count > (most?.count ?? 0)) [name, most] = [one, client];
    }
    if (most === undefined) return undefined;
    let [line, length] = [-1, 0];
    for (const [one, items] of most.lines) {
      if (items.length >= length) [line, length] = [one, items.length];
    }
    const item = this.take(most, line, (items) => items.pop());
    if (most.count === 0) this.clients.delete(name);
    return item;
  }

  /** Forgets what nobody waits for any more. */
  sweep(isOver: (item: T) => boolean): void {
    for (const [name, client] of this.clients) {
      for (const [line, items] of client.lines) {
        const isGone = this.at(line) === "gone";
        const left = isGone ? [] : items.filter((one) => !isOver(one));
        if (isGone) items.forEach(this.forgotten);
        this.forget(client, items.length - left.length);
        if (left.length === 0) client.lines.delete(line);
        else client.lines.set(line, left);
      }
      if (client.count === 0) this.clients.delete(name);
    }
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
    this.all -= count;
  }
}
