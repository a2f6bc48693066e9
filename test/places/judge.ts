/** Judges one cell: refused by `check`, or served as the tables and the reference interpreter say. */
import { doStep, open, type Sides } from "../histories/history.ts";
import { subjectFor } from "../histories/subjects.ts";
import type { RawAnswer } from "../histories/talk.ts";
import { documentText, failureRows } from "./frame.ts";
import { type Mended, mended } from "./mend.ts";
import type { Slot } from "./slot.ts";
import type { Case } from "./stored.ts";
import { type CaseStep, type Expected, secretsOf } from "./traffic.ts";

export interface Cell {
  readonly name: string;
  readonly slot: Slot;
  make(): Case;
}

export type Verdict =
  | { readonly is: "served"; readonly steps: number; readonly warnings: readonly string[] }
  | { readonly is: "refused"; readonly code: string; readonly message: string }
  /** Wrong; `kind` says how. */
  | {
      readonly is: "wrong";
      readonly kind: Wrongness;
      readonly what: string;
      readonly text: string;
    };

export type Wrongness =
  /** Engine and reference differ. */
  | "disagrees"
  /** Both do what the tables do not say. */
  | "against the tables"
  /** A 500, or a gap in a document without one. */
  | "fault"
  /** A secret was told or kept in plain. */
  | "secret"
  /** The service could not be started, or broke off. */
  | "crash"
  /** `check` throws. */
  | "checker"
  /** A question comes again when it is answered, or has no answer that this place allows. */
  | "open question";

interface Told {
  readonly kind: Wrongness;
  readonly what: string;
}

function told({ ask }: Extract<CaseStep, { is: "ask" }>, { status, body }: RawAnswer): string {
  return `${ask.method} ${ask.target} ${ask.body ?? ""}\n  ${status} ${body}`;
}

/** Where an answer is not what the tables say. */
function against(expected: Expected, { status, body }: RawAnswer): string | undefined {
  if (expected.status !== undefined && status !== expected.status) return `not ${expected.status}`;
  const { condition } = expected;
  const all = body.replaceAll(", ", ",");
  if (condition !== undefined && !all.includes(`"${condition}"`)) return `not \`${condition}\``;
  const without = expected.has?.find((one) => !all.includes(one));
  if (without !== undefined) return `without ${without}`;
  const shown = expected.lacks?.find((one) => all.includes(one));
  return shown === undefined ? undefined : `shows ${shown}`;
}

function judged(
  step: Extract<CaseStep, { is: "ask" }>,
  got: RawAnswer,
  [
    {
      columns: { read },
    },
    hidden,
    unexpected,
  ]: readonly [Slot, readonly string[], readonly string[]],
): Told[] {
  const found: Told[] = [];
  const never = unexpected.find((one) => got.status === 400 && got.body.includes(`"${one}"`));
  if (never !== undefined)
    found.push({
      kind: "checker",
      what: `a warning says that \`${never}\` never occurs: ${told(step, got)}`,
    });
  if (got.status >= 500) found.push({ kind: "fault", what: told(step, got) });
  // A secret may be told once, to who made the row or the part.
  const isTold = got.status < 300 && step.ask.method !== "GET" && read === "on create";
  const secret = isTold ? undefined : hidden.find((one) => got.body.includes(one));
  if (secret !== undefined) found.push({ kind: "secret", what: told(step, got) });
  const wrong = against(step.expected, got);
  if (wrong !== undefined && got.status < 500)
    found.push({ kind: "against the tables", what: `${wrong}: ${told(step, got)}` });
  return found;
}

async function doCaseStep(
  sides: Sides,
  step: CaseStep,
  seed: number,
): Promise<readonly [string | undefined, RawAnswer | undefined]> {
  let got: RawAnswer | undefined;
  const tally = {
    unsupported: new Map<string, number>(),
    statuses: new Map<string, number>(),
    answered: (answer: RawAnswer): void => {
      got = answer;
    },
  };
  if (step.is === "restart")
    return [await doStep(sides, { is: "restart", how: step.how, seed }, tally), got];
  const { method, target, body = "", media = "application/json", headers = [] } = step.ask;
  const request = {
    method,
    target,
    headers: body === "" ? headers : [["Content-Type", media] as const, ...headers],
    body: Buffer.from(body, "utf8").toString("latin1"),
  };
  return [await doStep(sides, { is: "request", request, seed }, tally), got];
}

const STORES = ["sqlite", "memory"] as const;

async function runOn(
  store: (typeof STORES)[number],
  [made, slot]: readonly [Case, Slot],
  { plan, warnings }: Extract<Mended, { is: "right" }>,
): Promise<readonly Told[]> {
  const hidden = secretsOf(slot);
  const unexpected = warnings.flatMap(({ code, message }) =>
    code === "never-occurs" ? [/^[`'](.+?)[`']/.exec(message)?.[1] ?? ""] : [],
  );
  const found: Told[] = [];
  const put = (one: Told): void => void found.push({ ...one, what: `${store}: ${one.what}` });
  const { settings = {}, startRows, echoes = false } = made;
  const sides = await open({ ...subjectFor("cell", plan, settings, startRows), echoes }, store);
  try {
    for (const [i, step] of made.steps.entries()) {
      const [difference, got] = await doCaseStep(sides, step, i + 1);
      if (step.is === "ask" && got !== undefined)
        judged(step, got, [slot, hidden, unexpected]).forEach(put);
      if (difference !== undefined) {
        put({
          kind: "disagrees",
          what: `${step.is === "ask" && got !== undefined ? told(step, got) : step.is}\n  ${difference}`,
        });
        break;
      }
    }
    const isHashed = !slot.rules.includes("kept as it is");
    const kept = isHashed ? hidden.find((one) => sides.engine.holds(one)) : undefined;
    if (kept !== undefined) put({ kind: "secret", what: `${kept} stands in the store` });
  } finally {
    await sides.engine.close();
  }
  return found;
}

/** Judges a cell on both stores. */
export async function judge({ slot, make }: Cell): Promise<Verdict> {
  const made = make();
  const first = documentText(made.document, failureRows());
  let result: ReturnType<typeof mended>;
  try {
    result = mended(first, made.starts ?? (slot.isNullable ? "null" : slot.literal?.expression));
  } catch (thrown) {
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { is: "wrong", kind: "checker", what, text: first };
  }
  const { text } = result;
  if (result.is === "open") {
    const what = result.errors.map(({ message, hint }) => `${message} ${hint ?? ""}`).join("\n");
    return { is: "wrong", kind: "open question", what, text };
  }
  if (result.is === "refused") {
    const [{ code, message } = { code: "", message: "" }] = result.errors;
    return { is: "refused", code, message };
  }
  const found: Told[] = [];
  for (const store of STORES) {
    try {
      found.push(...(await runOn(store, [made, slot], result)));
    } catch (thrown) {
      const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      found.push({ kind: "crash", what: `${store}: ${what}` });
    }
  }
  const worst = (
    ["crash", "secret", "fault", "disagrees", "against the tables", "checker"] as const
  )
    .map((kind) => found.find((one) => one.kind === kind))
    .find((one) => one !== undefined);
  if (worst !== undefined)
    return {
      is: "wrong",
      kind: worst.kind,
      what: found.map(({ kind, what }) => `${kind}: ${what}`).join("\n"),
      text,
    };
  return {
    is: "served",
    steps: made.steps.length,
    warnings: result.warnings.map(({ message }) => message),
  };
}
