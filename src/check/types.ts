/** What the checker gives: findings, facets, gaps, counts, and the service where one is stated. */
import type { Finding, Span } from "../base/index.ts";
import type { FailureClass } from "../language/index.ts";
import type { FailureRow, Gap, ItemId, Service, Status } from "../plan/index.ts";

export interface FacetReport extends Span {
  readonly name: string;
  readonly status: Status;
  /** The sentence that answers for it, where one does. */
  readonly sentence?: string;
}

export interface PartReport extends Span {
  readonly name: string;
  readonly facets: readonly FacetReport[];
}

/** A recorded gap or a silent item with its place. */
export interface GapReport extends Gap {
  readonly span: Span;
  /** A cell of which nothing is shown; `isWhole`: nor of the others of its row, but the first. */
  readonly cell?: { readonly column: string; readonly row: string; readonly isWhole: boolean };
}

/** An expression that uses named values, with where these are stated. */
export interface Use {
  readonly at: Span;
  /** The sections of the values, those that values use included. */
  readonly values: readonly ItemId[];
}

export interface Counts {
  readonly stated: number;
  readonly none: number;
  readonly free: number;
  readonly notShown: number;
  readonly silent: number;
}

/** A gap that an assumption answers. */
export interface AssumedReport {
  /** What is assumed, as written, on one line. */
  readonly text: string;
  readonly part: string;
  readonly scope: string;
  /** Where the assumption stands, in its own file. */
  readonly span: Span;
  /** Where the gap stands in the document; none for what the document is silent about. */
  readonly instead?: Span;
  /** Items of the service that come from it. */
  readonly items: readonly ItemId[];
}

/** What blocks `json openapi` keep for an export, which is not served. */
export interface KeptReport {
  readonly blocks: number;
  readonly members: number;
  /** How many members of each kind, the most first. */
  readonly kinds: Readonly<Record<string, number>>;
}

/**
 * A checked specification. Only `check` makes one. `sound` is false where a finding of severity
 * error is anything but silence: then no plan can be made of it.
 */
export interface CheckedSpec {
  readonly title: string;
  readonly text: string;
  readonly parts: readonly PartReport[];
  readonly gaps: readonly GapReport[];
  /** Of the gaps that the findings tell of, as many as keep some answer from being given. */
  readonly blocking: number;
  readonly findings: readonly Finding[];
  readonly counts: Counts;
  readonly sound: boolean;
  /** Undefined: the document keeps nothing for an export. */
  readonly kept?: KeptReport;
  readonly service: Service;
  /** Where each item of the service stands. */
  readonly origins: ReadonlyMap<ItemId, Span>;
  /** Expressions that use named values: their lines rest on those of the values, too. */
  readonly uses: readonly Use[];
  /** The assumptions that the document was checked with; spans with `file` 1 are in this text. */
  readonly assumptions?: { readonly title: string; readonly text: string };
  /** What the assumptions answer, in their order. `parts` say what the document itself says. */
  readonly assumed?: readonly AssumedReport[];
}

/** A failure row that stands for each condition of its class that no other row answers. */
export interface ClassRow {
  /** The section whose failure tables it is in. */
  readonly section: ItemId;
  /** Undefined: all classes. */
  readonly class: FailureClass | undefined;
  readonly answer: Omit<FailureRow, "condition">;
  readonly span: Span;
}
