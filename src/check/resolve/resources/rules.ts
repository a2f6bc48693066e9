/** Resolves the rules of a Rules cell. */
import type { Span } from "../../../base/index.ts";
import type { Type } from "../../../expr/index.ts";
import { patternFault } from "../../../expr/index.ts";
import type { QuestionId } from "../../../language/index.ts";
import type { Hash, ItemId, Refusal, Rule, RulePlaceName, ValueType } from "../../../plan/index.ts";
import type { Match, SectionNode, TextSlot, WrittenCell } from "../../../spec/index.ts";
import { silent } from "../names/asking.ts";
import { contentIds } from "../names/common.ts";
import {
  BOOLEAN,
  type RefusalPlace,
  refusalSlot,
  resolve,
  resolveRefusal,
  type View,
  withNames,
} from "../names/expression.ts";
import {
  origin,
  type Resolver,
  report,
  shownGap,
  slotOf,
  textOf,
  textsOf,
} from "../names/resolver.ts";
import { bounds, judge, number } from "./fitting.ts";
import { refuseItself } from "./itself.ts";

/** Where rules stand: on a field of a resource, on a field of a part, or on an input. */
interface RulePlace {
  readonly section: SectionNode;
  readonly id: ItemId;
  readonly name: string;
  readonly type: ValueType;
  readonly exprType: Type;
  readonly on: RulePlaceName;
  /** Sees `it` on a field, and nothing of the request. */
  readonly view: View;
  /** What it sees where the row is made. */
  readonly createView: View;
  readonly cell: Span;
  readonly fields: readonly string[];
  /** Subjects of gaps in the cell, in lower case. */
  readonly gaps: readonly string[];
}

type UniqueRule = Extract<Rule, { kind: "unique" }>;

/** A rule without its name. */
type Plain<K extends Rule["kind"]> = Omit<Extract<Rule, { kind: K }>, "id">;

/** A rule with bounds. Each is written out, since an object that is spread takes more memory. */
function bounded(id: ItemId, kind: "characters" | "items", match: Match): Rule {
  const { min, max } = bounds(match);
  if (max === undefined) return { id, kind, min };
  return min === undefined ? { id, kind, max } : { id, kind, min, max };
}

/** A bound as written: bare digits are a literal of the field's type. */
function boundOf(r: Resolver, place: RulePlace, slot: TextSlot | undefined) {
  if (slot === undefined) return undefined;
  const type = place.exprType.kind === "nullable" ? place.exprType.of : place.exprType;
  const quoted =
    type.kind === "date" && /^\d{4}-/.test(slot.text)
      ? { ...slot, text: `date("${slot.text}")` }
      : type.kind === "number" && /^-?\d+(\.\d+)?$/.test(slot.text)
        ? { ...slot, text: `${slot.text}e0` }
        : slot;
  return resolve(r, quoted, place.view, type).expression.code;
}

function range(r: Resolver, place: RulePlace, match: Match): Plain<"range"> {
  const min = boundOf(r, place, slotOf(match, "min"));
  const max = boundOf(r, place, slotOf(match, "max"));
  return { kind: "range", ...(min && { min }), ...(max && { max }) };
}

const LISTED_MAX = 40;

function fieldList(fields: readonly string[]): string {
  const shown = fields.slice(0, LISTED_MAX).map((field) => `\`${field}\``);
  return `${shown.join(", ")}${fields.length > LISTED_MAX ? " ..." : ""}`;
}

function fieldNames(r: Resolver, place: RulePlace, slots: readonly TextSlot[]): string[] {
  return slots.map((slot) => {
    if (!place.fields.includes(slot.text)) {
      report(r, "unknown-name", slot, {
        message: `\`${slot.text}\` is no field here.`,
        hint: `Fields: ${fieldList(place.fields)}.`,
      });
    }
    return slot.text;
  });
}

/** The refusal behind a rule, or the question that a missing one raises. */
export function refusalOr(
  r: Resolver,
  match: Match,
  question: QuestionId,
  place: RefusalPlace & { readonly name: string },
): Refusal {
  const slot = refusalSlot(match, "tail");
  if (slot !== undefined) return resolveRefusal(r, slot, place);
  const gap = silent(r, {
    question,
    section: place.section,
    id: `${place.id}/else`,
    span: match,
    about: place.name,
    fix: { at: match.end, insert: ", else not shown" },
  });
  return { is: "gap", gap };
}

