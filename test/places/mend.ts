/** Answers what is silent in a made document, as its author would. */
import type { Finding } from "../../src/base/index.ts";
import { compile } from "../../src/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { refusalOf } from "./frame.ts";

const ROUNDS_MAX = 6;
/** No expression starts a secret, or a reference that must be there: a gap of the document. */
export const STARTS_GAP = "starts: not shown";

/** With what values start that nobody gives: the member of a thing, and the value in its part. */
export interface Starts {
  readonly whole: string | undefined;
  readonly inner: string | undefined;
}

type Answer = (insert: string, starts: string | undefined) => string | undefined;

/** For the words of a question: what is put in the place of `not shown`. */
const ANSWERS: readonly (readonly [question: string, answer: Answer])[] = [
  [
    "What does a request get that meets it?",
    (insert) => {
      const condition = /\| (.+?) \| not shown \|/.exec(insert)?.[1] ?? "";
      return insert.replace("not shown", refusalOf(condition));
    },
  ],
  [
    "Have its items an order?",
    (insert) => insert.replace("order of items: not shown", "in the order given"),
  ],
  [
    "What is stored when it is not given?",
    (insert, starts) =>
      starts === undefined
        ? insert
        : insert.replace("starts: not shown", () => `starts \`${starts}\``),
  ],
  ["How is it kept?", (insert) => insert.replace(/how it is kept: not shown/, "kept as SHA-256")],
  [
    "What happens to this row when the row it names is deleted?",
    (insert) =>
      insert.replace(/when it is deleted: not shown/, "its deletion is refused, else `in_use`"),
  ],
  [
    "What does a request get that names no row?",
    (insert) => insert.replace(/not shown/, "`invalid` on `v`"),
  ],
];

function answer(
  { message, fix }: Finding,
  { whole, inner }: Starts,
): { at: number; insert: string } | undefined {
  if (fix === undefined) return undefined;
  const found = ANSWERS.find(([question]) => message.includes(question));
  const insert = found?.[1](fix.insert, message.startsWith("`Part.") ? inner : whole);
  const isAnswer = insert?.includes("not shown") === false || insert?.endsWith(STARTS_GAP);
  return insert === undefined || !isAnswer ? undefined : { at: fix.at, insert };
}

export type Mended =
  | {
      readonly is: "right";
      readonly text: string;
      readonly plan: Plan;
      readonly warnings: readonly Finding[];
    }
  | { readonly is: "refused"; readonly text: string; readonly errors: readonly Finding[] }
  /** Questions to which the tests know no answer, or that come again when they are answered. */
  | { readonly is: "open"; readonly text: string; readonly errors: readonly Finding[] };

/** Fills in answers until nothing is silent, or an error of another kind is found. */
export function mended(first: string, starts: Starts): Mended {
  let text = first;
  for (let round = 0; ; round++) {
    const { checked, planned } = compile(Buffer.from(text));
    const errors = checked.findings.filter(({ severity }) => severity === "error");
    const silent = errors.filter(({ code }) => code === "silent");
    if (errors.length > silent.length) {
      return { is: "refused", text, errors: errors.filter(({ code }) => code !== "silent") };
    }
    if (silent.length === 0 && planned !== undefined) {
      const warnings = checked.findings.filter(({ severity }) => severity === "warning");
      return { is: "right", text, plan: planned.plan, warnings };
    }
    const answers = silent.map((one) => answer(one, starts));
    const open = silent.filter((_, i) => answers[i] === undefined);
    if (open.length > 0 || round === ROUNDS_MAX)
      return { is: "open", text, errors: open.length > 0 ? open : silent };
    const inserts = new Map<number, string>();
    for (const one of answers) {
      if (one !== undefined) inserts.set(one.at, (inserts.get(one.at) ?? "") + one.insert);
    }
    for (const [at, insert] of [...inserts].sort(([a], [b]) => b - a)) {
      const before = text.slice(0, at);
      const isNone = insert.startsWith("; ") && before.endsWith("| none");
      text = isNone
        ? `${before.slice(0, -"none".length)}${insert.slice(2)}${text.slice(at)}`
        : `${before}${insert}${text.slice(at)}`;
    }
  }
}
