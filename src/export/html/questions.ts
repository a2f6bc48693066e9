/** The open questions of a document, as `check` counts them: gaps, and what it is silent about. */
import type { Finding, Span } from "../../base/index.ts";
import type { CheckedSpec } from "../../check/index.ts";
import type { ItemId } from "../../plan/index.ts";

export interface OpenQuestion {
  /** From 1, in the order of the document. */
  readonly number: number;
  readonly finding: Finding;
  readonly isSilent: boolean;
  /** The item that is not shown; undefined for some of what is silent. */
  readonly gap?: ItemId;
}

/** Open questions by where they stand. */
export class Questions {
  readonly all: readonly OpenQuestion[];
  readonly #byGap: ReadonlyMap<ItemId, OpenQuestion>;

  constructor({ findings, gaps }: CheckedSpec) {
    const open = findings.filter(({ code }) => code === "gap" || code === "silent");
    const silent = gaps.filter((gap) => gap.silent);
    const idAt = new Map(silent.map(({ id, span }) => [span.start, id]));
    this.all = open.map((finding, at) => {
      const gap = finding.question ?? idAt.get(finding.span.start);
      const isSilent = finding.code === "silent";
      return { number: at + 1, finding, isSilent, ...(gap === undefined ? {} : { gap }) };
    });
    this.#byGap = new Map(this.all.flatMap((one) => (one.gap ? [[one.gap, one] as const] : [])));
  }

  /** Those that begin in a span, in order. */
  within({ start, end }: Span): readonly OpenQuestion[] {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle]?.finding.span.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    let last = low;
    while (last < this.all.length && (this.all[last]?.finding.span.start ?? 0) < end) last++;
    return this.all.slice(low, last);
  }

  of(gap: ItemId): OpenQuestion | undefined {
    return this.#byGap.get(gap);
  }
}
