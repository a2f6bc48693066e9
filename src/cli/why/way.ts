/** What a request has behind it at some place: stretches of steps, as they were walked. */
import type { CheckKind, ItemId, Step } from "../../model/index.ts";

/** Steps `from` (included) to `to` of a walk, and what is done before them. */
export interface Way {
  readonly before: Way | undefined;
  readonly from: number;
  readonly to: number;
}

/** Steps in the order of a walk, and the way up to where it is now. */
export class Trail {
  readonly steps: ItemId[] = [];
  /** The way up to each check, with itself, and the check's step. */
  readonly checks = new Map<CheckKind, { readonly way: Way; readonly step: ItemId }>();
  /** Nothing is done behind these: they are on no way. */
  readonly #last = new Set<ItemId>();
  #way: Way | undefined;

  /** What is done before the place where the walk is now; undefined: nothing. */
  get way(): Way | undefined {
    return this.#way;
  }

  /** Goes past an item: a step, or a transition that is taken. */
  pass(id: ItemId): void {
    const from = this.steps.push(id) - 1;
    this.#way = { before: this.#way, from, to: from + 1 };
  }

  /** Goes past a step. */
  passStep(step: Step): void {
    this.pass(step.id);
    if (isLast(step)) this.#last.add(step.id);
    if (step.kind === "check" && this.#way !== undefined) {
      this.checks.set(step.what, { way: this.#way, step: step.id });
    }
  }

  /** Walks blocks of which each begins here; behind them is what does not end the request. */
  branch(blocks: readonly (readonly Step[])[], walk: (block: readonly Step[]) => void): void {
    const here = this.#way;
    const kept: (readonly [from: number, to: number])[] = [];
    for (const block of blocks) {
      this.#way = here;
      const from = this.steps.length;
      walk(block);
      const last = block.at(-1);
      if (last === undefined || isLast(last)) continue;
      kept.push([from, this.steps.length]);
    }
    this.#way = here;
    for (const [from, to] of kept) this.#way = { before: this.#way, from, to };
  }

  /** Items on any of some ways, in the order of the walk. Ways that meet are gone once. */
  itemsOn(ways: readonly (Way | undefined)[]): ItemId[] {
    const gone = new Set<Way>();
    const items = new Set<ItemId>();
    for (const way of ways) {
      for (let at = way; at !== undefined && !gone.has(at); at = at.before) {
        gone.add(at);
        for (const id of this.steps.slice(at.from, at.to)) {
          if (!this.#last.has(id)) items.add(id);
        }
      }
    }
    return this.steps.filter((id) => items.delete(id));
  }
}

function isLast({ kind }: Step): boolean {
  return kind === "respond" || kind === "refuse" || kind === "gap";
}
