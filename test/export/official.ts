/** The official JSON Schemas of OpenAPI, compiled once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ExportOptions } from "../../src/export/index.ts";

type Version = ExportOptions["openapi"];

const compiled = new Map<Version, ValidateFunction>();

function validator(version: Version): ValidateFunction {
  const known = compiled.get(version);
  if (known !== undefined) return known;
  const file = join(import.meta.dirname, "oas", `${version}.json`);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const made = ajv.compile(JSON.parse(readFileSync(file, "utf8")));
  compiled.set(version, made);
  return made;
}

/** What that schema has against a file, each with its place; nothing where it is as it says. */
export function officialFaults(file: unknown, version: Version): string[] {
  const isValid = validator(version);
  if (isValid(file)) return [];
  return (isValid.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
}
