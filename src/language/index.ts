/** The door of the language tables. */
export { blocks } from "./blocks.ts";
export { type Audience, audiences } from "./change-entry.ts";
export { type ChangeName, changeKinds, type NamedChange } from "./changes.ts";
export { type ConditionEntry, type FailureClass, failureConditions } from "./conditions.ts";
export {
  type BulletForm,
  type Form,
  type Scope,
  type SlotKind,
  scopes,
  slotKinds,
} from "./form.ts";
export { bullets, tables } from "./groups.ts";
export { type HeadingForm, headings } from "./headings.ts";
export { type NameEntry, type NamePlace, namePlaces, names } from "./names.ts";
export { type PartEntry, parts } from "./parts.ts";
export {
  type BulletQuestion,
  type QuestionEntry,
  type QuestionId,
  questions,
} from "./questions.ts";
export { rules } from "./rules.ts";
export { conditions, steps } from "./steps.ts";
export { synonyms } from "./synonyms.ts";
export { type Column, rulesCell, type TableEntry, typeCell } from "./tables.ts";
export { types, typeTails } from "./types.ts";
export { type Denial, type Use, uses } from "./uses.ts";