/** What would store a value twice gets. Rows of a `fixed` resource stand in the document alone. */
export function uniqueRefusal(
  r: Resolver,
  match: Match,
  place: Parameters<typeof refusalOr>[3],
): { readonly otherwise?: Refusal } {
  const isFixed = textOf(place.section.heading, "kind") === "fixed";
  if (isFixed && refusalSlot(match, "tail") === undefined) return {};
  return { otherwise: refusalOr(r, match, "unique error", place) };
}

/** Whether a rule gives a value while its row is made. */
const isMaking = ({ form }: Match): boolean => form !== "set update" && form !== "absent means";

/** The value of a rule, of the type that the field or input has. */
function ruleValue(r: Resolver, place: RulePlace, match: Match) {
  const slot = slotOf(match, "value") as TextSlot;
  const { expression } = resolve(r, slot, place.view, place.exprType);
  if (isMaking(match)) refuseItself(r, slot, expression.code);
  return expression;
}

function setRule(r: Resolver, place: RulePlace, match: Match): Plain<"set"> {
  const changes = fieldNames(r, place, textsOf(match, "fields"));
  // On create alone, the caller is the one whose request makes the row.
  const seen = match.form === "set create" ? { ...place, view: place.createView } : place;
  return {
    kind: "set",
    value: ruleValue(r, seen, match),
    onCreate: match.form !== "set update",
    onUpdate: match.form === "set create update" || match.form === "set update",
    changes,
  };
}

function pattern(r: Resolver, match: Match): Plain<"matches"> {
  const slot = slotOf(match, "pattern") as TextSlot;
  const fault = patternFault(slot.text);
  if (fault !== undefined)
    report(r, "pattern", slot, { message: `This pattern is not RE2 syntax: ${fault}.` });
  return { kind: "matches", pattern: slot.text };
}

function holdsRule(r: Resolver, place: RulePlace, match: Match): Plain<"holds"> {
  // No row: when it is judged, the one to be made or changed is not known yet.
  const names = [...place.view.names].filter(([name]) => name !== "it");
  const view = withNames({ ...place.view, names: new Map(names) }, [["value", place.exprType]]);
  const slot = slotOf(match, "condition") as TextSlot;
  return {
    kind: "holds",
    condition: resolve(r, slot, view, BOOLEAN).expression,
    otherwise: refusalOr(r, match, "unique error", { ...place, view }),
  };
}

function hashOf(match: Match): Hash {
  switch (match.form) {
    case "kept argon2id":
      return {
        kind: "argon2id",
        memoryKiB: number(match, "memory"),
        passes: number(match, "passes"),
        lanes: number(match, "lanes"),
      };
    case "kept scrypt":
      return {
        kind: "scrypt",
        n: number(match, "n"),
        r: number(match, "r"),
        p: number(match, "p"),
      };
    case "kept sha256":
      return { kind: "sha256" };
    default:
      return { kind: "plain" };
  }
}

const GONE = {
  "gone with": "deleted with it",
  "gone null": "set to null",
  "gone out": "taken out",
  "gone refused": "refused",
} as const;

function ruleOf(r: Resolver, place: RulePlace, match: Match, id: ItemId): Rule {
  switch (match.form) {
    case "characters between":
    case "characters least":
    case "characters most":
    case "characters exact":
      return bounded(id, "characters", match);
    case "items between":
    case "items least":
    case "items most":
    case "items exact":
      return bounded(id, "items", match);
    case "one member":
      return { id, kind: "at least one member" };
    case "range":
    case "least":
    case "most":
      return { ...range(r, place, match), id };
    case "matches":
      return { ...pattern(r, match), id };
    case "scheme":
      return { id, kind: "scheme", schemes: textsOf(match, "schemes").map((s) => s.text) };
    case "different items":
      return { id, kind: "different items" };
    case "not empty":
      return { id, kind: "not empty" };
    case "empty null":
      return { id, kind: "empty becomes null" };
    case "empty absent":
      return { id, kind: "empty means absent" };
    case "trimmed":
      return { id, kind: "trimmed" };
    case "absent means":
      return { id, kind: "absent means", value: ruleValue(r, place, match) };
    case "holds":
      return { ...holdsRule(r, place, match), id };
    default:
      return storedRuleOf(r, place, match, id);
  }
}

