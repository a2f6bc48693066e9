/** Reads what only the operator of a service knows: settings, and the rows given at its start. */
import type { Plan, Resource, Setting } from "../plan/index.ts";
import {
  compileValue,
  FailureCollector,
  isJsonNumber,
  isJsonObject,
  type Json,
  type Members,
  type Names,
  namesOf,
  parseJson,
  scalarReader,
  type Value,
  Wrong,
} from "../run/index.ts";
import type { ReceiverTold } from "./events/arrival.ts";
import { digest } from "./world/hooks.ts";

export interface Told {
  readonly settings: Members;
  readonly rows: ReadonlyMap<string, readonly Members[]>;
  /** Of the way from the service to the receiver of its messages. */
  readonly receiver?: ReceiverTold;
}

const FORM =
  '{"settings": {NAME: VALUE}, "rows": {RESOURCE: [{FIELD: VALUE}]}, "receiver": {MEMBER: VALUE}}';
const MEMBERS = ["settings", "rows", "receiver"];

/**
 * What a JSON text of that form tells; or the reasons why it does not. Settings that are not told
 * are missing: what hangs on them is not reached.
 */
export function readTold(plan: Plan, text: string): Told | readonly string[] {
  const parsed = parseJson(text);
  if (!parsed.ok) return [`it is no JSON at offset ${parsed.at}: ${parsed.message}`];
  if (!isJsonObject(parsed.value)) return [`it has not the form ${FORM}`];
  const reasons: string[] = [];
  const names = namesOf(plan);
  for (const name of parsed.value.keys()) {
    if (!MEMBERS.includes(name)) {
      reasons.push(`\`${name}\` is not known; the form is ${FORM}`);
    }
  }
  const settings = settingsIn(plan, parsed.value.get("settings"), { names, reasons });
  const rows = rowsIn(parsed.value.get("rows"), { names, reasons });
  const receiver = receiverIn(parsed.value.get("receiver"), reasons);
  if (reasons.length > 0) return reasons;
  return { settings, rows, ...(receiver === undefined ? {} : { receiver }) };
}

const RECEIVER = "`receiver` is an object of `address`, `port`, `certificate` and `key`";

function receiverIn(tree: Json | undefined, reasons: string[]): ReceiverTold | undefined {
  if (tree === undefined) return undefined;
  if (!isJsonObject(tree)) {
    reasons.push(RECEIVER);
    return undefined;
  }
  const found: { -readonly [K in keyof ReceiverTold]: ReceiverTold[K] } = {};
  for (const [name, value] of tree) {
    const isText = name === "address" || name === "certificate" || name === "key";
    const port = name === "port" && isJsonNumber(value) ? Number(value.numberText) : Number.NaN;
    if (isText && typeof value === "string") found[name] = value;
    else if (Number.isInteger(port) && port > 0 && port < 65_536) found.port = port;
    else
      reasons.push(`${RECEIVER}; \`${name}\` is none of them, or has a value that it cannot have`);
  }
  const { address, certificate, key } = found;
  if (address !== undefined && !/^https?:/.test(URL.parse(address)?.protocol ?? "")) {
    reasons.push(`the \`address\` of \`receiver\` is no address of HTTP`);
  }
  if ((certificate === undefined) !== (key === undefined)) {
    reasons.push("`receiver` has a `certificate` and a `key`, or neither");
  }
  return found;
}

interface Reading {
  readonly names: Names;
  readonly reasons: string[];
}

function settingsIn(plan: Plan, tree: Json | undefined, { names, reasons }: Reading): Members {
  const found = new Map<string, Value>();
  if (tree === undefined) return found;
  if (!isJsonObject(tree)) reasons.push("`settings` is no object");
  else {
    for (const [name, value] of tree) {
      const setting = plan.about.settings.find((one) => one.name === name);
      const read = setting && settingValue(setting, value, names);
      if (setting === undefined) reasons.push(`\`${name}\` is no setting of the document`);
      else if (read instanceof Wrong) {
        reasons.push(`setting \`${name}\` is no ${setting.type.type.kind}`);
      } else if (read !== undefined) found.set(name, read);
    }
  }
  return found;
}

function settingValue({ type }: Setting, value: Json, names: Names): Value | Wrong {
  const scalar = scalarReader(type.type, names);
  if (scalar !== undefined && typeof value === "string") return scalar.text(value);
  const read = compileValue({ type, rules: [], form: "json", told: "whole" }, names);
  return read(value, collector());
}

function rowsIn(tree: Json | undefined, { names, reasons }: Reading): Told["rows"] {
  const found = new Map<string, readonly Members[]>();
  if (tree === undefined) return found;
  if (!isJsonObject(tree)) reasons.push("`rows` is no object");
  else {
    for (const [name, list] of tree) {
      const resource = names.resources.get(name);
      if (resource === undefined) reasons.push(`\`${name}\` is no resource of the document`);
      else if (!Array.isArray(list)) reasons.push(`the rows of \`${name}\` are no list`);
      else
        found.set(
          name,
          list.map((row, i) => rowIn(resource, row, i, { names, reasons })),
        );
    }
  }
  return found;
}

function rowIn(resource: Resource, row: Json, at: number, { names, reasons }: Reading): Members {
  const values = new Map<string, Value>();
  const where = `row ${at + 1} of \`${resource.name}\``;
  if (!isJsonObject(row)) reasons.push(`${where} is no object`);
  else {
    for (const [name, sent] of row) {
      const field = resource.fields.find((one) => one.name === name);
      if (field === undefined) {
        reasons.push(`${where} has \`${name}\`, which is no field`);
        continue;
      }
      const holder = `${resource.name}.${name}`;
      const spec = { type: field.type, rules: [], form: "json", holder, told: "said" } as const;
      const value = compileValue(spec, names)(sent, collector());
      if (value instanceof Wrong)
        reasons.push(`${where}: \`${name}\` is no ${field.type.type.kind}`);
      else if (value !== undefined) values.set(name, value);
    }
  }
  return values;
}

function collector(): FailureCollector {
  return new FailureCollector({ now: 0n, settings: new Map(), digest }, new Set());
}
