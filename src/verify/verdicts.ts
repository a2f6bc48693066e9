/** What was found of each item of a document, with the requests that show it. */
import type { ItemId } from "../plan/index.ts";

export type Verdict = "held" | "broken" | "not reached" | "unstated";

export interface Found {
  readonly item: ItemId;
  readonly verdict: Verdict;
  /** Numbers of the requests that show it, a few of them. */
  readonly by: readonly number[];
}

const SHOWN = 5;

/** Collects verdicts: one request that breaks an item outweighs all that show it held. */
export class Verdicts {
  readonly #held = new Map<ItemId, number[]>();
  readonly #broken = new Map<ItemId, number[]>();
  readonly #unstated = new Map<ItemId, number[]>();

  held(items: Iterable<ItemId>, request: number): void {
    note(this.#held, items, request);
  }

  broken(items: Iterable<ItemId>, request: number): void {
    note(this.#broken, items, request);
  }

  /** Takes back all that was said to be broken but this. */
  breakAnew(all: readonly { readonly items: Iterable<ItemId>; readonly number: number }[]): void {
    this.#broken.clear();
    for (const { items, number } of all) this.broken(items, number);
  }

  unstated(items: Iterable<ItemId>, request: number): void {
    note(this.#unstated, items, request);
  }

  of(item: ItemId): Found {
    const broken = this.#broken.get(item);
    if (broken !== undefined) return { item, verdict: "broken", by: broken };
    const held = this.#held.get(item);
    if (held !== undefined) return { item, verdict: "held", by: held };
    const unstated = this.#unstated.get(item);
    if (unstated !== undefined) return { item, verdict: "unstated", by: unstated };
    return { item, verdict: "not reached", by: [] };
  }
}

function note(into: Map<ItemId, number[]>, items: Iterable<ItemId>, request: number): void {
  for (const item of new Set(items)) {
    const all = into.get(item) ?? [];
    if (all.length < SHOWN) all.push(request);
    into.set(item, all);
  }
}