function uniqueRule(r: Resolver, place: RulePlace, match: Match): UniqueRule {
  return {
    id: place.id,
    kind: "unique",
    within: [],
    ...(match.slots.case && { anyCase: true as const }),
    ...uniqueRefusal(r, match, place),
  };
}

/** Rules that only stored fields have: what fills, keeps, names and orders them. */
function storedRuleOf(r: Resolver, place: RulePlace, match: Match, id: ItemId): Rule {
  const within = () => fieldNames(r, place, textsOf(match, "within"));
  switch (match.form) {
    case "starts":
      return { id, kind: "starts", value: ruleValue(r, place, match) };
    case "set create update":
    case "set create":
    case "set update":
    case "set when":
      return { ...setRule(r, place, match), id };
    case "counts up":
    case "counts up within":
    case "counts up change":
      return {
        id,
        kind: "counts up",
        from: textOf(match, "from"),
        within: within(),
        onEveryChange: match.form === "counts up change",
      };
    case "unique":
    case "unique within":
      return { ...uniqueRule(r, { ...place, id }, match), within: within() };
    case "kept argon2id":
    case "kept scrypt":
    case "kept sha256":
    case "kept plain":
      return { id, kind: "kept as", hash: hashOf(match) };
    case "random":
      return {
        id,
        kind: "random",
        bytes: number(match, "bytes"),
        prefix: textOf(match, "prefix"),
        form: textOf(match, "form") as "base64" | "base64url" | "hex",
      };
    case "random uuid":
      return { id, kind: "random", bytes: 16, prefix: "", form: "uuid" };
    case "key":
      return { id, kind: "key" };
    case "gone with":
    case "gone null":
    case "gone out":
      return { id, kind: "when gone", action: GONE[match.form] };
    case "gone refused":
      return {
        id,
        kind: "when gone",
        action: "refused",
        otherwise: refusalOr(r, match, "gone error", { ...place, id }),
      };
    case "order given":
      return { id, kind: "order", order: { is: "stated", id, value: "as given" } };
    case "order sorted":
      return {
        id,
        kind: "order",
        order: { is: "stated", id, value: textOf(match, "order") as "ascending" },
      };
    case "order free":
      return { id, kind: "order", order: { is: "free", id } };
    default:
      throw new Error(`no rule ${match.form}`);
  }
}

/** Resolves the rules of a cell; also the gaps beside them. */
export function resolveRules(r: Resolver, place: RulePlace, cell: WrittenCell | undefined): Rule[] {
  if (cell === undefined || cell.status === "none") return [];
  if (cell.status !== "stated") {
    const node = { id: `${place.id}/rules`, start: cell.start, end: cell.end };
    return [
      {
        id: node.id,
        kind: "gap",
        gap: shownGap(r, place.section, node, `the rules of \`${place.name}\``),
      },
    ];
  }
  const ids = contentIds(r, place.id, "rule", cell.matches);
  const rules = cell.matches.map((match, i): Rule => {
    const id = origin(r, ids[i] ?? place.id, match);
    const rule = ruleOf(r, place, match, id);
    judge(r, place, rule, match);
    return rule;
  });
  for (const gap of cell.gaps) {
    const id = `${place.id}/gap ${gap.text}`;
    const node = { id, start: gap.start, end: gap.end };
    shownGap(r, place.section, node, `\`${place.name}\`, ${gap.text}`);
    // Any other is a rule of which only the subject is known: it comes behind those that are.
    if (!gapSubjects.has(gap.text.toLowerCase())) rules.push({ id, kind: "gap", gap: id });
  }
  return rules;
}

/** Subjects of gaps in a Rules cell that answer a question of the field. */
const gapSubjects: ReadonlyMap<string, string> = new Map([
  ["order of items", "list order"],
  ["starts", "starts"],
  ["how it is kept", "kept as"],
  ["when it is deleted", "gone"],
]);
