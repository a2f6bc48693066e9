/** What values and requests are made of. */
import type { Plan } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Request } from "../world/message.ts";
import type { World } from "../world/world.ts";
import type { Random } from "./random.ts";

export interface Making {
  readonly plan: Plan;
  readonly world: World;
  readonly random: Random;
  /** The service's time in microseconds. */
  readonly now: bigint;
  /** Letters that texts made here have and others have not. */
  readonly tag: string;
  /** The chance that a value is wrong on purpose. */
  readonly wrong: number;
  /** A row whose values inputs of the same names take. */
  readonly focus?: Row | undefined;
  /** Rows that the path names, the caller's, and those that these refer to. */
  readonly near?: readonly Row[] | undefined;
  /** Rows that paths of requests before have named: they are named again, and come as callers. */
  readonly about?: readonly Row[] | undefined;
  /** The row and the field whose value an input is compared with. */
  readonly linked?: (input: string) => { readonly row: Row; readonly field: string } | undefined;
  /** Requests that were answered, the last ones. */
  readonly before: readonly Request[];
  /** The chance that one of them is made again; undefined: the usual one. */
  readonly again?: number | undefined;
  /** The chance that a row is named that was deleted, or none; undefined: the usual one. */
  readonly gone?: number | undefined;
  readonly hints?: Hints | undefined;
  readonly addresses?: Addresses | undefined;
  /** Microseconds since 1970 that times are more often than others. */
  readonly soon?: bigint | undefined;
  /** The row of the caller: rows that have to do with it are named more often. */
  readonly caller?: Row | undefined;
  /** Texts are as long as what is made here, so that they can be told apart and made anew. */
  readonly isTagged?: boolean | undefined;
  /** Of a text in characters, or of a list in items: what the value is mostly to have. */
  readonly size?: number | undefined;
  /** Of the members of a part that may be left out, the one that is given. */
  readonly only?: string | undefined;
  /** How many parts there are of the list: one that lacks a member makes all of it wrong. */
  readonly parts?: number | undefined;
  /** JSON texts of members that an example of the document sends to the endpoint. */
  readonly example?: ReadonlyMap<string, string> | undefined;
  /** The name of the member that texts are made for. */
  readonly member?: string | undefined;
  /** Credentials that are mostly presented again, by their schemes. */
  readonly persona?: Map<string, string> | undefined;
  /** Whether nobody else is to ask. */
  readonly isOneCaller?: boolean;
}

/** Addresses at which messages are received. */
export interface Addresses {
  /** Names of the fields that hold one. */
  readonly fields: ReadonlySet<string>;
  /** Names of the fields by which receivers are chosen. */
  readonly chosenBy: ReadonlySet<string>;
  /** An address that was not given before. */
  next(): string;
}

/** What a request is to be about. */
export interface Hints {
  /** Names of members and parameters that are sent more often, and wrong more often. */
  readonly names: ReadonlySet<string>;
  /** JSON texts of values that are sent more often. */
  readonly values: readonly string[];
  /** The chance that a value of these names is wrong, or just outside; undefined: the usual one. */
  readonly odd?: number;
  /** They are to be changed: hardly left out, and with one of these values by that chance. */
  readonly often?: number;
  /** Nothing is wrong on purpose: what the request is about is only being prepared. */
  readonly isTame?: true;
}

/** Members with that chance or more are hardly ever left out. */
const REQUIRED = 0.9;

/** How much less often members are sent that a request is not about. */
const BESIDE = 0.35;

/** The chance that a member is sent, by the one that it has without hints. */
export function chanceOf(making: Making, name: string, chance: number): number {
  const { hints, random, example } = making;
  const isChanged = hints?.often !== undefined && hints.names.has(name);
  if (isChanged) return Math.max(chance, REQUIRED);
  const isNeeded = hints?.isTame === true && chance >= REQUIRED;
  if (hints?.names.has(name) === true && !isNeeded) return random.pick([chance, 0.7, 0.3]);
  if (hints !== undefined && chance < REQUIRED) return chance * BESIDE;
  if (example === undefined || chance >= REQUIRED) return chance;
  return example.has(name) ? REQUIRED : chance / 4;
}
