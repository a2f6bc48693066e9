/**
 * Rows whose keys no answer has shown yet, and an answer that shows a key of one of them: which one
 * it is may be told by what stands beside the key. An order by such keys is any until then.
 */
import { isJsonObject, type Json, parseJson, type Response } from "../../run/index.ts";
import type { Answer } from "../world/message.ts";
import { bindingsIn, isMarked, marksIn, movedMark, withTexts } from "../world/texts.ts";
import type { World } from "../world/world.ts";
import { type Difference, textOf } from "./compare.ts";

/** What marks are, as one reading has it. */
type Named = ReadonlyMap<string, string>;

/** A row whose key is a mark; `texts`: JSON texts of all that it holds. */
interface Unseen {
  readonly key: string;
  readonly texts: ReadonlySet<string>;
}

/** A text in an answer, and JSON texts of what stands in the object that has it. */
interface Shown {
  readonly path: string;
  readonly text: string;
  readonly beside: readonly string[];
}

const NAMINGS_MAX = 8;

/**
 * Ways to say which rows of the model the unknown keys in an answer name, and where those that it
 * does not show come in an order; none where all keys are known.
 */
export function namings(world: World, expected: Response, answer: Answer): readonly Named[] {
  const unseen = unseenRows(world);
  if (unseen.length === 0) return [];
  const found = named(world, unseen, expected, answer);
  return [NOTHING, ...found].flatMap((one) => [
    ...(one.size > 0 ? [one] : []),
    ...(["front", "back"] as const).map((to) => elsewhere(unseen, one, to)),
  ]);
}

/** What would name two rows of a resource alike if marks were that; empty: nothing. */
export function doubles(world: World, known: Named): readonly Difference[] {
  if (known.size === 0) return [];
  const keys = new Set(keysIn(world));
  const found = unseenRows(world).flatMap(({ key }) => {
    const text = withTexts(key, known);
    return text !== key && keys.has(text) ? [{ key, text }] : [];
  });
  return found.map(({ key, text }) => ({
    in: "body",
    where: [],
    expected: JSON.stringify(key),
    observed: JSON.stringify(text),
  }));
}

const NOTHING: Named = new Map();

/** The same, and what is not named stands before or behind all others in an order. */
function elsewhere(unseen: readonly Unseen[], known: Named, to: "front" | "back"): Named {
  const marks = unseen.flatMap(({ key }) => marksIn(key)).filter((mark) => !known.has(mark));
  return new Map([...known, ...marks.map((mark) => [mark, movedMark(mark, to)] as const)]);
}

function named(
  world: World,
  unseen: readonly Unseen[],
  expected: Response,
  answer: Answer,
): readonly Named[] {
  const known = new Set(keysIn(world));
  const places = new Set(
    textsIn(treeOf(expected.body)).flatMap(({ path, text }) =>
      isMarked(text) || known.has(text) ? [path] : [],
    ),
  );
  const found = textsIn(treeOf(answer.body));
  const mayBeKey = (text: string): boolean =>
    !known.has(text) && unseen.some(({ key }) => bindingsIn(key, text) !== undefined);
  const news = found.filter(({ path, text }) => places.has(path) && mayBeKey(text));
  const [first] = news;
  if (first === undefined) return [];
  const starts = candidates(first, unseen).slice(0, NAMINGS_MAX);
  return starts.map((start) => {
    const all = new Map(bindingsIn(start.key, first.text) ?? []);
    const taken = new Set([start]);
    for (const one of news.slice(1)) {
      const row = candidates(one, unseen).find((each) => !taken.has(each));
      if (row === undefined) continue;
      taken.add(row);
      for (const [mark, text] of bindingsIn(row.key, one.text) ?? []) all.set(mark, text);
    }
    return all;
  });
}

/** Rows that the text may be the key of, those first that hold most of what stands beside it. */
function candidates({ text, beside }: Shown, unseen: readonly Unseen[]): readonly Unseen[] {
  const fit = unseen.filter(({ key }) => bindingsIn(key, text) !== undefined);
  const score = ({ texts }: Unseen): number => beside.filter((one) => texts.has(one)).length;
  return fit
    .map((row) => ({ row, score: score(row) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

function keysIn(world: World): readonly string[] {
  return world.plan.resources.flatMap(({ name, key, fields }) => {
    const place = fields.findIndex((field) => field.name === key);
    const keys = place < 0 ? [] : world.rows(name).map(({ values }) => values[place]);
    return keys.filter((one) => typeof one === "string");
  });
}

function unseenRows(world: World): readonly Unseen[] {
  return world.plan.resources.flatMap(({ name, key, fields }) => {
    const place = fields.findIndex((field) => field.name === key);
    if (place < 0) return [];
    return world.rows(name).flatMap(({ values }): Unseen[] => {
      const text = values[place];
      if (typeof text !== "string" || !isMarked(text)) return [];
      return [{ key: text, texts: new Set(values.flatMap(scalarsOf)) }];
    });
  });
}

/** JSON texts of a value of a row, or of those in it. */
function scalarsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [JSON.stringify(value)];
  if (typeof value === "bigint" || typeof value === "boolean") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return value instanceof Map ? [...value.values()].flatMap(scalarsOf) : [];
}

function treeOf(body: string | undefined): Json | undefined {
  const parsed = body === undefined ? undefined : parseJson(body);
  return parsed?.ok === true ? parsed.value : undefined;
}

/** All texts in a JSON value; items of one list stand at one path. */
function textsIn(tree: Json | undefined, path = "", beside: readonly string[] = []): Shown[] {
  if (typeof tree === "string") return [{ path, text: tree, beside }];
  if (Array.isArray(tree)) {
    return (tree as readonly Json[]).flatMap((one) => textsIn(one, `${path}/*`, beside));
  }
  if (!isJsonObject(tree)) return [];
  const own = [...tree.values()].flatMap((one) =>
    Array.isArray(one) ? (one as readonly Json[]).map(textOf) : [textOf(one)],
  );
  return [...tree].flatMap(([name, one]) => textsIn(one, `${path}/${name}`, own));
}
