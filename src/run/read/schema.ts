/** Reads a value of a schema: JSON as it stands, a text as the schema's own `type` says. */
import type { Schemas, TextForm } from "../../schema/index.ts";
import type { Value } from "../ports/index.ts";
import { isJsonObject, type Json } from "../wire/json.ts";
import { itemsIn } from "../wire/nested.ts";
import { parseJson } from "../wire/parse.ts";
import { unknown, WRONG_TYPE, Wrong } from "../wire/wrong.ts";
import type { Form, Names } from "./names.ts";

type ReadJson = (raw: Json) => Value | Wrong;

const REPEATED = new Wrong("repeated member");

function judged(schemas: Schemas, name: string): ReadJson {
  return (value) => {
    const verdict = schemas.judge(name, value);
    if (verdict === "valid") return value as Value;
    return verdict === "invalid" ? WRONG_TYPE : unknown(verdict.gap);
  };
}

/** The JSON value that a text, several of one name, or names that nest stand for. */
function ofText(form: TextForm | undefined, raw: Json, hidden: Wrong): Json | Wrong {
  if (form === undefined) return hidden;
  if (form.is === "object") return ofMembers(form.member, raw, hidden);
  if (form.is === "list") {
    const items = typeof raw === "string" ? [raw] : isJsonObject(raw) ? itemsIn(raw) : raw;
    if (!Array.isArray(items)) return WRONG_TYPE;
    const values = (items as readonly Json[]).map((item) => ofText(form.of, item, hidden));
    return values.find((one) => one instanceof Wrong) ?? (values as readonly Json[]);
  }
  if (typeof raw !== "string") return isJsonObject(raw) ? WRONG_TYPE : REPEATED;
  if (form.is === "text") return raw;
  const parsed = parseJson(raw);
  return parsed.ok && parsed.repeated.length === 0 ? parsed.value : WRONG_TYPE;
}

function ofMembers(
  form: (name: string) => TextForm | undefined,
  raw: Json,
  hidden: Wrong,
): Json | Wrong {
  if (!isJsonObject(raw)) return WRONG_TYPE;
  const members = new Map<string, Json>();
  for (const [name, one] of raw) {
    const value = ofText(form(name), one, hidden);
    if (value instanceof Wrong) return value;
    members.set(name, value);
  }
  return members;
}

/** The reader of values of the schema `name`. */
export function schemaReader(name: string, { schemas, asText }: Names, form: Form): ReadJson {
  const judge = judged(schemas, name);
  if (form === "json") return judge;
  const own = schemas.textForm(name);
  const gap = asText.get(name);
  const hidden = gap === undefined ? WRONG_TYPE : unknown(gap);
  return (raw) => {
    const value = ofText(own, raw, hidden);
    return value instanceof Wrong ? value : judge(value);
  };
}
