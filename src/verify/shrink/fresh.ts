/**
 * Texts that are to be others each time they are sent, because the document lets each stand once,
 * and that do not hold the letters of a run: they match a pattern, or are short.
 */
import { randomInt } from "node:crypto";
import type { Code } from "../../expr/index.ts";
import { type Field, type Plan, type Step, sentName, stepsOf } from "../../plan/index.ts";
import { isJsonObject, type Json, parseJson } from "../../run/index.ts";
import type { Session } from "../session.ts";
import type { Request } from "../world/message.ts";

/** Types of which any text may be a value: another one does as well. */
const ANY_TEXT: ReadonlySet<string> = new Set(["string", "email", "uri", "uuid", "secret"]);

/** Names of members whose values the document lets stand once, or puts where they may. */
function uniqueMembers(plan: Plan): ReadonlySet<string> {
  const { resources, partTypes, endpoints } = plan;
  const isOnce = ({ rules }: Field): boolean => rules.some(({ kind }) => kind === "unique");
  const unique = [
    ...resources.flatMap(({ fields, invariants }) => {
      const together = invariants.flatMap((one) => (one.kind === "unique" ? one.fields : []));
      return fields.filter((one) => isOnce(one) || together.includes(one.name));
    }),
    ...partTypes.flatMap(({ fields }) => fields.filter(isOnce)),
  ].filter(({ type: { type } }) => ANY_TEXT.has(type.kind));
  const names = new Set(unique.map(({ name }) => name));
  const assigned = stepsOf(plan).flatMap(assignedIn);
  const given = new Set(
    assigned.flatMap(([field, code]) => (names.has(field) ? givenBy(code) : [])),
  );
  const inputs = endpoints.flatMap((one) => one.inputs.filter(({ name }) => given.has(name)));
  return new Set([...unique, ...inputs].map(sentName));
}

/** Fields that a step sets, and to what. */
function assignedIn(step: Step): readonly (readonly [field: string, code: Code])[] {
  if (step.kind === "set") return [[step.field, step.value.code]];
  return step.kind === "create" ? step.with.map(({ name, value }) => [name, value.code]) : [];
}

/** The input of the body that a value is, but for its writing (`lower`, say). */
function givenBy(code: Code): readonly string[] {
  if (code.op === "get") {
    return code.of.op === "name" && code.of.name === "body" ? [code.member] : [];
  }
  const [only, ...rest] = code.op === "call" ? code.args : [];
  return only === undefined || rest.length > 0 ? [] : givenBy(only);
}

/** Texts in bodies that the document lets stand once, but for those of rows at the start. */
export class TextsOnce {
  readonly #names: ReadonlySet<string>;
  readonly #atStart: ReadonlySet<string>;

  constructor({ plan, textsAtStart }: Pick<Session, "plan" | "textsAtStart">) {
    this.#names = uniqueMembers(plan);
    this.#atStart = textsAtStart;
  }

  /** Those in a request. */
  in({ body }: Request): readonly string[] {
    const parsed = this.#names.size === 0 ? undefined : parseJson(body ?? "");
    if (parsed?.ok !== true) return [];
    return textsIn(parsed.value, this.#names).filter((text) => !this.#atStart.has(text));
  }

  /** The request with other texts for them. */
  replaced(request: Request, other: ReadonlyMap<string, string>): Request {
    const { body } = request;
    if (body === undefined || this.#names.size === 0 || other.size === 0) return request;
    const members = [...this.#names].map((one) =>
      JSON.stringify(one).replaceAll(/[^\w"]/g, "\\$&"),
    );
    const pattern = new RegExp(`((?:${members.join("|")})\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*")`, "g");
    const text = body.replaceAll(pattern, (all, name: string, value: string) => {
      const found = other.get(JSON.parse(value) as string);
      return found === undefined ? all : `${name}${JSON.stringify(found)}`;
    });
    return { ...request, body: text };
  }
}

function textsIn(tree: Json, names: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(tree)) return (tree as readonly Json[]).flatMap((one) => textsIn(one, names));
  if (!isJsonObject(tree)) return [];
  return [...tree].flatMap(([name, one]) =>
    typeof one === "string" && names.has(name) ? [one] : textsIn(one, names),
  );
}

/** Letters that stand for each other in a text that is made anew. */
const KINDS = [
  { is: /[a-z]/, letters: "abcdefghijklmnopqrstuvwxyz", range: "a-z" },
  { is: /[A-Z]/, letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", range: "A-Z" },
  { is: /[0-9]/, letters: "0123456789", range: "0-9" },
] as const;

/** Letters that are other ones each time, at most: those at the end. */
const RENEWED = 8;
/** A text of fewer letters is too often the same as one before. */
const RENEWED_MIN = 3;

/** Whether a text like it is another one, and stands in JSON as it is. */
export function isRenewable(text: string): boolean {
  const counts = piecesOf(text).map((one) => (typeof one === "string" ? 0 : one.count));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return count >= RENEWED_MIN && JSON.stringify(text) === `"${text}"`;
}

/** A part of a text: as it is, or so many letters of a kind. */
type Piece = string | { readonly range: string; readonly count: number };

/** What a text made anew consists of. */
export function piecesOf(like: string): readonly Piece[] {
  const points = [...like];
  let left = RENEWED;
  const found: Piece[] = [];
  for (const letter of points.toReversed()) {
    const kind = left > 0 ? KINDS.find(({ is }) => is.test(letter)) : undefined;
    const [first] = found;
    if (kind !== undefined) left -= 1;
    const piece: Piece = kind === undefined ? letter : { range: kind.range, count: 1 };
    if (typeof piece === "string" && typeof first === "string") found[0] = piece + first;
    else if (typeof piece === "object" && typeof first === "object" && piece.range === first.range)
      found[0] = { range: first.range, count: first.count + 1 };
    else found.unshift(piece);
  }
  return found;
}

/** A text like another, made anew. */
export function freshText(like: string): string {
  const letter = (range: string): string => {
    const letters = KINDS.find((one) => one.range === range)?.letters ?? "x";
    return letters[randomInt(letters.length)] ?? "x";
  };
  return piecesOf(like)
    .map((one) =>
      typeof one === "string"
        ? one
        : Array.from({ length: one.count }, () => letter(one.range)).join(""),
    )
    .join("");
}
