/** What a request has behind it at some place: stretches of what it went past, as walked. */
import type { ItemId } from "../types/index.ts";

/** Places `from` (included) to `to` of a walk, and what is done before them. */
export interface Path {
  readonly before: Path | undefined;
  readonly from: number;
  readonly to: number;
}

/** A step or check of a walk, with all that it consults. */
interface Station {
  readonly id: ItemId;
  readonly items: ReadonlySet<ItemId>;
  /** Nothing is done behind it. */
  readonly isLast: boolean;
}

/** Stations in the order of a walk, and the path up to where it is now. */
export class Trail {
  readonly #stations: Station[] = [];
  #path: Path | undefined;

  /** What is done before the place where the walk is now; undefined: nothing. */
  get path(): Path | undefined {
    return this.#path;
  }

  pass(station: Station): void {
    const from = this.#stations.push(station) - 1;
    this.#path = { before: this.#path, from, to: from + 1 };
  }

  /** Walks blocks of which each begins here; behind them is what does not end the request. */
  branch<T>(blocks: readonly (readonly T[])[], walk: (block: readonly T[]) => void): void {
    const here = this.#path;
    const kept: (readonly [from: number, to: number])[] = [];
    for (const block of blocks) {
      this.#path = here;
      const from = this.#stations.length;
      walk(block);
      if (this.#stations.at(-1)?.isLast === true || this.#stations.length === from) continue;
      kept.push([from, this.#stations.length]);
    }
    this.#path = here;
    for (const [from, to] of kept) this.#path = { before: this.#path, from, to };
  }

  /** The stations on any of some paths, in the order of the walk. */
  on(paths: readonly (Path | undefined)[]): Station[] {
    const gone = new Set<Path>();
    const found = new Set<Station>();
    for (const path of paths) {
      for (let at = path; at !== undefined && !gone.has(at); at = at.before) {
        gone.add(at);
        for (const one of this.#stations.slice(at.from, at.to)) if (!one.isLast) found.add(one);
      }
    }
    return this.#stations.filter((one) => found.delete(one));
  }
}
