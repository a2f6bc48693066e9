/** What is put into a place: a type with its tail, rules and columns, and values that fit or do not. */
import type { Right, TypeSample, Wrong } from "./types.ts";

export interface Columns {
  readonly create: "required" | "optional" | "required when" | "no";
  readonly update: "required" | "optional" | "required when" | "no" | "merged";
  readonly read: "yes" | "no" | "on create" | "actors";
}

export const USUAL: Columns = { create: "required", update: "optional", read: "yes" };

export interface Slot {
  readonly type: string;
  readonly right: readonly Right[];
  readonly wrong: readonly Wrong[];
  readonly literal?: TypeSample["literal"];
  readonly needs?: TypeSample["needs"];
  readonly isSecret: boolean;
  /** Shown in another form than it is sent, or in one that is not known ahead. */
  readonly isShownElse: boolean;
  readonly isNullable: boolean;
  readonly isAbsentable: boolean;
  readonly rules: readonly string[];
  readonly columns: Columns;
  /** A rule gives the value where nobody does. */
  readonly isFilled: boolean;
  /** The service alone makes the value: none is sent, and none is known ahead. */
  readonly isMade: boolean;
}

export type Wrap = "plain" | "list" | "map" | "list of lists" | "map of lists";
export const WRAPS: readonly Wrap[] = ["plain", "list", "map", "list of lists", "map of lists"];

export interface Tail {
  readonly orNull: boolean;
  readonly orAbsent: boolean;
}

export const TAILS: readonly Tail[] = [
  { orNull: false, orAbsent: false },
  { orNull: true, orAbsent: false },
  { orNull: false, orAbsent: true },
  { orNull: true, orAbsent: true },
];

type Values = Pick<Slot, "type" | "right" | "wrong" | "literal">;

const shownOf = ({ json, shown }: Right): string => shown ?? json;

function listOf({ type, right, wrong, literal }: Values): Values {
  const [first, second] = [right[0] as Right, right[1] as Right];
  return {
    type: `list of ${type}`,
    right: [
      ...right.map((one) => ({ json: `[${one.json}]`, shown: `[${shownOf(one)}]` })),
      {
        json: `[${second.json},${first.json},${second.json}]`,
        shown: `[${shownOf(second)},${shownOf(first)},${shownOf(second)}]`,
      },
      { json: "[]" },
    ],
    wrong: [
      ...wrong
        .slice(0, 2)
        .map(([json, condition]): Wrong => [`[${first.json},${json}]`, condition]),
      ["{}", "wrong type"],
    ],
    ...(literal === undefined
      ? {}
      : { literal: { expression: `[${literal.expression}]`, shown: `[${literal.shown}]` } }),
  };
}

function mapOf({ type, right, wrong, literal }: Values): Values {
  const [first, second] = [right[0] as Right, right[1] as Right];
  return {
    type: `map of ${type}`,
    right: [
      {
        json: `{"z":${second.json},"a b":${first.json}}`,
        shown: `{"z":${shownOf(second)},"a b":${shownOf(first)}}`,
      },
      { json: "{}" },
      ...right.map((one) => ({ json: `{"k":${one.json}}`, shown: `{"k":${shownOf(one)}}` })),
    ],
    wrong: [
      ...wrong.slice(0, 2).map(([json, condition]): Wrong => [`{"k":${json}}`, condition]),
      ["[]", "wrong type"],
    ],
    ...(literal === undefined
      ? {}
      : {
          literal: { expression: `{"k": ${literal.expression}}`, shown: `{"k":${literal.shown}}` },
        }),
  };
}

function wrapped(values: Values, wrap: Wrap): Values {
  switch (wrap) {
    case "plain":
      return values;
    case "list":
      return listOf(values);
    case "map":
      return mapOf(values);
    case "list of lists":
      return listOf(listOf(values));
    case "map of lists":
      return mapOf(listOf(values));
  }
}

export interface SlotOf {
  readonly sample: TypeSample;
  readonly wrap?: Wrap;
  readonly tail?: Tail;
  readonly rules?: readonly string[];
  readonly columns?: Columns;
  readonly isFilled?: boolean;
  readonly isMade?: boolean;
}

/** The slot of a sample; `or null` behind a list or map is said of its items. */
export function slotOf(of: SlotOf): Slot {
  const { sample, wrap = "plain", tail = TAILS[0] as Tail } = of;
  const isOwnWrap = /^(list|map) of /.test(sample.text);
  const takesNull = sample.text === "json";
  const nulls = tail.orNull && !isOwnWrap ? [{ json: "null" }] : [];
  const isJudged = sample.text.startsWith("schema ");
  const refused: readonly Wrong[] =
    tail.orNull || takesNull ? [] : [["null", isJudged ? "wrong type" : "null"]];
  const inner = wrapped(
    {
      ...sample,
      type: sample.text,
      right: [...sample.right, ...nulls],
      wrong: [...refused, ...sample.wrong],
    },
    wrap,
  );
  const isWrapped = wrap !== "plain" || isOwnWrap;
  return {
    type: `${inner.type}${tail.orNull ? " or null" : ""}${tail.orAbsent ? " or absent" : ""}`,
    right: inner.right,
    wrong: isWrapped ? [["null", "null"], ...inner.wrong] : inner.wrong,
    ...(inner.literal === undefined ? {} : { literal: inner.literal }),
    ...(sample.needs === undefined ? {} : { needs: sample.needs }),
    isSecret: sample.isSecret === true,
    isShownElse: sample.isShownElse === true,
    isNullable: tail.orNull && !isWrapped,
    isAbsentable: tail.orAbsent,
    rules: of.rules ?? [],
    columns: of.columns ?? USUAL,
    isFilled: of.isFilled ?? false,
    isMade: of.isMade ?? false,
  };
}

/** The type without `or absent`: of what must be sent. */
export const neededType = ({ type }: Slot): string => type.replace(/ or absent$/, "");
