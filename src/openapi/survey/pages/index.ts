/** The door of `pages`: the page of every code of the survey. */
import type { CodeEntry } from "../../../base/index.ts";
import { problemPages } from "../../tree/index.ts";
import { messagePages } from "./messages.ts";
import { operationPages } from "./operations.ts";
import { schemaPages } from "./schemas.ts";
import { wholePages } from "./wholes.ts";

/** Every code with its page; a rule whose code has none does not compile. */
export const surveyPages = {
  ...problemPages,
  ...operationPages,
  ...schemaPages,
  ...messagePages,
  ...wholePages,
} as const satisfies Readonly<Record<string, CodeEntry>>;

/** What a cause of a survey is called. */
export type SurveyCode = keyof typeof surveyPages;
