/** What is known of named values, and of what steps do; what a tree of an expression names. */
import { type Ast, childrenOf, type NamedValue } from "../../../expr/index.ts";
import type { Answer, ItemId } from "../../../plan/index.ts";
import type { ReadJson } from "../../../schema/index.ts";
import type { TextSlot } from "../../../spec/index.ts";

/** A named value; what it reads may not be called otherwise where it is used. */
export interface Value extends NamedValue {
  /** Its name, and those of the values that it uses. */
  readonly names: ReadonlySet<string>;
  /** Collections. */
  readonly reads: ReadonlySet<string>;
}

/** A schema of the document, and where its text stands. */
export interface SchemaDraft {
  readonly id: ItemId;
  readonly name: string;
  readonly schema: Answer<string>;
  /** Undefined: there is no text. */
  readonly read: ReadJson | undefined;
  readonly text?: TextSlot;
}

/** What some step of the document does, by name. */
export interface Effects {
  readonly creates: Set<string>;
  readonly deletes: Set<string>;
  /** `Resource.field`. */
  readonly sets: Set<string>;
  readonly fires: Set<string>;
  readonly emits: Set<string>;
  readonly shows: Set<string>;
}

/** Before any step is read. */
export function noEffects(): Effects {
  return {
    creates: new Set(),
    deletes: new Set(),
    sets: new Set(),
    fires: new Set(),
    emits: new Set(),
    shows: new Set(),
  };
}

/** What is used like a function. */
export function calledIn(ast: Ast, found: Set<string> = new Set()): Set<string> {
  if (ast.kind === "call" && ast.receiver === undefined) found.add(ast.fn);
  for (const child of childrenOf(ast)) calledIn(child, found);
  return found;
}

/** Names, those of macros too. */
export function wordsIn(ast: Ast, found: Set<string> = new Set()): Set<string> {
  if (ast.kind === "name") found.add(ast.name);
  for (const child of childrenOf(ast)) wordsIn(child, found);
  return found;
}
