/** Judges one cell: refused by `check`, or served as the tables and the reference interpreter say. */
import { answersDiffer } from "../histories/compare.ts";
import type { EngineSide, StoreKind } from "../histories/engine.ts";
import { doStep, open, openEngine, type Sides, type Subject } from "../histories/history.ts";
import { StepBytes } from "../histories/random.ts";
import { subjectFor } from "../histories/subjects.ts";
import type { RawAnswer } from "../histories/talk.ts";
import type { Answer } from "../reference/world.ts";
import { documentText, failureRows } from "./frame.ts";
import { type Mended, mended, STARTS_GAP, type Starts } from "./mend.ts";
import { type CellFacts, misjudged } from "./refusals.ts";
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
  /** Refused without a reason, or served where the table of refusals has one. */
  | "refusal"
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

/** What holds for all answers of a document. */
interface Seen {
  /** Texts that no answer may hold. */
  readonly hidden: readonly string[];
  /** Conditions of which `check` says that they never occur. */
  readonly unexpected: readonly string[];
  /** Whether the document does not say with what the value starts. */
  readonly hasGap: boolean;
}

function judged(
  step: Extract<CaseStep, { is: "ask" }>,
  got: RawAnswer,
  [
    {
      columns: { read },
    },
    { hidden, unexpected, hasGap },
  ]: readonly [Slot, Seen],
): Told[] {
  const found: Told[] = [];
  const never = unexpected.find((one) => got.status === 400 && got.body.includes(`"${one}"`));
  if (never !== undefined)
    found.push({
      kind: "checker",
      what: `a warning says that \`${never}\` never occurs: ${told(step, got)}`,
    });
  const isGap = got.status === 501 && got.body.includes(STARTS_GAP) && hasGap;
  if (got.status >= 500 && !isGap) found.push({ kind: "fault", what: told(step, got) });
  // A secret may be told once, to who made the row or the part.
  const isTold = got.status < 300 && step.ask.method !== "GET" && read === "on create";
  const secret = isTold ? undefined : hidden.find((one) => got.body.includes(one));
  if (secret !== undefined) found.push({ kind: "secret", what: told(step, got) });
  const wrong = against(step.expected, got);
  if (wrong !== undefined && got.status < 500)
    found.push({ kind: "against the tables", what: `${wrong}: ${told(step, got)}` });
  return found;
}

/** Where rows are kept for good. */
const KEPT = (process.env["PLACES_STORE"] ?? "sqlite") as StoreKind;

/** One reference beside the service on both stores: what is kept in memory ends with it. */
interface Three {
  readonly file: Sides;
  readonly memory: EngineSide;
  readonly bytes: StepBytes;
}

async function openThree(subject: Subject): Promise<Three> {
  const file = await open(subject, KEPT);
  const bytes = new StepBytes();
  bytes.begin(1);
  try {
    return { file, memory: await openEngine(subject, "memory", bytes), bytes };
  } catch (thrown) {
    await file.engine.close();
    throw thrown;
  }
}

interface Asked {
  readonly store: (typeof STORES)[number];
  readonly got: RawAnswer | undefined;
  readonly difference: string | undefined;
}

async function doCaseStep(three: Three, step: CaseStep, seed: number): Promise<readonly Asked[]> {
  let got: RawAnswer | undefined;
  let wanted: Answer | undefined;
  const tally = {
    unsupported: new Map<string, number>(),
    statuses: new Map<string, number>(),
    answered: (answer: RawAnswer, theirs: Answer): void => {
      got = answer;
      wanted = theirs;
    },
  };
  if (step.is === "restart") {
    const difference = await doStep(three.file, { is: "restart", how: step.how, seed }, tally);
    return [{ store: "kept", got, difference }];
  }
  const { method, target, body = "", media = "application/json", headers = [] } = step.ask;
  const request = {
    method,
    target,
    headers: body === "" ? headers : [["Content-Type", media] as const, ...headers],
    body: Buffer.from(body, "utf8").toString("latin1"),
  };
  three.bytes.begin(seed);
  const [difference, other] = await Promise.all([
    doStep(three.file, { is: "request", request, seed }, tally),
    three.memory.ask(request),
  ]);
  const unlike = wanted === undefined ? undefined : answersDiffer(other, wanted);
  return [
    { store: "kept", got, difference },
    { store: "memory", got: other, difference: unlike },
  ];
}

