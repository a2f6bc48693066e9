/** Which members and items of one value some schema has looked at (`unevaluated...`). */

export class Marks {
  readonly names = new Set<string>();
  readonly items = new Set<number>();
  allNames = false;
  allItems = false;
  /** Items before this one. */
  upTo = 0;

  add(other: Marks): void {
    for (const name of other.names) this.names.add(name);
    for (const item of other.items) this.items.add(item);
    this.allNames ||= other.allNames;
    this.allItems ||= other.allItems;
    this.upTo = Math.max(this.upTo, other.upTo);
  }

  hasName(name: string): boolean {
    return this.allNames || this.names.has(name);
  }

  hasItem(at: number): boolean {
    return this.allItems || at < this.upTo || this.items.has(at);
  }
}
