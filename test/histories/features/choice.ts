/** What is chosen of a document made at random before its text is written. */
import type { Random } from "../random.ts";
import type { AccessText } from "./access.ts";
import type { Feature } from "./feature.ts";

export interface Made {
  readonly name: string;
  readonly many: string;
  readonly word: string;
  readonly machine: boolean;
  readonly tagged: boolean;
  readonly tenant: boolean;
  readonly refers: string | undefined;
  readonly self: boolean;
}

export interface Choice {
  readonly random: Random;
  readonly caller: boolean;
  readonly base: string;
  /** How names of queries nest. */
  readonly nested: string | undefined;
  /** Whether every request may say what it wishes to see. */
  readonly wishes: boolean;
  readonly features: readonly Feature[];
  readonly access: AccessText | undefined;
}

/** Some of the words, each with the same chance. */
export function choose(
  random: Random,
  words: readonly string[],
  chance: number,
): readonly string[] {
  return words.filter(() => random.chance(chance));
}

/** Conditions over any of the resources. */
export const CONDITIONS = [
  "it.size > 3",
  'it.kind == "red"',
  'it.kind in ["red", "blue"]',
  "it.on && it.size < 5",
  '!it.on || it.kind != "green"',
  "it.amount * 2 > 40.00",
  'it.title.startsWith("t")',
  "size(it.tags) > 0",
  '"tea" in it.tags',
  'it.tags.exists(t, t.contains("a"))',
  "it.note == null || size(it.note) > 2",
  'it.title < "b"',
  "it.marks.all(m, m >= 0)",
  "sum(it.marks.filter(m, m >= -1000 && m <= 1000)) % 2 == 0",
  "it.size / 2 == 1",
  'has(it.nick) && it.nick == "abx"',
  'lower(it.title).endsWith("a")',
  'it.title.contains("%") || it.title.contains("_")',
  "it.big > 9007199254740992",
  "it.rate >= 0.5",
  'it.title + "x" == "teax"',
  "it.seen != null && it.seen > now",
  'it.day == null || it.day > date(it.on ? "2000-01-01" : "2010-10-10")',
  '(it.seen == null ? now : it.seen) > timestamp(it.on ? "2000-01-01T00:00:00Z" : "2030-01-01T00:00:00Z")',
  'it.span >= duration(it.on ? "1m" : "1h")',
  '(it.kind == "red" ? it.size : 0) > 2',
  "it.score.exists(k, it.score[k] > 1)",
  "it.weight > 1.25e0",
  'it.tags.exists_one(t, t == "tea")',
  'it.title.matches("^[a-z]+$")',
  "it.size == 5 || (it.size > 5 ? 10 / it.size > 1 : false)",
];
export const ORDERS = [
  "it.size",
  "it.title",
  "it.kind",
  "it.amount",
  "it.note",
  "it.big",
  "it.day",
  "it.rate",
  "-it.size",
  "size(it.tags)",
  "it.weight",
  "it.span",
  "it.title + it.kind",
];

/** An order that the request chooses. */
export const ASKED = "has(query.kind) ? it.size : -it.size";