const STORES = ["kept", "memory"] as const;

async function run(
  [made, slot]: readonly [Case, Slot],
  { plan, warnings, text }: Extract<Mended, { is: "right" }>,
): Promise<readonly Told[]> {
  const hidden = secretsOf(slot);
  const unexpected = warnings.flatMap(({ code, message }) =>
    code === "never-occurs" ? [/^[`'](.+?)[`']/.exec(message)?.[1] ?? ""] : [],
  );
  const hasGap = text.includes(STARTS_GAP);
  const found: Told[] = [];
  const { settings = {}, startRows, echoes = false } = made;
  const three = await openThree({ ...subjectFor("cell", plan, settings, startRows), echoes });
  try {
    for (const [i, step] of made.steps.entries()) {
      const all = await doCaseStep(three, step, i + 1);
      for (const { store, got, difference } of all) {
        const put = (one: Told): void =>
          void found.push({ ...one, what: `${store}, step ${i}: ${one.what}` });
        if (step.is === "ask" && got !== undefined)
          judged(step, got, [slot, { hidden, unexpected, hasGap }]).forEach(put);
        const what = step.is === "ask" && got !== undefined ? told(step, got) : step.is;
        if (difference !== undefined) put({ kind: "disagrees", what: `${what}\n  ${difference}` });
      }
      if (all.some(({ difference }) => difference !== undefined)) break;
    }
    const isHashed = !slot.rules.some((one) => one.includes("kept as it is"));
    const kept = isHashed ? hidden.find((one) => three.file.engine.holds(one)) : undefined;
    if (kept !== undefined) found.push({ kind: "secret", what: `${kept} stands in the store` });
  } finally {
    await three.file.engine.close();
    await three.memory.close();
  }
  return found;
}

/** What the table of refusals looks at. */
function factsOf({ name, slot }: Cell): CellFacts {
  const [place = "", about, detail = ""] = name.split(" / ");
  return { place, slot, rule: about === "rule" ? detail.split(":")[0] : undefined };
}

/** With what the members of a case start that nobody gives. */
export function startsOf({ starts }: Case, { isNullable, literal }: Slot): Starts {
  const inner = isNullable ? "null" : literal?.expression;
  return { whole: starts ?? inner, inner };
}

/** Judges a cell on both stores; `checkOnly`: whether it is refused as it must be, alone. */
export async function judge(cell: Cell, checkOnly = false): Promise<Verdict> {
  const { slot } = cell;
  const made = cell.make();
  const first = documentText(made.document, failureRows());
  let result: ReturnType<typeof mended>;
  try {
    result = mended(first, startsOf(made, slot));
  } catch (thrown) {
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { is: "wrong", kind: "checker", what, text: first };
  }
  const { text } = result;
  if (result.is === "open") {
    const what = result.errors.map(({ message, hint }) => `${message} ${hint ?? ""}`).join("\n");
    return { is: "wrong", kind: "open question", what, text };
  }
  const errors = result.is === "refused" ? result.errors : [];
  const what = misjudged(factsOf(cell), errors);
  if (what !== undefined) return { is: "wrong", kind: "refusal", what, text };
  if (result.is === "refused") {
    const [{ code, message } = { code: "", message: "" }] = result.errors;
    return { is: "refused", code, message };
  }
  if (checkOnly) return { is: "served", steps: 0, warnings: [] };
  let found: readonly Told[];
  try {
    found = await run([made, slot], result);
  } catch (thrown) {
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    found = [{ kind: "crash", what }];
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
