/** Values judged by JSON Schema, by another judge than the product's: ajv. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isStated, type Plan } from "../../src/plan/index.ts";
import { type Json, write } from "./json.ts";

const judges = new WeakMap<Plan, Map<string, ValidateFunction>>();

/** Whether a value fits the schema of that name. Numbers are judged as binary64. */
export function fitsSchema(plan: Plan, name: string, value: Json): boolean {
  const known = judges.get(plan) ?? new Map<string, ValidateFunction>();
  judges.set(plan, known);
  let judge = known.get(name);
  if (judge === undefined) {
    const all = (plan.schemas ?? []).map((one) => [
      one.name,
      isStated(one.schema) ? (JSON.parse(one.schema.value) as unknown) : true,
    ]);
    const $defs = Object.fromEntries(all) as Record<string, unknown>;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    judge = ajv.compile({ $defs, allOf: [$defs[name] ?? true] });
    known.set(name, judge);
  }
  return judge(JSON.parse(write(value))) === true;
}

/** Whether a schema says that its values are texts, which stand in a query as they are. */
export function isTextSchema(plan: Plan, name: string): boolean {
  const found = plan.schemas?.find((one) => one.name === name)?.schema;
  const schema: unknown = found && isStated(found) ? JSON.parse(found.value) : undefined;
  return (schema as { type?: unknown } | undefined)?.type === "string";
}
