/** The door of `review`: what a careful reviewer would ask; right documents may get these, too. */
import type { Rule } from "../rules/context.ts";
import { access } from "./access.ts";
import { outside } from "./outside.ts";
import { secrets } from "./secrets.ts";
import { values } from "./values.ts";

/** Every question of judgement: the document alone cannot tell whether it is meant so. */
export const reviewRules: readonly Rule[] = [access, secrets, outside, values];
