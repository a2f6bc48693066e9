/** All wrong documents. */
import { endpoints } from "./endpoints.ts";
import { expressions } from "./expressions.ts";
import { others } from "./others.ts";
import { outcomes } from "./outcomes.ts";
import { questionCases } from "./questions.ts";
import { resources } from "./resources.ts";
import { reviewed } from "./reviewed.ts";
import { ruleCases } from "./rules.ts";
import { schemas } from "./schemas.ts";
import { service } from "./service.ts";
import { states } from "./states.ts";
import { text } from "./text.ts";
import type { Wrong } from "./wrong.ts";

export const corpus: readonly Wrong[] = [
  ...text,
  ...service,
  ...resources,
  ...schemas,
  ...states,
  ...endpoints,
  ...expressions,
  ...others,
  ...outcomes,
  ...questionCases,
  ...reviewed,
  ...ruleCases,
];
