/** Resolves expressions of the document: environment, facts, findings at their own columns. */
import {
  type Checked,
  type Code,
  check,
  type Environment,
  type Facts,
  isWide,
  parse,
  type Type,
  withPresent,
} from "../../../expr/index.ts";
import type { Assignment, Expression, ItemId, Refusal } from "../../../plan/index.ts";
import {
  type AssignSlot,
  type Match,
  offsetIn,
  type RefusalSlot,
  type SectionNode,
  type TextSlot,
} from "../../../spec/index.ts";
import type { Read } from "./asking.ts";
import { calledIn } from "./known.ts";
import { Names } from "./names.ts";
import {
  addGap,
  known,
  origin,
  partTitle,
  type Resolver,
  report,
  scopeName,
  shownGap,
} from "./resolver.ts";

/** Names that an expression sees, and what is known of them at its place. */
export interface View {
  readonly names: ReadonlyMap<string, Type>;
  readonly facts: Facts;
  /** What to do about names that one may expect here, and that are missing or may be null. */
  readonly advice?: ReadonlyMap<string, string>;
  /** The gap behind which other names may be hidden. */
  readonly open?: ItemId;
}

/** The view with more names; a name that it has already means the new thing. */
export function withNames(view: View, more: Iterable<readonly [string, Type]>): View {
  return { ...view, names: Names.of(view.names).over(more) };
}

function environment(r: Resolver, view: View): Environment {
  const { unknownNames } = r;
  return {
    names: unknownNames.size === 0 ? view.names : Names.of(view.names).over(unknownNames),
    ...(r.values.size === 0 ? {} : { values: r.values }),
    collections: r.collections,
    ...(view.advice === undefined ? {} : { advice: view.advice }),
    ...(view.open === undefined ? {} : { open: view.open }),
    members: (type) => r.objects.get(type.kind === "row" ? `row:${type.name}` : type.name),
    compared: r.compared,
    guarded: true,
  };
}

/** The type of what has an error; it fits everything, so that one mistake is reported once. */
export const UNKNOWN: Type = { kind: "unknown" };

const NO_CODE: Code = { op: "literal", type: UNKNOWN, value: null };

/** An expression in place of one that has an error; it never reaches a plan. */
function broken(slot: TextSlot): Expression {
  return { code: NO_CODE, text: slot.text };
}

/** An expression with its type, and what the checker learned of it. */
export interface Resolved {
  readonly expression: Expression;
  readonly type: Type;
  readonly checked: Checked;
}

/** Remembers which values an expression uses; what they read must be called so here, too. */
function noteUses(r: Resolver, slot: TextSlot, view: View): void {
  const { ast } = parse(slot.text);
  if (ast === undefined) return;
  const used = [...calledIn(ast)].flatMap((name) => {
    const value = r.values.get(name);
    return value === undefined ? [] : [{ name, value }];
  });
  if (used.length === 0) return;
  const names = new Set(used.flatMap(({ value }) => [...value.names]));
  const values = [...names].flatMap((name) => r.declared.get("value")?.get(name)?.section.id ?? []);
  r.uses.set(slot.start, { at: slot, values });
  for (const { name, value } of used) {
    const taken = [...value.reads].find((one) => view.names.has(one));
    if (taken === undefined) continue;
    report(r, "second-name", slot, {
      message: `\`${name}\` reads all rows \`${taken}\`, and here \`${taken}\` is something else.`,
      hint: "Give what has that name here another one.",
    });
  }
}

/** Resolves an expression; problems become findings. */
export function resolve(r: Resolver, slot: TextSlot, view: View, expected?: Type): Resolved {
  const checked = check(slot.text, environment(r, view), view.facts, expected);
  if (r.values.size > 0) noteUses(r, slot, view);
  for (const problem of checked.problems) {
    report(
      r,
      problem.code,
      {
        start: offsetIn(slot, problem.start),
        end: offsetIn(slot, problem.end),
      },
      {
        message: readable(problem.message),
        hint: readableHint(problem.hint),
      },
    );
  }
  const expression: Expression =
    checked.code === undefined ? broken(slot) : { code: checked.code, text: slot.text };
  r.places.set(expression, slot);
  if (checked.settled !== undefined) r.settled.set(expression, checked.settled);
  if (isWide(checked.type)) r.wide.set(expression, checked.type);
  return { expression, type: checked.code === undefined ? UNKNOWN : checked.type, checked };
}

/** A condition of the checker's own making. */
export function checkedHere(r: Resolver, condition: string, view: View): Checked {
  return check(condition, environment(r, view), view.facts);
}

/** What holds where a condition of the checker's own making is true. */
export function learnedFrom(r: Resolver, condition: string, view: View): Facts {
  const { code, whenTrue } = checkedHere(r, condition, view);
  return code === undefined ? view.facts : whenTrue;
}

