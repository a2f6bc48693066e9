/** `npm run schema`: writes docs/schema/plan.schema.json from the types of a plan. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const PACKAGE = "ts-json-schema-generator@2.9.0";
const TARGET = join(ROOT, "docs/schema/plan.schema.json");

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

function generated(): { definitions: Record<string, Json> } {
  const types = ["--path", "src/plan/types/plan.ts", "--type", "Plan"];
  // Fetched and not in the lock file: nothing else needs it, and it brings a compiler of its own.
  const args = ["exec", "--yes", `--package=${PACKAGE}`, "--", "ts-json-schema-generator"];
  const text = execFileSync(
    "npm",
    [...args, ...types, "--tsconfig", "tsconfig.json", "--no-type-check"],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(text);
}

/** Names of definitions without what the generator makes of places in source files. */
function namesOf(definitions: Record<string, Json>): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const name of Object.keys(definitions)) {
    if (/^\w+$/.test(name)) {
      names.set(name, name);
      continue;
    }
    const word = /^\w+/.exec(name)?.[0] ?? "Type";
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    names.set(name, `${word}${count}`);
  }
  return names;
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]): [string, Json] => {
      if (key !== "$ref" || typeof member !== "string") return [key, renamed(member, names)];
      const name = decodeURIComponent(member.replace("#/definitions/", ""));
      return [key, `#/$defs/${names.get(name) ?? name}`];
    }),
  );
}

const { definitions } = generated();
const names = namesOf(definitions);
const defs = Object.fromEntries(
  Object.entries(definitions).map(([name, value]) => [
    names.get(name) ?? name,
    renamed(value, names),
  ]),
);
/** What `--origins` adds. */
const ORIGINS: Json = {
  type: "object",
  additionalProperties: {
    type: "object",
    properties: {
      file: { type: "string" },
      line: { type: "integer" },
      column: { type: "integer" },
      endLine: { type: "integer" },
      endColumn: { type: "integer" },
    },
    required: ["line", "column"],
  },
};
const whole = defs["Plan"] as { properties: Record<string, Json> };
whole.properties["origins"] = ORIGINS;

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://lacuna.example/schema/plan-2.schema.json",
  title: "Output of `lacuna plan`, format version 2",
  $ref: "#/$defs/Plan",
  $defs: defs,
};
writeFileSync(TARGET, `${JSON.stringify(schema, null, 1)}\n`);
