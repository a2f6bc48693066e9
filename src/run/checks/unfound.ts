/**
 * Where a look-up finds no row and a password would have been compared with the row's, the time of
 * that comparison is spent all the same: who is a user is not told by how long an answer takes.
 */
import { type Code, everyPart } from "../../expr/index.ts";
import type { Hash } from "../../plan/index.ts";
import type { Model } from "../context/model.ts";
import type { Transaction } from "../context/transaction.ts";

type Spend = (tx: Transaction) => void;

/** What is compared: no stored form is of it. */
const NOTHING = "nothing";

function slowOf(model: Model, resource: string, field: string): Hash | undefined {
  const info = model.info(resource);
  const rules = info.fields[info.at.get(field) ?? -1]?.rules ?? [];
  const rule = rules.find((one) => one.kind === "kept as");
  const hash = rule?.kind === "kept as" ? rule.hash : undefined;
  return hash?.kind === "argon2id" || hash?.kind === "scrypt" ? hash : undefined;
}

/** All code anywhere in a piece of a plan. */
function* codesIn(piece: unknown): Generator<Code> {
  if (typeof piece !== "object" || piece === null) return;
  const { code, text } = piece as { code?: Code; text?: unknown };
  if (code !== undefined && typeof text === "string") yield* everyPart(code);
  else for (const one of Object.values(piece)) yield* codesIn(one);
}

/** The slow hash by which the piece compares a secret of the resource's rows. */
function comparedIn(model: Model, resource: string, piece: unknown): Hash | undefined {
  for (const code of codesIn(piece)) {
    if (code.op !== "call" || code.fn !== "password_matches") continue;
    const [kept] = code.args;
    if (kept?.op !== "get" || kept.of.type.kind !== "row") continue;
    const hash = kept.of.type.resource === resource && slowOf(model, resource, kept.member);
    if (hash) return hash;
  }
  return undefined;
}

/** To be called where no row of the resource was found, by the piece that would compare. */
export function compileUnfound(model: Model, resource: string, piece: unknown): Spend {
  const hash = comparedIn(model, resource, piece);
  if (hash === undefined) return () => {};
  return (tx) => {
    const { blank, verify } = tx.ambient.hooks;
    if (!tx.hasCompared && blank !== undefined) verify?.(blank(hash), NOTHING);
  };
}