/** A sentence for people: names of object types become the words that a document uses. */
export function readable(text: string): string {
  const stop = /[.!?]$/.test(text) ? "" : ".";
  const plain = text
    .replaceAll(/`(path|query|header|cookie|body|given):[^`]*`/g, "`$1`")
    .replaceAll(/`(new|changed):(\w*)[^`]*`/g, "the body that makes or changes a `$2`")
    .replaceAll(/`patch:([^`]*)`/g, "what is merged into a `$1`")
    .replaceAll(/`(part|shape|said|outcome):([^`]*)`/g, "`$2`");
  // Joined into one text: a sum of texts keeps its pieces, and a document can have many findings.
  return [plain.charAt(0).toUpperCase(), plain.slice(1), stop].join("");
}

/** One mistake is often made many times over, and the hint is one text then. */
let last = { hint: "", made: "" };

/** A hint in words that a reader of the document knows. */
export function readableHint(hint: string | undefined): string | undefined {
  if (hint === undefined) return undefined;
  if (hint !== last.hint) last = { hint, made: readable(hint) };
  return last.made;
}

export const BOOLEAN: Type = { kind: "boolean" };

const PATH = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;

/** As `resolve`, where the value may be absent: a member that is not there is left out. */
export function resolveOptional(
  r: Resolver,
  slot: TextSlot,
  view: View,
  expected: Type | undefined,
): Resolved {
  if (!PATH.test(slot.text)) return resolve(r, slot, view, expected);
  return resolve(r, slot, { ...view, facts: withPresent(view.facts, slot.text) }, expected);
}

/** Resolves pairs `name` = `e`. `expected`: the member that a name stands for, if known. */
export function resolveAssigns(
  r: Resolver,
  items: readonly AssignSlot[],
  place: RefusalPlace,
  expected: (name: TextSlot) => { type: Type; absent: boolean } | undefined,
): Assignment[] {
  return items.map((item) => {
    if (item.gap) return { name: item.name.text, value: unknownValue(r, item, place) };
    const member = expected(item.name);
    const one = member?.absent === true ? resolveOptional : resolve;
    const { expression } = one(r, item.value, place.view, member?.type);
    return { name: item.name.text, value: expression };
  });
}

/** A value that is not shown: who comes to it meets the gap. */
function unknownValue(r: Resolver, { name, value }: AssignSlot, place: RefusalPlace): Expression {
  const id = `${place.id}/${name.text}`;
  const { section } = place;
  const about = { part: partTitle(r, section.id), scope: scopeName(r, section) };
  const subject = `the value of \`${name.text}\``;
  const sentence = `\`${name.text}\` = not shown`;
  const gap = addGap(r, { id, ...about, subject, sentence, blocking: true, silent: false }, value);
  const expression = {
    code: { op: "gap", type: { kind: "unknown", gap }, gap },
    text: value.text,
  } as const;
  r.places.set(expression, value);
  return expression;
}

/** The last words of an item's name, behind its heading: `step 2`. */
function lastName(id: string): string {
  const names = id.split("/");
  return names
    .slice(-2)
    .join(", ")
    .replace(/^.*, (step )/, "$1")
    .replace(", rule ", ", ")
    .replace(/, else not shown$/, "");
}

/** The item that a refusal belongs to, and what the refusal's values see. */
export interface RefusalPlace {
  readonly id: ItemId;
  readonly section: SectionNode;
  readonly view: View;
}

/** The refusal of a slot; a gap where it says `not shown`. Remembers what an error is sent with. */
export function resolveRefusal(r: Resolver, slot: RefusalSlot, place: RefusalPlace): Refusal {
  const { id, section, view } = place;
  if (slot.gap || slot.error === undefined) {
    const node = { id: `${id}/else`, start: slot.start, end: slot.end };
    return { is: "gap", gap: shownGap(r, section, node, `the error of ${lastName(id)}`) };
  }
  known(r, "error", slot.error);
  const types = new Map<string, Type>();
  const assigned = slot.with.map((item) => {
    if (item.gap) {
      const value = unknownValue(r, item, place);
      types.set(item.name.text, value.code.type);
      return { name: item.name.text, value };
    }
    const { expression, type } = resolve(r, item.value, view);
    types.set(item.name.text, type);
    return { name: item.name.text, value: expression };
  });
  sends(r, slot.error.text, types);
  return {
    is: "error",
    id: origin(r, `${id}/else`, slot),
    error: slot.error.text,
    ...(slot.on === undefined ? {} : { on: slot.on.text }),
    with: assigned,
  };
}

/** Remembers that an error is sent with these values. */
export function sends(r: Resolver, error: string, given: Map<string, Type>): void {
  const all = r.given.get(error);
  if (all === undefined) r.given.set(error, [given]);
  else if (all.length < 1000) all.push(given);
}

/** A slot that holds a refusal; undefined where it has none. */
export function refusalSlot(match: Match | undefined, slot: string): RefusalSlot | undefined {
  const value = match?.slots[slot];
  return value?.kind === "refusal" ? value : undefined;
}

/** Reads the refusal that a bullet of the section states. */
export function refusalAt(r: Resolver, section: SectionNode, view: View): Read<Refusal> {
  return (match, { id }) => {
    const slot = refusalSlot(match, "refusal");
    return slot && resolveRefusal(r, slot, { id, section, view });
  };
}
