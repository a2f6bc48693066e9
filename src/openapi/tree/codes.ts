/* data table */
/** Pages of what keeps a file, or a part of it, from being read. */
import type { CodeEntry } from "../../base/index.ts";

const HEAD = "openapi: 3.0.3\ninfo: { title: Notes, version: '1' }\npaths:";
const WHOLE = `${HEAD} {}`;

const error = (
  ...[title, meaning, mend, wrong, right]: readonly [string, string, string, string, string?]
): CodeEntry => ({
  severity: "error",
  topic: "descriptions",
  title,
  meaning,
  mend,
  wrong,
  right: right ?? WHOLE,
});

const REFERRED = (ref: string): string =>
  `${WHOLE}\ncomponents:\n  schemas:\n    Note: { $ref: "${ref}" }\n    Text: { type: string }`;

const REFERS = REFERRED("#/components/schemas/Text");

/** By the code of a problem. */
export const problemPages = {
  unreadable: error(
    "The file is not well-formed",
    "The file, or one that it refers to, is no UTF-8, no well-formed JSON or no well-formed YAML. What stands behind the place cannot be told from it.",
    "Mend the place; a file that begins with `{` is read as JSON.",
    "openapi: 3.0.3\ninfo: { title: Notes",
  ),
  "member-twice": error(
    "A name stands twice in one object",
    "Which of the two members counts, neither JSON nor YAML says: readers take the first, the last, or stop.",
    "Take one of them away.",
    `${WHOLE}\npaths: {}`,
  ),
  "nested-too-deep": error(
    "The file is nested too deeply",
    "Objects and lists stand in one another in more than 200 levels. No description needs that, and readers fail on it.",
    "Name inner schemas in components, and refer to them.",
    `{ "openapi": "3.0.3", "info": ${"[".repeat(201)}`,
  ),
  "several-documents": error(
    "Several documents in one file",
    "A YAML file may hold several documents, and a description is one. Which of them is meant cannot be told.",
    "Make a file of each.",
    `${WHOLE}\n---\n${WHOLE}`,
  ),
  "yaml-tag": error(
    "A tag of YAML that JSON does not have",
    "Descriptions have the values of JSON. A tag such as `!!binary` or one of your own asks for a value that is none of them.",
    "Take the tag away.",
    `${WHOLE}\nx-owner: !team tea`,
  ),
  "yaml-alias": error(
    "An alias leads nowhere",
    "An alias (`*name`) stands for what was named before by an anchor (`&name`), and there is none, or the alias stands inside it.",
    "Name the anchor above, or write the value out.",
    `${WHOLE}\nx-owner: *team`,
  ),
  "yaml-aliases": error(
    "Aliases stand for too much",
    "Aliases inside one another add more than 500,000 values. That is how files are made that stop programs.",
    "Write the values out, or use `$ref`.",
    `${WHOLE}\nx-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n${[1, 2, 3, 4, 5, 6, 7]
      .map((n) => `x-${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(", ")}]`)
      .join("\n")}`,
  ),
  "yaml-number": error(
    "A number that JSON does not have",
    "YAML has numbers such as `.inf` and `.nan`; JSON, and so a description, has none of these.",
    "Leave the bound out, or write a text.",
    `${WHOLE}\nx-most: .inf`,
  ),
  "yaml-key": error(
    "A name that is no text",
    "Names of members are texts. YAML allows lists and objects there, which JSON does not.",
    "Write a text.",
    `${WHOLE}\n? [a]\n: 1`,
  ),
  "no-description": error(
    "The file names no language",
    "None of `openapi`, `swagger` and `asyncapi` stands at the top. The file may be a part of another one: name that.",
    "State the language with its version, or check the file that refers to this one.",
    '{ "info": { "title": "Notes" } }',
  ),
  "other-version": error(
    "A version that is not read",
    "OpenAPI 3.0 to 3.2, Swagger 2.0, and AsyncAPI 2.0 to 2.6 and 3 are read. Another version may give the same members another meaning.",
    "Convert the file.",
    "openapi: 4.0.0\npaths: {}",
  ),
  malformed: error(
    "A member is of the wrong kind",
    "The language has an object there and the file a list, or the other way round, or a part that it must have is missing. The member is left out of the survey.",
    "Write what the version of the language asks for.",
    "openapi: 3.0.3\ninfo: { title: Notes, version: '1' }\npaths: []",
  ),
  "parameter-twice": error(
    "A parameter stands twice",
    "One list of parameters has two with the same name and place. Which one holds is not defined.",
    "Take one of them away.",
    `${HEAD}\n  /notes:\n    get:\n      parameters: [{ name: a, in: query }, { name: a, in: query }]\n      responses: {}`,
  ),
  "ref-nowhere": error(
    "A reference leads nowhere",
    "What `$ref` names is not in the file. What should stand there is unknown, and is left out of the survey.",
    "Mend the reference: the nearest name is shown where there is one.",
    REFERRED("#/components/schemas/Txt"),
    REFERS,
  ),
  "ref-remote": error(
    "A reference to an address",
    "Files below the folder of the first one are read, and nothing is fetched over a network: a check must say the same tomorrow.",
    "Keep a copy of it beside the file, and refer to that.",
    REFERRED("https://example.com/text.json"),
    REFERS,
  ),
  "ref-outside": error(
    "A reference out of the folder",
    "Files below the folder of the first file are read, and no others: a description of strangers must not read yours.",
    "Name a file above both, or move the other one below.",
    REFERRED("../text.yaml"),
    REFERS,
  ),
  "ref-file": error(
    "Another file cannot be read",
    "A file that a reference names is not there, or may not be read, or there are more than 1,000 of them.",
    "Mend the path; it counts from the file in which the reference stands.",
    REFERRED("text.yaml"),
    REFERS,
  ),
  "ref-circle": error(
    "References in a circle",
    "A reference leads back to itself, at once or by others, and never to a value. A schema may hold itself; it cannot be itself.",
    "Let one of them stand for a value.",
    REFERRED("#/components/schemas/Note"),
    REFERS,
  ),
} as const;

/** What is wrong with a file. */
export type ProblemCode = keyof typeof problemPages;
