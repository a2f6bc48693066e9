/** What a survey of a description gives: what is stated, what is not, and what contradicts. */
import type { Severity } from "../../base/index.ts";
import type { Operation } from "../model/index.ts";
import type { Place } from "../tree/index.ts";

import type { SurveyCode } from "./pages/index.ts";

/**
 * What a description says of a facet. `mentioned`: in prose, or by an answer that supposes it, and
 * not stated. `silent`: nowhere.
 */
export type FacetStatus = "stated" | "none" | "mentioned" | "silent";

interface SurveyFacet {
  readonly name: string;
  readonly status: FacetStatus;
  /** Where it is stated or mentioned; else the top of the file. */
  readonly place: Place;
}

export interface SurveyPart {
  readonly name: string;
  readonly facets: readonly SurveyFacet[];
}

/** One cause with all the places at which it is met. */
export interface Cause {
  readonly code: SurveyCode;
  readonly severity: Exclude<Severity, "review">;
  /** The title of the part that it is about. */
  readonly part: string;
  /** Says how many of how many. */
  readonly message: string;
  readonly hint?: string;
  /**
   * What to ask the author; a cause without one is no gap. While it is counted, `@` stands for
   * what is asked about.
   */
  readonly question?: string;
  /** What the first place is called: `POST /pets`, a schema, a parameter. */
  readonly subject: string;
  readonly count: number;
  readonly of: number;
  /** How many operations wait for the answer. */
  readonly blocks: number;
  readonly places: readonly Place[];
}

/** A cause before it is chosen which of its places is told. */
export interface Counted extends Omit<Cause, "subject"> {
  /** Of each place the operation that it is of. */
  readonly owners?: readonly (Operation | undefined)[];
  /** Whether it is the operations themselves that are counted. */
  readonly isOfOperations?: boolean;
  /** What it is about, where that is not what the place is called. */
  readonly subject?: string;
}

export interface Survey {
  /** What a place of the file is called. */
  nameOf(place: Place): string;
  readonly title: string;
  readonly parts: readonly SurveyPart[];
  /** Contradictions first, then warnings, gaps by how much they block, notes. */
  readonly causes: readonly Cause[];
}
