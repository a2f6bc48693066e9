/** One way to read a document for an answer, with what it takes for free and when. */
import { Chooser, isJsonNumber, isJsonObject, type Json, parseJson } from "../../run/index.ts";
import { digest } from "../world/hooks.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Reading } from "../world/reading.ts";
import type { Turn } from "../world/turned.ts";
import type { Ran } from "../world/world.ts";
import { type Compared, type Loose, TIGHT, textOf } from "./compare.ts";
import type { Move } from "./instants.ts";

/** Texts and numbers of a JSON text. */
const SCALARS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g;

/** What a reading has come to, compared with an answer. */
export interface Tried extends Compared {
  readonly ran: Ran;
  /** It is the answer, which leaves open what code has said. */
  readonly isUntold?: boolean;
}

/** A reading, and a change of what was thought to be so before. */
export interface Attempt {
  readonly reading: Reading;
  readonly loose: Loose;
  /** The answer shows the time of the request: this, or less than a step later. */
  readonly seen?: { readonly at: bigint; readonly step: bigint };
  readonly retimed?: readonly Move[];
  /** What marks of rows are that no answer has shown before. */
  readonly named?: ReadonlyMap<string, string>;
}

/** What differs least from an answer. */
export interface Nearest extends Tried {
  readonly attempt: Attempt;
}

/** Whether it differs from an answer, and less than another: each instant that is moved counts. */
export function isNearer(one: Nearest, other: Nearest | undefined): boolean {
  if (one.differences.length === 0) return false;
  const far = ({ differences, attempt }: Nearest): number =>
    differences.length + (attempt.retimed?.length ?? 0);
  return other === undefined || far(one) < far(other);
}

/** Rows, and items of lists, the other way round. */
const BACKWARDS: Turn = { rank: () => 0 };

/**
 * Values in the order in which the answer shows them: in each of its lists, then anywhere. A number
 * that stands in a list as the key of a row may stand before it as something else.
 */
export function asShown({ body = "" }: Answer): readonly Turn[] {
  const tree = parseJson(body);
  const groups = new Map<string, Shown>();
  if (tree.ok) noteLists(tree.value, "", groups);
  const anywhere: Shown = new Map();
  for (const [text] of body.matchAll(SCALARS)) note(anywhere, "", text);
  return [...[...groups.values()].slice(0, LISTS_MAX), anywhere].map(turnOf);
}

/** Places of texts by the name of the member that they stand under; "": under any. */
type Shown = Map<string, Map<string, number>>;

/** Lists of an answer that are looked at. */
const LISTS_MAX = 2;

function note(shown: Shown, name: string, text: string): void {
  const places = shown.get(name) ?? new Map<string, number>();
  shown.set(name, places);
  if (!places.has(text)) places.set(text, places.size);
}

/** Notes what stands in lists, those of the same place in other items together. */
function noteLists(tree: Json, path: string, groups: Map<string, Shown>): void {
  if (isJsonObject(tree)) {
    for (const [name, one] of tree) noteLists(one, `${path}/${name}`, groups);
  }
  if (!Array.isArray(tree)) return;
  const items = tree as readonly Json[];
  const shown = groups.get(path) ?? (new Map() as Shown);
  // One item alone tells of no order.
  if (items.length > 1) groups.set(path, shown);
  for (const item of items) {
    const members = isJsonObject(item) ? [...item] : [["", item] as const];
    for (const [name, value] of members) {
      if (typeof value !== "string" && !isJsonNumber(value)) continue;
      for (const under of new Set([name, ""])) note(shown, under, textOf(value));
    }
  }
  for (const item of items) noteLists(item, `${path}/`, groups);
}

function turnOf(shown: Shown): Turn {
  return {
    rank: (value, field) => {
      const places = shown.get(field) ?? shown.get("") ?? new Map<string, number>();
      if (typeof value !== "string" && typeof value !== "bigint") return places.size;
      const text = typeof value === "string" ? JSON.stringify(value) : String(value);
      return places.get(text) ?? places.size;
    },
  };
}

/** Chooses the last where the chooser of the same seed chooses the first. */
class Contrary extends Chooser {
  override pick(count: number): number {
    return count - 1 - super.pick(count);
  }

  override rank(name: string): number {
    return 0xffff_ffff - super.rank(name);
  }
}

const numbers = new WeakMap<Turn, number>();
let turns = 0;

/** Its own of each turn. */
function numberOf(turn: Turn): number {
  const number = numbers.get(turn) ?? ++turns;
  numbers.set(turn, number);
  return number;
}

/** Alike for attempts that are alike. */
export function nameOf({ reading, loose, retimed, named }: Attempt): string {
  const free = loose === TIGHT ? "" : [...loose.values, "", ...loose.orders].join(" ");
  const { now, made = [], chooser, turn, counted = new Map(), shift = 0n, dueAt = [] } = reading;
  return [
    reading.says?.join(),
    ...counted.values(),
    shift,
    dueAt.join(),
    now,
    made.join(),
    chooser?.rank("name") ?? "",
    turn && numberOf(turn),
    free,
    retimed?.map(({ to }) => to),
    named && [...named].join(),
  ].join("|");
}

/** Methods that a host may answer for an endpoint that has not stated them, or refuse. */
const OF_HOSTS = new Set(["HEAD", "OPTIONS"]);

/** Whether the request has such a method, and nothing states what it gets. */
export function isHosts({ method }: Request, { endpoint, crossing }: Ran): boolean {
  return OF_HOSTS.has(method) && endpoint?.method !== method && crossing?.isPreflight !== true;
}

/** The reading with so many other choices of what is free. */
export function otherWays(reading: Reading, count: number): readonly Reading[] {
  return Array.from({ length: count }, (_, i): Reading => {
    // Of each two one chooses the other way round: what can be two ways is seen in both.
    const made = i % 2 === 0 ? Chooser : Contrary;
    const chooser = new made(String(i >> 1), (text) => digest("sha256", text));
    return i % 2 === 0 ? { ...reading, chooser } : { ...reading, chooser, turn: BACKWARDS };
  });
}
