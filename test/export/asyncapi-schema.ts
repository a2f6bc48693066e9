/** The official schema of AsyncAPI, from its package; that is not there in every set-up. */
import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";

/** Tells whether a file is as the schema of this version says; undefined: not found. */
export function asyncapiSchema(version: "2.6.0" | "3.0.0" | "3.1.0"): ValidateFunction | undefined {
  const require = createRequire(import.meta.url);
  try {
    // The file brings the meta-schema that it is written in.
    const ajv = new Ajv({ strict: false, validateFormats: false, meta: false });
    return ajv.compile(require(`@asyncapi/specs/schemas/${version}.json`) as object);
  } catch (error) {
    if ((error as { code?: string }).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
