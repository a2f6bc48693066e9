/** Rule: what is kept of a secret is a hash; nobody can keep or send the secret itself later. */
import { type Code, everyPart, render, type Type } from "../../expr/index.ts";
import {
  boundBy,
  type Expression,
  type Field,
  isStated,
  type ValueType,
} from "../../plan/index.ts";
import { expressionsIn } from "./asked.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import type { Owner, Placed } from "./places.ts";

/** Values that a step stores in fields or gives to code outside. */
function sentBy({ step }: Placed): readonly Expression[] {
  if (step.kind === "create" || step.kind === "call") return step.with.map(({ value }) => value);
  return step.kind === "set" ? [step.value] : [];
}

function isSecret({ type }: ValueType): boolean {
  return type.kind === "list" || type.kind === "map" ? isSecret(type.of) : type.kind === "secret";
}

function isHashed({ type, rules }: Field): boolean {
  if (!isSecret(type)) return false;
  return rules.some((rule) => rule.kind === "kept as" && rule.hash.kind !== "plain");
}

/** Names of the steps of one owner. */
interface Names {
  /** Rows that the same steps have made: their secrets are known still. */
  readonly made: Set<string>;
  /** Names of values that hold hashes, with the field that they are of. */
  readonly hashes: Map<string, string>;
}

const bare = (type: Type): Type => (type.kind === "nullable" ? type.of : type);

/** Whether the value is a row that was there, or stands in one. */
function isKept(code: Code, names: Names): boolean {
  if (code.op === "get" || code.op === "index") return isKept(code.of, names);
  if (bare(code.type).kind !== "row") return false;
  return code.op !== "name" || !names.made.has(code.name);
}

/** The field of which a read member is; undefined: of none that is hashed. */
function hashedMember(c: RuleContext, code: Code & { readonly op: "get" }): string | undefined {
  const of = bare(code.of.type);
  const [holder, fields] =
    of.kind === "row"
      ? [of.resource, c.resources.get(of.resource)?.fields]
      : of.kind === "object"
        ? [of.name.replace(/^part:/, ""), c.parts.get(of.name.replace(/^part:/, ""))?.fields]
        : ["", undefined];
  const field = fields?.find(({ name }) => name === code.member);
  return field !== undefined && isHashed(field) ? `${holder}.${field.name}` : undefined;
}

/** The hashed field from which a value comes that is read from what is there already. */
function hashRead(c: RuleContext, names: Names, code: Code): string | undefined {
  const first = (all: readonly Code[]): string | undefined =>
    all.map((one) => hashRead(c, names, one)).find((one) => one !== undefined);
  if (code.op === "get") return isKept(code.of, names) ? hashedMember(c, code) : undefined;
  if (code.op === "name") return names.hashes.get(code.name);
  if (code.op === "index") return hashRead(c, names, code.of);
  if (code.op === "list") return first(code.items);
  if (code.op === "map") return first(code.entries.map(({ value }) => value));
  return code.op === "call" && code.fn === "?:" ? first(code.args.slice(1)) : undefined;
}

/** Rows that an owner is given may have been made by the request that gives them. */
function namesOf(c: RuleContext, { kind, id }: Owner): Names {
  const given = c.service.routines.find((one) => one.id === id)?.given ?? [];
  const own = kind === "transition" ? ["it"] : given.map(({ name }) => name);
  return { made: new Set(own), hashes: new Map() };
}

function judge(c: RuleContext, placed: Placed, names: Names): void {
  for (const { code } of sentBy(placed)) {
    const field = hashRead(c, names, code);
    if (field === undefined) continue;
    report(c, {
      code: "wrong-type",
      severity: "error",
      at: placed.step.id,
      message: `\`${field}\` keeps a hash: the secret that was given is not known any more.`,
      hint: "Take the secret where it is given, or keep it with `kept as it is`.",
    });
  }
}

/** A receiver's secret signs as it was given. */
function judgeSignatures(c: RuleContext): void {
  for (const { signature } of c.service.webhooks) {
    if (!isStated(signature)) continue;
    const { secret } = signature.value;
    const field = hashRead(c, { made: new Set(), hashes: new Map() }, secret.code);
    if (field === undefined) continue;
    report(c, {
      code: "wrong-type",
      severity: "error",
      at: c.places.get(secret) ?? signature.id,
      message: `\`${field}\` keeps a hash: nothing can be signed with the secret itself any more.`,
      hint: "Keep the secret with `kept as it is`.",
    });
  }
}

/** How the secret is kept that code reads; undefined: as it is, or it is none. */
function hashOf(c: RuleContext, code: Code): string | undefined {
  if (code.op !== "get") return undefined;
  const [holder = "", member = ""] = hashedMember(c, code)?.split(".") ?? [];
  const fields = c.resources.get(holder)?.fields ?? c.parts.get(holder)?.fields ?? [];
  const rules = fields.find(({ name }) => name === member)?.rules ?? [];
  const kept = rules.find((rule) => rule.kind === "kept as");
  return kept?.kind === "kept as" ? kept.hash.kind : undefined;
}

/** A secret of which a hash is kept is hashed or signs with what nobody knows any more. */
function judgeDigests(c: RuleContext): void {
  for (const expression of expressionsIn(c.service)) {
    for (const code of everyPart(expression.code)) {
      if (code.op !== "call" || (code.fn !== "sha256" && code.fn !== "hmac")) continue;
      const [secret] = code.args;
      const hash = secret === undefined ? undefined : hashOf(c, secret);
      const at = c.places.get(expression);
      if (hash === undefined || at === undefined) continue;
      const isRow = secret?.op === "get" && bare(secret.of.type).kind === "row";
      if (code.fn === "sha256" && hash === "sha256" && isRow) continue;
      report(c, {
        code: "wrong-type",
        severity: "error",
        at,
        message: `\`${render(secret as Code)}\` keeps a hash: the secret is not known any more.`,
        hint: "Keep the secret with `kept as it is`, or its SHA-256 with `kept as SHA-256`.",
      });
    }
  }
}

/** Reports `wrong-type`. */
export const hashed: Rule = (c) => {
  judgeSignatures(c);
  judgeDigests(c);
  const all = new Map<Owner, Names>();
  for (const placed of c.steps) {
    const names = all.get(placed.owner) ?? namesOf(c, placed.owner);
    all.set(placed.owner, names);
    judge(c, placed, names);
    const { step } = placed;
    const name = boundBy(step);
    if (name === undefined) continue;
    const field = step.kind === "let" ? hashRead(c, names, step.value.code) : undefined;
    if (step.kind === "create") names.made.add(name);
    else names.made.delete(name);
    if (field === undefined) names.hashes.delete(name);
    else names.hashes.set(name, field);
  }
};
