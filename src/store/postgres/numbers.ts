/** Numbers under names, as a transaction has changed them: the server is told at its end. */

interface Step<N> {
  readonly name: string;
  readonly before: N | undefined;
  readonly wasGiven: boolean;
}

export class Numbers<N> {
  readonly #known = new Map<string, N>();
  readonly #given = new Set<string>();
  #steps: Step<N>[] = [];

  /** The last number under each name that is known. */
  get known(): ReadonlyMap<string, N> {
    return this.#known;
  }

  /** Names whose numbers were changed. */
  get given(): ReadonlySet<string> {
    return this.#given;
  }

  /** What the server has. */
  learn(name: string, last: N): void {
    this.#known.set(name, last);
  }

  give(name: string, last: N): void {
    const [before, wasGiven] = [this.#known.get(name), this.#given.has(name)];
    this.#steps.push({ name, before, wasGiven });
    this.#known.set(name, last);
    this.#given.add(name);
  }

  /** What `undo` goes back to. */
  get mark(): number {
    return this.#steps.length;
  }

  /** Numbers that were given since are given again. */
  undo(mark: number): void {
    for (const { name, before, wasGiven } of this.#steps.splice(mark).reverse()) {
      if (before === undefined) this.#known.delete(name);
      else this.#known.set(name, before);
      if (!wasGiven) this.#given.delete(name);
    }
  }

  /** The server knows of all that were given. */
  told(): void {
    this.#given.clear();
    this.#steps = [];
  }

  clear(): void {
    this.#known.clear();
    this.told();
  }
}
