/** Collects named values, in an order in which what each uses is known. */
import { endless } from "../../../base/index.ts";
import { type Ast, functionTable, macroTable, parse, writtenOut } from "../../../expr/index.ts";
import { gapOf, isStated } from "../../../plan/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import { answer } from "../names/asking.ts";
import { type Collected, nameOf } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { resolve, UNKNOWN, withNames } from "../names/expression.ts";
import { calledIn, type Value, wordsIn } from "../names/known.ts";
import { bulletsOf, origin, type Resolver, report, sectionsOf, slotOf } from "../names/resolver.ts";
import { exprType, hiddenType } from "../names/types.ts";
import { givenOf } from "./shapes.ts";

/** A value before others that it uses are written out in it. */
interface Draft {
  readonly name: string;
  readonly section: SectionNode;
  /** Undefined where it is not shown, or is no expression. */
  readonly ast: Ast | undefined;
}

const FUNCTIONS: ReadonlySet<string> = new Set(
  [...functionTable, ...macroTable].map(({ name }) => name),
);

function draftOf(r: Resolver, section: SectionNode): Draft {
  const name = nameOf(section).text;
  const slot = slotOf(bulletsOf([section], "is")[0]?.match, "value");
  if (FUNCTIONS.has(name)) {
    report(r, "second-name", nameOf(section), { message: `\`${name}\` is a function already.` });
  }
  return { name, section, ast: slot === undefined ? undefined : parse(slot.text).ast };
}

/** The drafts, each behind those that it uses; those that use themselves are reported, and last. */
function inOrder(r: Resolver, drafts: readonly Draft[]): Draft[] {
  const byName = new Map(drafts.map((one) => [one.name, one]));
  const uses = new Map(
    drafts.map(({ name, ast }) => {
      const called = ast === undefined ? [] : [...calledIn(ast)];
      return [name, called.filter((one) => byName.has(one))] as const;
    }),
  );
  const suspects = endless(uses);
  const done = new Set<string>();
  const ordered: Draft[] = [];
  const open = drafts.map(({ name }) => ({ name, isLeft: false })).reverse();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { name, isLeft } = at;
    const draft = byName.get(name);
    if (draft === undefined || (done.has(name) && !isLeft)) continue;
    if (isLeft) {
      ordered.push(draft);
      continue;
    }
    done.add(name);
    open.push({ name, isLeft: true });
    for (const one of uses.get(name) ?? []) open.push({ name: one, isLeft: false });
  }
  for (const { name, section } of drafts.filter((one) => suspects.has(one.name))) {
    report(r, "recursion", nameOf(section), {
      message: `The value \`${name}\` needs itself.`,
      hint: "An algorithm of its own belongs behind a Call.",
    });
  }
  return ordered.filter(({ name }) => !suspects.has(name));
}

/** A name that no document can write, whose type is unknown, or hidden by a gap. */
function unknownBody(r: Resolver, { name, section }: Draft, gap: string | undefined): Ast {
  const word = `the value ${name}`;
  r.unknownNames.set(word, gap === undefined ? UNKNOWN : hiddenType(gap));
  const { start, end } = nameOf(section);
  return { kind: "name", name: word, start, end };
}

/** What is in the place of a use; problems of the value's own are told of here, once. */
function valueOf(r: Resolver, names: Collected, draft: Draft): Value {
  const { name, section, ast } = draft;
  const givenNames = givenOf(r, names, section);
  const given = givenNames.map((one) => one.name);
  const used =
    ast === undefined ? [] : [...calledIn(ast)].flatMap((one) => r.values.get(one) ?? []);
  const all = new Set([name, ...used.flatMap((one) => [...one.names])]);
  const is = answer({ r, section }, "is", (match) => slotOf(match, "value"));
  if (!isStated(is) || ast === undefined) {
    return { given, names: all, reads: new Set(), body: unknownBody(r, draft, gapOf(is)) };
  }
  const view = withNames(
    commonNames(r, "none"),
    givenNames.map((one) => [one.name, exprType(names, one.type)] as const),
  );
  const { checked } = resolve(r, is.value, view);
  if (checked.code === undefined) {
    return { given, names: all, reads: new Set(), body: unknownBody(r, draft, undefined) };
  }
  const { ast: body } = writtenOut(ast, r.values);
  const reads = new Set([...wordsIn(body)].filter((one) => r.collections.has(one)));
  return { given, names: all, reads, body };
}

/** Fills `r.values`, by which expressions write out what they use. */
export function collectValues(r: Resolver, names: Collected): void {
  const drafts = sectionsOf(r, "value")
    .map((section) => draftOf(r, section))
    .filter(({ name }) => !FUNCTIONS.has(name));
  const ordered = inOrder(r, drafts);
  for (const draft of drafts) {
    origin(r, draft.section.id, nameOf(draft.section));
    if (ordered.includes(draft)) continue;
    r.uses.set(draft.section.start, { at: draft.section, values: [draft.section.id] });
    const given = givenOf(r, names, draft.section).map((one) => one.name);
    const body = unknownBody(r, draft, undefined);
    r.values.set(draft.name, { given, body, names: new Set([draft.name]), reads: new Set() });
  }
  for (const draft of ordered) r.values.set(draft.name, valueOf(r, names, draft));
}
