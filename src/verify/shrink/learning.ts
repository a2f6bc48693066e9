/** Where answers show the texts that requests behind them hold. */
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import type { Answer } from "../world/message.ts";
import type { Tried } from "./trials.ts";

/** Where an answer shows a text that requests behind it hold. */
export interface Learned {
  readonly name: string;
  readonly in: "body" | "header";
  /** A JSON Pointer (RFC 6901) into the body, or the name of a header. */
  readonly at: string;
  /** What stands before and behind the text there. */
  readonly before: string;
  readonly after: string;
}

/** A JSON Pointer of members and items. */
export const pointerOf = (where: readonly (string | number)[]): string =>
  where.map((one) => `/${String(one).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** All texts of a JSON value, with their places. */
function leavesIn(tree: Json, where: readonly (string | number)[] = []): [string, string][] {
  if (typeof tree === "string") return [[pointerOf(where), tree]];
  if (Array.isArray(tree)) {
    return (tree as readonly Json[]).flatMap((one, i) => leavesIn(one, [...where, i]));
  }
  if (!isJsonObject(tree)) return [];
  return [...tree].flatMap(([name, one]) => leavesIn(one, [...where, name]));
}

/** Where an answer shows a text, the nearest place first. */
function placesOf(text: string, { body, headers }: Answer): readonly Omit<Learned, "name">[] {
  const parsed = parseJson(body ?? "");
  const leaves = parsed.ok ? leavesIn(parsed.value) : [];
  const all = [
    ...leaves.map(([at, value]) => ({ in: "body" as const, at, value })),
    ...headers.map(([at, value]) => ({ in: "header" as const, at, value })),
  ];
  return all
    .filter(({ value }) => value.includes(text))
    .map(({ in: where, at, value }) => {
      const from = value.indexOf(text);
      const [before, after] = [value.slice(0, from), value.slice(from + text.length)];
      return { in: where, at, before, after };
    })
    .toSorted((a, b) => weightOf(a) - weightOf(b));
}

/** Values that are little more than the text, not deep inside of an answer, come first. */
function weightOf({ in: where, at, before, after }: Omit<Learned, "name">): number {
  const depth = where === "header" ? 3 : at.split("/").length;
  return depth * 100 + before.length + after.length;
}

const LETTERS = /[^a-z]/g;

/** A request of a trial with its answer. */
export type Sent = Pick<Tried, "named" | "answer"> & Partial<Pick<Tried, "judgement">>;

/** Names of what requests of a trial hold, each with the request whose answer shows it. */
export class Learning {
  readonly #tried: readonly Sent[];
  readonly #names = new Map<string, string>();
  readonly #learned: Learned[][];
  readonly #counts = new Map<string, number>();

  constructor(tried: readonly Sent[]) {
    this.#tried = tried;
    this.#learned = tried.map(() => []);
  }

  at(i: number): readonly Learned[] {
    return this.#learned[i] ?? [];
  }

  /** The new name of what has that name and is that text; undefined: no answer before shows it. */
  nameOf(name: string, text: string, before: number): string | undefined {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    for (const [i, { answer }] of this.#tried.slice(0, before).entries()) {
      const [place] = placesOf(text, answer);
      if (place === undefined) continue;
      const word = place.at.split("/").at(-1)?.toLowerCase().replaceAll(LETTERS, "") || "made";
      const count = (this.#counts.get(word) ?? 0) + 1;
      this.#counts.set(word, count);
      this.#names.set(name, `${word}${count}`);
      this.#learned[i]?.push({ name: `${word}${count}`, ...place });
      return `${word}${count}`;
    }
    return undefined;
  }
}
