/**
 * The pairs of files in the tests of OpenAPITools/openapi-diff with what those tests say of each,
 * read from their source where it is at hand: nothing of it stands in this repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A copy of that repository, or of its folder `core/src/test`: `LACUNA_OPENAPI_DIFF`, else
 * `openapi-diff` among the corpora.
 */
const FOLDER =
  process.env["LACUNA_OPENAPI_DIFF"] ??
  join(
    process.env["LACUNA_CORPORA"] ?? join(import.meta.dirname, "../../../../shared/corpora"),
    "openapi-diff",
  );

const TESTS = [join(FOLDER, "core/src/test"), FOLDER].find((each) =>
  existsSync(join(each, "resources")),
);

/** Why there are no pairs; undefined: there are. */
export const missing =
  TESTS === undefined ? `${FOLDER} (OpenAPITools/openapi-diff) not found, skipped` : undefined;

const RESOURCES = join(TESTS ?? FOLDER, "resources");

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

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("Test.java"))
    .toSorted()
    .map((name) => join(folder, name));
}

function pairsIn(path: string): Pair[] {
  const text = readFileSync(path, "utf8");
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
      if (says === undefined || ![before, now].every((each) => existsSync(join(RESOURCES, each))))
        return [];
      return [{ name, before, now, says, ...(because === undefined ? {} : { because }) }];
    });
  });
}

const CALL = /\b(assert\w+)\(\s*(\w+|"[^"]+"),\s*(\w+|"[^"]+")/g;

/** Calls of a test through a method of its own that has the first file in it. */
function shortPairs(path: string): Pair[] {
  const text = readFileSync(path, "utf8");
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

/** All pairs; none where the folder is missing. */
export const pairs: readonly Pair[] =
  TESTS === undefined
    ? []
    : sources(join(TESTS, "java")).flatMap((path) => [...pairsIn(path), ...shortPairs(path)]);

/** The bytes of a file of a pair. */
export function resource(name: string): Buffer {
  return readFileSync(join(RESOURCES, name));
}

/** The folder in which a file of a pair stands. */
export function folderOf(name: string): string {
  return join(RESOURCES, name, "..");
}
