/** What a survey of a description gives: what is stated, what is not, and what contradicts. */
import type { Severity } from "../../base/index.ts";
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
  /** What to ask the author; a cause without one is no gap. */
  readonly question?: string;
  readonly count: number;
  readonly of: number;
  /** How many operations wait for the answer. */
  readonly blocks: number;
  readonly places: readonly Place[];
}

export interface Survey {
  readonly title: string;
  readonly parts: readonly SurveyPart[];
  /** Contradictions first, then warnings, gaps by how much they block, notes. */
  readonly causes: readonly Cause[];
}
