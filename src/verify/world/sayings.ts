/**
 * What the code behind a call may say, as an outsider knows it: one of the words that are stated,
 * with any texts among its data, or nothing in time.
 */
import {
  type Call,
  type ItemId,
  isStated,
  type Plan,
  type Step,
  statedOf,
} from "../../plan/index.ts";
import type { Asking, CallOutcome } from "../../run/index.ts";
import type { MadeTexts } from "./texts.ts";

/** Members of an answer: JSON texts; undefined: any text, which answers may show. */
type Members = readonly (readonly [name: string, json: string | undefined])[];
type Saying = { readonly word: string; readonly members: Members } | "late";

/** A call that a work has made, and which of all that may be said was taken for said. */
export interface Said {
  readonly step: ItemId;
  readonly at: number;
  /** How many things may be said. */
  readonly count: number;
}

/** So much may be said at most: more cannot be told apart by an answer. */
const SAYINGS_MAX = 16;

type Type = Call["says"][number]["data"][number]["type"];

/** JSON texts of what a value may be; undefined: too many to try. */
function valuesOf({ type, orNull }: Type): readonly (string | undefined)[] | undefined {
  const none = orNull === true ? ["null"] : [];
  if (type.kind === "string") return [undefined, ...none];
  if (type.kind === "boolean") return ["true", "false", ...none];
  if (type.kind !== "one of") return undefined;
  return [...type.values.map((one) => JSON.stringify(one)), ...none];
}

/** All that the code may say; undefined: what it says cannot be foreseen. */
function sayingsOf(call: Call): readonly Saying[] | undefined {
  const kind = statedOf(call.kind);
  if (kind === undefined || kind === "long" || call.gap !== undefined) return undefined;
  const found: Saying[] = [];
  for (const { word, data } of call.says) {
    let all: readonly Members[] = [[]];
    for (const { name, type } of data) {
      const values = valuesOf(type);
      if (values === undefined || all.length * values.length > SAYINGS_MAX) return undefined;
      all = all.flatMap((one) => values.map((json) => [...one, [name, json] as const]));
    }
    found.push(...all.map((members) => ({ word, members })));
  }
  // Where the time is not shown, or free, it may pass as well.
  if (call.timeOut.is !== "none" && call.timeOut.is !== "not asked") found.push("late");
  return found.length > SAYINGS_MAX ? undefined : found;
}

type CallStep = Extract<Step, { readonly kind: "call" }>;

/** The steps in a part of a plan that call. */
export function callSteps(node: unknown): readonly CallStep[] {
  if (typeof node !== "object" || node === null) return [];
  const own = "kind" in node && node.kind === "call" && "call" in node ? [node as CallStep] : [];
  return [...own, ...Object.values(node).flatMap(callSteps)];
}

/** Names of the calls of which nobody foresees what is said, or when. */
export function unforeseen({ calls, machines }: Plan): ReadonlySet<string> {
  const untold = calls.filter((one) => sayingsOf(one) === undefined).map(({ name }) => name);
  // What happens by itself, and calls somebody, is not seen when it does.
  return new Set([...untold, ...callSteps(machines).map(({ call }) => call)]);
}

/** Answers the calls of one plan, work by work. */
export class Sayings {
  readonly #all: ReadonlyMap<string, readonly Saying[] | undefined>;
  /** What the document says in the place of code. */
  readonly #standIns: ReadonlyMap<string, string>;
  readonly #texts: MadeTexts;
  #says: readonly number[] | undefined;
  #said: Said[] = [];

  constructor({ calls }: Plan, texts: MadeTexts) {
    this.#texts = texts;
    this.#all = new Map(calls.map((one) => [one.name, sayingsOf(one)]));
    this.#standIns = new Map(
      calls.flatMap(({ name, standIn }) =>
        isStated(standIn) ? [[name, JSON.stringify({ word: standIn.value })]] : [],
      ),
    );
  }

  /**
   * Begins a work. `says`: which of all that may be said, for each call of the work in turn, from
   * then on the first; undefined: what the document says in the place of code, as the best guess.
   */
  begin(says: readonly number[] | undefined): void {
    this.#says = says;
    this.#said = [];
  }

  /** The calls of the work, in their order. */
  get said(): readonly Said[] {
    return this.#said;
  }

  answer({ call, step }: Asking): CallOutcome {
    const all = this.#all.get(call);
    if (all === undefined) return { is: "no code" };
    const at = this.#says?.[this.#said.length] ?? 0;
    this.#said.push({ step, at, count: all.length });
    const guess = this.#says === undefined ? this.#standIns.get(call) : undefined;
    if (guess !== undefined) return { is: "said", answer: { text: guess, standIn: true } };
    const one = all[at];
    if (one === undefined || one === "late") return { is: "late" };
    const members = one.members.map(([name, json]) => {
      const value = json ?? JSON.stringify(this.#texts.make("id"));
      return `${JSON.stringify(name)}:${value}`;
    });
    const text = `{${[`"word":${JSON.stringify(one.word)}`, ...members].join(",")}}`;
    return { is: "said", answer: { text, standIn: false } };
  }
}

/** What else may have been said to the calls of a work, from that one on. */
export function otherSayings(said: readonly Said[], from: number): readonly (readonly number[])[] {
  const taken = said.map(({ at }) => at);
  return said.slice(from).flatMap(({ at, count }, i) =>
    Array.from({ length: count }, (_, other) => other)
      .filter((other) => other !== at)
      .map((other) => [...taken.slice(0, from + i), other]),
  );
}
