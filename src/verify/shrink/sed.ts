/** Where values stand in a JSON text for `sed`, in the lines between its braces and commas. */
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import { pointerOf } from "./learning.ts";

/** A value as the n-th member of a name, in the order of the text, from 1 on. */
export interface Place {
  readonly member: string;
  readonly nth: number;
}

/** What a value that has parts of its own is for `sed`. */
const MORE = "(more)";

/** The places of all members of a name, as JSON Pointers, in the order of the text. */
function placesOf(tree: Json, name: string, where: readonly (string | number)[] = []): string[] {
  if (Array.isArray(tree)) {
    return (tree as readonly Json[]).flatMap((one, i) => placesOf(one, name, [...where, i]));
  }
  if (!isJsonObject(tree)) return [];
  return [...tree].flatMap(([own, one]) => [
    ...(own === name ? [pointerOf([...where, own])] : []),
    ...placesOf(one, name, [...where, own]),
  ]);
}

function treeOf(body: string | undefined): Json | undefined {
  const parsed = parseJson(body ?? "");
  return parsed.ok ? parsed.value : undefined;
}

const NUMBER = /^\d+$/;

/** Where `member` in a script finds what a pointer names; undefined: nowhere. */
export function placeIn(body: string | undefined, pointer: string): Place | undefined {
  const member = pointer.split("/").at(-1)?.replaceAll("~1", "/").replaceAll("~0", "~") ?? "";
  const tree = treeOf(body);
  if (pointer === "" || tree === undefined || NUMBER.test(member)) return undefined;
  const all = placesOf(tree, member);
  const at = all.indexOf(pointer);
  return { member, nth: (at < 0 ? all.length : at) + 1 };
}

/** How many members of that name a JSON text has. */
export function countIn(body: string | undefined, member: string): number {
  const tree = treeOf(body);
  return tree === undefined ? 0 : placesOf(tree, member).length;
}

/** What `member` in a script prints for a value; undefined: it would be cut. */
export function printedValue(json: string | undefined): string | undefined {
  if (json === undefined) return "";
  const plain = json.replaceAll(/\{\{[a-z0-9.+-]+\}\}/g, "");
  if (/^[{[]/.test(plain)) return MORE;
  return /[{[,]/.test(plain) ? undefined : json;
}

/** A text as it stands in a basic regular expression between slashes. */
export const inSed = (text: string): string =>
  text.replaceAll(/[.[\]*^$\\/]/g, (letter) => `\\${letter}`);

/** A header's name in any case. */
export const anyCase = (name: string): string =>
  name.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

/** A member that an object has which stands as an item of a list. */
export function memberOf(json: string | undefined): string | undefined {
  const tree = treeOf(json);
  return tree !== undefined && isJsonObject(tree) ? [...tree.keys()][0] : undefined;
}
