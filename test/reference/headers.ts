/** Headers that are stated for every answer, and what they see. */
import type { AnswerHeader } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { GapMet, type Value } from "./values.ts";
import type { Work } from "./work.ts";
import type { Answer } from "./world.ts";

/** What a request is called, and how it was sent. */
export interface Asked {
  readonly id: string;
  readonly method: string;
  readonly url: string;
}

const NOTHING: ReadonlyMap<string, Value> = new Map();

/** The headers that the answer has besides its own; null is not sent. */
export function besides(
  work: Work,
  stated: readonly AnswerHeader[] | undefined,
  answer: Answer,
  asked: Asked,
  given: ReadonlyMap<string, Value> = new Map(),
): Answer {
  const own = new Set(answer.headers.map(([name]) => name.toLowerCase()));
  const limits = work.plan.limits.map(({ name }) => [name, work.limits.get(name) ?? null] as const);
  const names: (readonly [string, Value])[] = [
    ["request", new Map(Object.entries(asked))],
    ["limit", new Map<string, Value>(limits)],
    ...["query", "header", "cookie"].map(
      (name) => [name, work.asked.get(name) ?? given.get(name) ?? NOTHING] as const,
    ),
  ];
  const more = (stated ?? []).flatMap(({ name, value }): [string, string][] => {
    if (own.has(name.toLowerCase())) return [];
    if (value.is === "gap") throw new GapMet(value.gap);
    if (value.is !== "stated") return [];
    const text = work.eval(value.value, names);
    meet("header", text === null ? "not sent" : "sent");
    return text === null || text === undefined ? [] : [[name, String(text)]];
  });
  return more.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...more] };
}
