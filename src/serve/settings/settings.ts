/** Reads what the operator supplies: settings, typed by the plan, and rows given at the start. */

import type { Plan, Resource, Setting } from "../../plan/index.ts";
import type { Json, Members, Names, Value } from "../../run/index.ts";
import {
  compileValue,
  FailureCollector,
  isJsonObject,
  namesOf,
  parseJson,
  scalarReader,
  Wrong,
} from "../../run/index.ts";
import { digest } from "../crypto/digest.ts";
import { CannotServe, environmentName } from "./refused.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** The text of each setting: given by name, or else in the environment. */
export function settingTexts(plan: Plan, given: Texts, environment: Texts): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { name } of plan.about.settings) {
    const text = given[name] ?? environment[environmentName(name)];
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** The settings as values. Throws `CannotServe`, naming each that is missing or of another type. */
export function readSettings(plan: Plan, texts: Readonly<Record<string, string>>): Members {
  const names = namesOf(plan);
  const values = new Map<string, Value>();
  const reasons: string[] = [];
  for (const setting of plan.about.settings) {
    const value = readSetting(setting, texts[setting.name], names);
    if (value instanceof Wrong) reasons.push(reason(setting, texts[setting.name]));
    else if (value !== undefined) values.set(setting.name, value);
  }
  if (reasons.length > 0) throw new CannotServe(reasons);
  return values;
}

function readSetting({ type }: Setting, text: string | undefined, names: Names): Value | Wrong {
  // A secret that is empty is what a setting looks like that nobody has set.
  if (text !== undefined && !(text === "" && type.type.kind === "secret")) {
    const reader = scalarReader(type.type, names);
    if (reader) return reader.text(text);
    const { kind } = type.type;
    const isText = kind === "schema" && names.schemas.textForm(type.type.name)?.is === "text";
    const parsed = isText ? { ok: true as const, value: text } : parseJson(text);
    const read = compileValue({ type, rules: [], form: "json", told: "whole" }, names);
    return parsed.ok ? read(parsed.value, newCollector()) : new Wrong("wrong type");
  }
  return type.orNull ? null : type.orAbsent ? undefined : new Wrong("absent");
}

/** Says nothing of the value itself: it may be a secret. */
function reason({ name, type }: Setting, text: string | undefined): string {
  const where = `\`${environmentName(name)}\``;
  return text === undefined || text === ""
    ? `Setting \`${name}\` is not given: set ${where} in the environment.`
    : `Setting \`${name}\` (${where}) is no ${type.type.kind}.`;
}

function newCollector(): FailureCollector {
  return new FailureCollector({ now: 0n, settings: new Map(), digest }, new Set());
}

/** The rows given at the start, by resource. Throws `CannotServe` where the text is not such. */
export function readStartRows(
  plan: Plan,
  text: string | undefined,
): ReadonlyMap<string, readonly Members[]> | undefined {
  if (text === undefined) return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const why = `at offset ${parsed.at}: ${parsed.message}`;
    throw new CannotServe([`The start rows are no JSON ${why}.`]);
  }
  const form = "The start rows are an object: for each resource a list of objects.";
  if (!isJsonObject(parsed.value)) throw new CannotServe([form]);
  const names = namesOf(plan);
  const reasons: string[] = [];
  const rows = new Map<string, readonly Members[]>();
  for (const [name, list] of parsed.value) {
    const resource = names.resources.get(name);
    if (!resource) reasons.push(`The start rows name \`${name}\`, which is no resource.`);
    else if (!Array.isArray(list)) reasons.push(form);
    else {
      const read = rowReader(resource, names, (at, why, member) =>
        reasons.push(`${at}${member === undefined ? "" : ":"} ${why}.`),
      );
      rows.set(
        name,
        list.map((one: Json, i) => read(one, `Start row ${i + 1} of \`${name}\``)),
      );
    }
  }
  if (reasons.length > 0) throw new CannotServe(reasons);
  return rows;
}

/** Reads a row that is given; what is wrong with it is told by member, undefined for all of it. */
export function rowReader(
  resource: Resource,
  names: Names,
  wrong: (at: string, why: string, member?: string) => void,
): (row: Json, at: string) => Members {
  const reads = new Map(
    resource.fields.map((field) => {
      const holder = `${resource.name}.${field.name}`;
      const spec = { type: field.type, rules: [], form: "json", holder, told: "said" } as const;
      return [field.name, { read: compileValue(spec, names), kind: field.type.type.kind }];
    }),
  );
  return (row, at) => {
    const values = new Map<string, Value>();
    if (!isJsonObject(row)) wrong(at, "is no object");
    else {
      for (const [name, sent] of row) {
        const field = reads.get(name);
        const value = field?.read(sent, newCollector());
        if (!field) wrong(at, `\`${name}\` is no field`, name);
        else if (value instanceof Wrong) wrong(at, `\`${name}\` is no ${field.kind}`, name);
        else values.set(name, value);
      }
    }
    return values;
  };
}
