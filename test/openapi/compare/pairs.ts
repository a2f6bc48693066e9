/**
 * The pairs of files in the tests of OpenAPITools/openapi-diff with what those tests say of each,
 * read from the copy of their source in `openapi-diff` beside this file (its NOTICE.txt).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { gunzipSync } from "node:zlib";

const PACKED = join(import.meta.dirname, "openapi-diff/tests.json.gz");

/** The text of each file by its path below `core/src/test`. */
const files = new Map<string, string>(
  Object.entries(JSON.parse(gunzipSync(readFileSync(PACKED)).toString("utf8"))),
);

/** What a test says of a pair. `changed`: that there is a change, and not whom it breaks. */
export type Said = "same" | "changed" | "compatible" | "incompatible";

export interface Pair {
  /** The class and the test in it. */
  readonly name: string;
  readonly before: string;
  readonly now: string;
  readonly says: Said;
  /** What it is that is incompatible, in its words. */
  readonly because?: string;
}

/** What each of its assertions says. */
const ASSERTIONS: Readonly<Record<string, Said>> = {
  assertSpecUnchanged: "same",
  assertOpenApiAreEquals: "same",
  assertOpenApiChangedEndpoints: "changed",
  assertSpecChangedButCompatible: "compatible",
  assertOpenApiBackwardCompatible: "compatible",
  assertSpecIncompatible: "incompatible",
  assertOpenApiBackwardIncompatible: "incompatible",
};

function pairsIn(path: string, text: string): Pair[] {
  const constants = new Map(
    [...text.matchAll(/String (\w+) = "([^"]+)";/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  const file = (said: string): string => constants.get(said) ?? said.replaceAll('"', "");
  const title = path.split("/").at(-1)?.replace(".java", "") ?? "";
  return text.split(/(?=@Test)/).flatMap((test) => {
    const name = `${title}.${/void (\w+)/.exec(test)?.[1]}`;
    if (test.includes("assertThrows")) return [];
    const because = /BackwardIncompatibleProp(?: prop =|\.)\s*(\w+)/.exec(test)?.[1];
    return [...test.matchAll(CALL)].flatMap(([, assertion = "", a = "", b = ""]): Pair[] => {
      const says = ASSERTIONS[assertion];
      const [before, now] = [file(a), file(b)];
      if (says === undefined || ![before, now].every((each) => files.has(`resources/${each}`)))
        return [];
      return [{ name, before, now, says, ...(because === undefined ? {} : { because }) }];
    });
  });
}

const CALL = /\b(assert\w+)\(\s*(\w+|"[^"]+"),\s*(\w+|"[^"]+")/g;

/** Calls of a test through a method of its own that has the first file in it. */
function shortPairs(path: string, text: string): Pair[] {
  const base = /BASE = "([^"]+)"/.exec(text)?.[1];
  const title = path.split("/").at(-1)?.replace(".java", "") ?? "";
  if (base === undefined) return [];
  const because = Object.fromEntries(
    [
      ...text.matchAll(
        /void (\w+)\(String newSpec\) \{\s*assertSpecIncompatible\(BASE, newSpec, (\w+)\)/g,
      ),
    ].map(([, name = "", prop = ""]) => [name, prop]),
  );
  return [...text.matchAll(/void (\w+)\(\) \{\s*(\w+)\("([^"]+)"\);/g)].flatMap(
    ([, name, called = "", now = ""]): Pair[] => {
      const prop = because[called];
      if (prop === undefined) return [];
      return [{ name: `${title}.${name}`, before: base, now, says: "incompatible", because: prop }];
    },
  );
}

/** All pairs. */
export const pairs: readonly Pair[] = [...files]
  .filter(([path]) => path.endsWith("Test.java"))
  .flatMap(([path, text]) => [...pairsIn(path, text), ...shortPairs(path, text)]);

/** The bytes of a file of a pair, or of one that it refers to by a path from there. */
export function resource(name: string, from = "."): Buffer {
  const text = files.get(posix.join("resources", posix.dirname(from), name));
  assert.ok(text !== undefined, `${name} is not in ${PACKED}`);
  return Buffer.from(text);
}
