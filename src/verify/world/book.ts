/** What a model keeps under names besides its rows, in layers that can be undone. */
export class Book<T> {
  readonly #layers: Map<string, T>[] = [new Map()];

  get(name: string): T | undefined {
    return this.#layers.findLast((layer) => layer.has(name))?.get(name);
  }

  set(name: string, value: T): void {
    this.#layers.at(-1)?.set(name, value);
  }

  /** What is kept; of one name the last. */
  entries(): ReadonlyMap<string, T> {
    return new Map(this.#layers.flatMap((layer) => [...layer]));
  }

  begin(): void {
    this.#layers.push(new Map());
  }

  /** Keeps what was set since the innermost `begin`, as long as what is around it is not undone. */
  keep(): void {
    const last = this.#layers.pop();
    for (const [name, value] of last ?? []) this.set(name, value);
  }

  undo(): void {
    this.#layers.pop();
  }
}
