/** What a comparison has found so far, where it stands, and how a difference is told. */
import {
  type Answer,
  type ChangeKind,
  type ItemId,
  isStated,
  type Refusal,
  type ValueType,
} from "../plan/index.ts";
import { isExpression, isSame, type Names } from "./same.ts";
import { typeWords } from "./words.ts";

/** One change of meaning, with the item of each document that states it. */
export interface Change {
  readonly kind: ChangeKind;
  /** What it is about, as a history names it: an endpoint, `Resource.field`, an error ... */
  readonly about: string;
  /** What differs, where the kind does not tell it: a value, a name. */
  readonly what?: string;
  readonly was?: string;
  readonly is?: string;
  readonly before?: ItemId;
  readonly now?: ItemId;
}

/** A pair of items that are compared. */
export interface On {
  readonly found: Change[];
  readonly about: string;
  readonly before: ItemId;
  readonly now: ItemId;
  readonly names: Names;
}

/** Compares one member of the two plans, and tells what differs. */
export type Compare<T> = (before: T, now: T, on: On) => void;

/** A comparison for each member of a type of the plan: one that is forgotten does not compile. */
export type Members<T> = { readonly [K in keyof T]-?: Compare<T[K]> };

/** Compares all members. */
export function each<T extends object>(members: Members<T>, before: T, now: T, on: On): void {
  for (const key of Object.keys(members) as (keyof T)[]) {
    members[key](before[key], now[key], on);
  }
}

type Told = Partial<Omit<Change, "kind">>;

/** Tells a change, at the items that are compared. */
export function tell({ found, about, before, now }: On, kind: ChangeKind, told: Told = {}): void {
  found.push({ kind, about, before, now, ...told });
}

/** Tells of what is in the second document alone. */
export function tellAdded(on: On, kind: ChangeKind, now: ItemId, told: Told = {}): void {
  const { found, about } = on;
  found.push({ kind, about, now, ...told });
}

/** Tells of what is in the first document alone. */
export function tellGone(on: On, kind: ChangeKind, before: ItemId, told: Told = {}): void {
  const { found, about } = on;
  found.push({ kind, about, before, ...told });
}

/** Nothing that means anything to a service: a note, a title, a name of an item. */
export const wording: Compare<unknown> = () => {};

interface Placed {
  readonly id?: ItemId;
  readonly gap?: ItemId;
  readonly is?: string;
}

/** The gap that a value is, where it is one; undefined: it is something. */
function gapIn(value: unknown): ItemId | undefined {
  if (isExpression(value)) return value.code.op === "gap" ? value.code.gap : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { is, gap } = value as Placed;
  return is === "gap" || is === undefined ? gap : undefined;
}

/** The item that a value has of its own, or the one that it stands in. */
function itemIn(value: unknown, holder: ItemId): ItemId {
  if (typeof value !== "object" || value === null || isExpression(value)) return holder;
  return (value as Placed).id ?? holder;
}

/** Tells a gap that is recorded or filled; gives whether one of the two is a gap. */
export function tellGap(before: unknown, now: unknown, on: On): boolean {
  const [was, is] = [gapIn(before), gapIn(now)];
  if (was === undefined && is === undefined) return false;
  if (was !== undefined && is !== undefined) return true;
  tell(on, was === undefined ? "gap recorded" : "gap filled", {
    before: was ?? itemIn(before, on.before),
    now: is ?? itemIn(now, on.now),
    ...saying("was", was === undefined ? wordsOf(before) : NOT_SHOWN),
    ...saying("is", is === undefined ? wordsOf(now) : NOT_SHOWN),
  });
  return true;
}

const NOT_SHOWN = "not shown";

function saying(key: "was" | "is", words: string | undefined): Told {
  return words === undefined ? {} : { [key]: words };
}

function ofAnswer(answer: Answer<unknown>): string | undefined {
  switch (answer.is) {
    case "stated":
      return wordsOf(answer.value);
    case "none":
    case "free":
      return answer.is;
    case "gap":
      return NOT_SHOWN;
    case "not asked":
      return undefined;
    default:
      // A union of its own, such as the body of an answer: its lines tell it.
      answer satisfies never;
      return undefined;
  }
}

/** A value in the words of a document, where these are short; undefined: the lines tell it. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (isExpression(value)) return `\`${value.text}\``;
  if (Array.isArray(value)) {
    const all = value.map(wordsOf);
    return all.length === 0 || all.includes(undefined) ? undefined : all.join(", ");
  }
  if ("orNull" in value) return typeWords(value as ValueType);
  if (!("is" in value)) return undefined;
  if (value.is !== "error") return ofAnswer(value as Answer<unknown>);
  const { error, on } = value as Extract<Refusal, { is: "error" }>;
  return `\`${error}\`${on === undefined ? "" : ` on \`${on}\``}`;
}

/** Tells any difference by one kind, a gap as such. */
export function told(kind: ChangeKind): Compare<unknown> {
  return (before, now, on) => {
    if (isSame(before, now, on.names) || tellGap(before, now, on)) return;
    tell(on, kind, {
      before: itemIn(before, on.before),
      now: itemIn(now, on.now),
      ...saying("was", wordsOf(before)),
      ...saying("is", wordsOf(now)),
    });
  };
}

/** The same for lists in which order and repetition mean nothing. */
export function toldSet(kind: ChangeKind): Compare<unknown> {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    const answer = value as Answer<unknown> | undefined;
    return isStated(answer) && Array.isArray(answer.value)
      ? { ...answer, value: sorted(answer.value) }
      : value;
  };
  const compare = told(kind);
  return (before, now, on) => compare(sorted(before), sorted(now), on);
}

/** A gap beside a value that is unknown because of it. */
export const gapBeside: Compare<ItemId | undefined> = (before, now, on) => {
  tellGap(before && { gap: before }, now && { gap: now }, on);
};

/** The same comparison at an item below: of one document, or of both. */
function below(on: On, name: string): On {
  return { ...on, before: `${on.before}/${name}`, now: `${on.now}/${name}` };
}

/** Compares at an item below the one that is compared. */
export function under<T>(name: string, compare: Compare<T>): Compare<T> {
  return (before, now, on) => compare(before, now, below(on, name));
}
