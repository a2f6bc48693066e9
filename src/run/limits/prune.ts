/** Takes out, now and then, what was counted and is in no window any more, group after group. */
import type { Counters } from "../ports/index.ts";

/** Groups looked at in one go: more than can have been added since the last. */
const EVERY = 64;
const GROUPS = 80;

/** Goes round through the groups of one name. */
export class Pruner {
  private readonly name: string;
  private count = 0;
  private after: number | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** To be told of each entry that is counted. `from`: where the window begins that holds now. */
  counted(counters: Pick<Counters, "prune">, from: bigint): void {
    this.count++;
    if (this.count % EVERY !== 0) return;
    for (let i = 0; i < GROUPS; i++) {
      this.after = counters.prune(this.name, this.after, from);
      if (this.after === undefined) return;
    }
  }
}
