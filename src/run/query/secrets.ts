/** Turns what is asked of a secret kept by SHA-256, or as it is, into reading what is kept. */
import { type Code, callOf, partsOf, type Type, withParts } from "../../expr/index.ts";
import type { Model } from "../context/model.ts";

const TEXT: Type = { kind: "string" };

/** How the field that the code reads keeps its secret; undefined where it is no such field. */
function hashOf(model: Model, code: Code): string | undefined {
  if (code.op !== "get" || code.of.type.kind !== "row") return undefined;
  const info = model.resources.get(code.of.type.resource);
  const field = info?.fields[info.at.get(code.member) ?? -1];
  const rule = field?.rules.find((one) => one.kind === "kept as");
  return rule?.kind === "kept as" ? rule.hash.kind : undefined;
}

/**
 * `sha256(it.key)` as what is kept of a key by SHA-256, and `password_matches(it.key, x)` as
 * `it.key == sha256(x)`, which an index can answer. A hash with a salt stays a comparison one by
 * one.
 */
export function withPlainSecrets(model: Model, code: Code): Code {
  const parts = partsOf(code).map((part) => withPlainSecrets(model, part));
  const made = parts.length === 0 ? code : withParts(code, parts);
  if (made.op !== "call" || !["password_matches", "sha256"].includes(made.fn)) return made;
  const [kept, sent] = made.args;
  const hash = kept === undefined ? undefined : hashOf(model, kept);
  if (kept === undefined) return made;
  const text = (one: Code): Code => ({ ...one, type: TEXT });
  if (made.fn === "sha256") return hash === "sha256" ? text(kept) : made;
  if (sent === undefined) return made;
  if (hash === "plain") return callOf("==", text(kept), text(sent));
  if (hash !== "sha256") return made;
  return callOf("==", text(kept), { op: "call", type: TEXT, fn: "sha256", args: [sent] });
}
