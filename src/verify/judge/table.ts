/**
 * What a table of answers says of an answer whose steps are not shown, as a file in OpenAPI has it:
 * that the status is named, its media type and the form of its body. No more is stated.
 */
import {
  type Endpoint,
  type ItemId,
  type Plan,
  type StatedAnswer,
  statedOf,
} from "../../plan/index.ts";
import { compileValue, FailureCollector, namesOf, parseJson, Wrong } from "../../run/index.ts";
import { digest } from "../world/hooks.ts";
import { type Answer, fieldOf, type Request } from "../world/message.ts";
import type { Difference } from "./compare.ts";

/** What the rows of the status show, or what is otherwise. */
interface Tabled {
  readonly items: readonly ItemId[];
  readonly differences: readonly Difference[];
}

/** The rows that cover a status: those of its own, else of its class, else of every other. */
function rowsOf(all: readonly StatedAnswer[], status: number): readonly StatedAnswer[] {
  const names = [String(status), `${Math.floor(status / 100)}xx`, "any other"];
  for (const name of names) {
    const rows = all.filter((one) => one.status === name);
    if (rows.length > 0) return rows;
  }
  return [];
}

const bare = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();

/** Whether a media type is the one that is stated, or in its range (RFC 9110 section 12.5.1). */
function isOf(stated: string, type: string): boolean {
  const [range, one] = [bare(stated), bare(type)];
  return (
    range === one || range === "*/*" || (range.endsWith("/*") && one.startsWith(range.slice(0, -1)))
  );
}

function isJson(type: string): boolean {
  return /^application\/([a-z0-9.+-]+\+)?json$/.test(bare(type));
}

/** Undefined: the endpoint has no table, or it says nothing of the status. */
export function tabled(
  plan: Plan,
  endpoint: Endpoint | undefined,
  { method }: Request,
  answer: Answer,
): Tabled | undefined {
  const all = endpoint?.answers ?? [];
  if (all.length === 0) return undefined;
  const rows = rowsOf(all, answer.status);
  const { status, body } = answer;
  if (rows.length === 0) {
    const observed = String(status);
    const expected = all.map((one) => one.status).join(", ");
    const difference: Difference = { in: "status", where: ["status"], expected, observed };
    return { items: all.map(({ id }) => id), differences: [difference] };
  }
  const types = rows.flatMap(({ media }) => statedOf(media) ?? []);
  // A media type or a body that is not shown is none that an answer could break.
  const isOpen = types.length < rows.length;
  if (method === "HEAD" || body === undefined || body === "" || isOpen) return shown(rows, []);
  const type = fieldOf(answer.headers, "Content-Type") ?? "";
  const own = rows.filter(({ media }) => isOf(statedOf(media) ?? "", type));
  if (own.length === 0) {
    const expected = types.join(", ");
    return shown(rows, [{ in: "header", where: ["Content-Type"], expected, observed: type }]);
  }
  const isRight = own.some((row) => !isJson(type) || hasForm(plan, row, body));
  return shown(
    own,
    isRight ? [] : [{ in: "body", where: [], expected: undefined, observed: body }],
  );
}

function shown(rows: readonly StatedAnswer[], differences: readonly Difference[]): Tabled {
  const isStatusOnly = rows.every(({ status }) => status === "any other");
  return { items: isStatusOnly ? [] : rows.map(({ id }) => id), differences };
}

/** Whether a JSON text is a value of the type that the row states. */
function hasForm(plan: Plan, { body }: StatedAnswer, text: string): boolean {
  const type = statedOf(body);
  if (type === undefined) return true;
  const parsed = parseJson(text);
  if (!parsed.ok) return false;
  const read = compileValue({ type, rules: [], form: "json", told: "whole" }, namesOf(plan));
  const sink = new FailureCollector({ now: 0n, settings: new Map(), digest }, new Set());
  return !(read(parsed.value, sink) instanceof Wrong);
}
