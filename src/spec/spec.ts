/** The specification as written: sections with bullets, tables, steps and sentences, all placed. */
import type { Span } from "../base/index.ts";
import type { Scope } from "../language/index.ts";
import type { ItemId, Status } from "../plan/index.ts";

/** Words or a code span of the document. For a code span the span is that of its content. */
export interface TextSlot extends Span {
  readonly kind: "text";
  readonly text: string;
  /** Pairs (index in `text`, sum to add) where text and source run apart. */
  readonly shifts?: readonly number[];
}

export interface AssignSlot {
  readonly name: TextSlot;
  /** The expression, or the words `not shown`. */
  readonly value: TextSlot;
  readonly gap: boolean;
}

/** `error` [on `word`] [with ...]; `gap`: `not shown` stands in its place. */
export interface RefusalSlot extends Span {
  readonly kind: "refusal";
  readonly gap: boolean;
  readonly error?: TextSlot;
  readonly on?: TextSlot;
  readonly with: readonly AssignSlot[];
}

export interface TypeSlot extends Span {
  readonly kind: "type";
  readonly match: Match;
  readonly orNull: boolean;
  readonly orAbsent: boolean;
}

export type SlotValue =
  | TextSlot
  | RefusalSlot
  | TypeSlot
  | { readonly kind: "texts"; readonly items: readonly TextSlot[] }
  | { readonly kind: "assigns"; readonly items: readonly AssignSlot[] }
  | {
      readonly kind: "order";
      readonly keys: readonly { readonly by: TextSlot; readonly descending: boolean }[];
    }
  | {
      readonly kind: "states";
      readonly items: readonly {
        readonly name: TextSlot;
        readonly initial: boolean;
        readonly final: boolean;
      }[];
    }
  /** A word form of a condition, or (form `code`) an expression in the slot `expr`. */
  | { readonly kind: "condition"; readonly match: Match }
  | { readonly kind: "step"; readonly match: Match };

/** Text that has one form of the language, with what fills its slots. */
export interface Match extends Span {
  readonly form: string;
  readonly slots: Readonly<Record<string, SlotValue>>;
}

/** `status` is never `silent` here: what is not written has no node. */
export type WrittenStatus = Exclude<Status, "silent">;

export interface BulletNode extends Span {
  readonly id: ItemId;
  /** Key as written in its form, without slots, in lower case: `base path`, `given`. */
  readonly key: string;
  readonly status: WrittenStatus;
  /** Slots of the key alone where the value is `none`, `free` or `not shown`. */
  readonly match: Match;
}

export interface WrittenCell extends Span {
  readonly status: WrittenStatus;
  readonly matches: readonly Match[];
  /** Subjects of gaps beside a value: `at least 1 item; most items: not shown`. */
  readonly gaps: readonly TextSlot[];
}

/** A cell that states one thing and nothing else, as most do. */
export interface SingleCell extends Span {
  readonly only: Match;
}

/** A cell with the text of one further up, of its column: states what that one does, moved. */
interface RepeatedCell extends Span {
  /** A cell without gaps. */
  readonly first: WrittenCell | SingleCell;
}

/** Tables are large and say the same things many times: what a cell says is read by `unfolded`. */
export type CellNode = WrittenCell | SingleCell | RepeatedCell;

export interface RowNode extends Span {
  readonly id: ItemId;
  /** In the order of the table's columns. */
  readonly cells: readonly CellNode[];
}

export interface TableNode extends Span {
  readonly table: string;
  /** Titles; a `*` column has the name in its code span, and `header` where that word is there. */
  readonly columns: readonly {
    readonly title: string;
    readonly slot?: TextSlot;
    readonly header: boolean;
  }[];
  readonly rows: readonly RowNode[];
  /** What cells of another table say, whose text these are: nothing is written into it. */
  readonly restated?: true;
}

/** One case of a `By` step; no values: `any other`. */
export interface CaseNode extends Span {
  readonly id: ItemId;
  readonly values: readonly TextSlot[];
  readonly step: StepNode;
}

export interface StepNode extends Span {
  readonly id: ItemId;
  readonly match: Match;
  readonly children: readonly StepNode[];
  readonly cases: readonly CaseNode[];
  /** Conditions of `where all of:`. */
  readonly conditions: readonly Match[];
}

/** `Subject: not shown.` and its kin, split into facets where every piece is one. */
export interface SentenceNode extends Span {
  readonly id: ItemId;
  readonly status: WrittenStatus;
  readonly subject: TextSlot;
  /** Name of the facet of the part, if it is one. */
  readonly facet?: string;
  /** The whole sentence as written. */
  readonly sentence: string;
}

export interface FenceNode extends Span {
  readonly id: ItemId;
  readonly block: string;
  /** What follows the fixed words of the info string. */
  readonly name: TextSlot;
  readonly content: TextSlot;
}

export interface SectionNode extends Span {
  readonly id: ItemId;
  readonly scope: Scope;
  /** Undefined above the first heading of a part. */
  readonly heading?: Match;
  readonly bullets: readonly BulletNode[];
  readonly tables: readonly TableNode[];
  readonly steps: readonly StepNode[];
  readonly sentences: readonly SentenceNode[];
  readonly fences: readonly FenceNode[];
  readonly prose: readonly TextSlot[];
  /** Of an endpoint into which groups are written: those groups, the inner ones first. */
  readonly groups?: readonly SectionNode[];
}

export interface PartNode extends Span {
  readonly title: string;
  readonly id: string;
  /** The first one stands above the first heading. */
  readonly sections: readonly SectionNode[];
}

export interface Spec {
  readonly text: string;
  readonly title: TextSlot;
  readonly parts: readonly PartNode[];
}
