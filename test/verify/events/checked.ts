/** The document of the tests of messages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";

export const checkedSpec = check(read(readFileSync(join(import.meta.dirname, "spec.md"))));
