/** Idempotency keys: first answers, kept as the document states. */
import {
  durationOf,
  type Endpoint,
  gapOf,
  type Idempotency,
  isStated,
  type Plan,
  type Refusal,
  statedOf,
} from "../../plan/index.ts";
import { type CheckContext, type Json, parseJson, type Response } from "../../run/index.ts";
import type { Book } from "./book.ts";
import type { Request } from "./message.ts";
import type { Past } from "./past.ts";

/** What two requests with one key share, by bytes and by values. */
interface Likeness {
  readonly bytes: string;
  readonly values: string;
}

/** A first answer. */
export interface KeptAnswer {
  readonly likeness: Likeness;
  readonly at: bigint;
  readonly response: Response;
}

/** A key that was not used before. */
export interface NewKey {
  readonly name: string;
  readonly likeness: Likeness;
  keeps(status: number): boolean;
}

/** The header field, in small letters, that holds the key; undefined: the document states none. */
export function keyField(idempotency: Idempotency | undefined): string | undefined {
  return statedOf(idempotency?.header)?.toLowerCase();
}

function gapMet(
  answer: Idempotency["kept" | "per" | "keeps" | "sameBody" | "compares"],
  id: string,
) {
  return { is: "gap", gap: gapOf(answer) ?? id } as const;
}

/** JSON with members in the order of their names, and numbers by value. */
function canonical(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(canonical).join()}]`;
  if (json instanceof Map) {
    const members = [...json].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`;
  }
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const number = json as { readonly numberText: string };
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number.numberText) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  const size = digits.replace(/0+$/, "");
  if (size === "") return "0";
  return `${sign}${size}e${Number(power) - fraction.length + digits.length - size.length}`;
}

function likenessOf({ target, body = "" }: Request, at: string): Likeness {
  const parsed = parseJson(body);
  const values = parsed.ok ? canonical(parsed.value) : body;
  return { bytes: `${at} ${target} ${body}`, values: `${at} ${target} ${values}` };
}

/** What the key of a request comes to: a refusal, a first answer, or a key that is new. */
export function judgeKey(
  plan: Plan,
  request: Request,
  context: CheckContext,
  { kept, past }: { readonly kept: Book<KeptAnswer>; readonly past: Past },
): Refusal | Response | { readonly fresh: NewKey } | undefined {
  const endpoint = plan.endpoints[context.invocation.endpoint] as Endpoint;
  const rule = endpoint.idempotency;
  if (rule === undefined) return undefined;
  if (rule.header.is === "gap") return { is: "gap", gap: rule.header.gap };
  const field = keyField(rule);
  const key = request.headers.find(([name]) => name.toLowerCase() === field)?.[1];
  const per = statedOf(rule.per);
  if (key === undefined || (per === "caller" && context.caller === null)) return undefined;
  const unknown = ([rule.kept, rule.per, rule.keeps] as const).find((one) => !isStated(one));
  if (unknown !== undefined) return gapMet(unknown, rule.id);
  const isWide = rule.scope !== undefined;
  const whose = per === "caller" ? String(context.caller?.key) : "";
  const name = JSON.stringify([isWide ? "all" : endpoint.id, per, whose, key]);
  const likeness = likenessOf(request, isWide ? endpoint.id : "");
  const first = kept.get(name);
  const { now } = context.ambient;
  const time = durationOf(statedOf(rule.kept) ?? "0 s");
  const before = first === undefined ? past.before(now - time) : undefined;
  if (before !== undefined) return { is: "gap", gap: before };
  if (first === undefined || first.at + time <= now) {
    return { fresh: { name, likeness, keeps: keepsOf(statedOf(rule.keeps)) } };
  }
  const [bytes, values] = [
    first.likeness.bytes === likeness.bytes,
    first.likeness.values === likeness.values,
  ];
  const compares = statedOf(rule.compares);
  if (compares === undefined && bytes !== values) return gapMet(rule.compares, rule.id);
  if (compares === "bytes" ? bytes : values) {
    return isStated(rule.sameBody) ? first.response : gapMet(rule.sameBody, rule.id);
  }
  return statedOf(rule.otherBody) ?? { is: "gap", gap: gapOf(rule.otherBody) ?? rule.id };
}

function keepsOf(which: "every answer" | "2xx answers" | "2xx and 4xx answers" | undefined) {
  return (status: number): boolean =>
    which === "every answer" ||
    (status >= 200 && status < 300) ||
    (which === "2xx and 4xx answers" && status >= 400 && status < 500);
}
