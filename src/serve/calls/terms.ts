/** What a plan and the operator say of each call, ready for use: kind, time, repeats, undoing. */
import {
  type Call,
  durationOf,
  gapOf,
  type ItemId,
  isStated,
  type Plan,
  statedOf,
} from "../../plan/index.ts";
import { isJsonObject, parseJson, writeJson } from "../../run/index.ts";

/** What the operator has put behind the calls of a document; plain data. */
export interface Code {
  /** Names of the calls that have code; `all`: whatever is called is asked for. */
  readonly names: readonly string[] | "all";
  /** Whether stand-ins answer where no code is. */
  readonly standIn: boolean;
}

export const NO_CODE: Code = { names: [], standIn: false };

/** Who answers a call. */
type Behind =
  | { readonly is: "code" }
  | { readonly is: "stand-in"; readonly text: string }
  | { readonly is: "no code" }
  | { readonly is: "gap"; readonly gap: ItemId };

export interface Terms {
  readonly call: Call;
  readonly kind: "pure" | "effect" | "long";
  readonly behind: Behind;
  /** How long its answer may take. */
  readonly within: bigint | undefined;
  /** Whether it may be made again under its key when nobody knows whether it arrived. */
  readonly repeatable: boolean;
  /** What must be stated and is not, before it can be called at all. */
  readonly gap: ItemId | undefined;
}

function behind(call: Call, { names, standIn }: Code): Behind {
  if (names === "all" || names.includes(call.name)) return { is: "code" };
  if (!standIn) return { is: "no code" };
  // What is said is told by what is given, when the answer is read.
  if (call.standIns !== undefined) return { is: "stand-in", text: "{}" };
  if (call.standIn.is === "gap") return { is: "gap", gap: call.standIn.gap };
  if (!isStated(call.standIn)) return { is: "no code" };
  return { is: "stand-in", text: JSON.stringify({ word: call.standIn.value }) };
}

function termsOf(call: Call, code: Code): Terms {
  const kind = statedOf(call.kind) ?? "effect";
  const keyGap = kind === "pure" ? undefined : gapOf(call.sameKey);
  return {
    call,
    kind,
    behind: behind(call, code),
    within: isStated(call.timeOut) ? durationOf(call.timeOut.value) : undefined,
    repeatable: kind === "pure" || statedOf(call.sameKey) === "first answer again",
    gap: gapOf(call.kind) ?? call.gap ?? keyGap ?? gapOf(call.timeOut),
  };
}

/** The terms of every call, by name. */
export function allTerms(plan: Plan, code: Code): ReadonlyMap<string, Terms> {
  return new Map(plan.calls.map((call) => [call.name, termsOf(call, code)]));
}

/** The members of a JSON object that a call is given, as JSON text. */
export function givenTo(call: Call, text: string): string {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return "{}";
  const all = parsed.value;
  return writeJson(
    new Map(
      call.given.flatMap(({ name }) => {
        const value = all.get(name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
  );
}
