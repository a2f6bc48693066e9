/** The door of the language tables. */
export { blocks, type BlockForm } from "./blocks.ts";
export { bullets } from "./bullets.ts";
export { changeKinds, type ConditionEntry, failureConditions } from "./conditions.ts";
export {
  type BulletForm,
  type Form,
  type Scope,
  type SlotKind,
  scopes,
  slotKinds,
} from "./form.ts";
export { headings, type HeadingForm } from "./headings.ts";
export { type FacetEntry, type PartEntry, parts } from "./parts.ts";
export { questions, type QuestionEntry } from "./questions.ts";
export { rules } from "./rules.ts";
export { conditions, steps } from "./steps.ts";
export { synonyms } from "./synonyms.ts";
export { type Column, rulesCell, tables, type TableEntry, typeCell } from "./tables.ts";
export { types, typeTails } from "./types.ts";
