/** The documents that raw requests are sent at, with requests that are in order for each. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check, plan } from "../../src/check/index.ts";
import { type Plan, segmentText } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { parseExample } from "../../src/spec/index.ts";
import type { Seed } from "../hostile/targets.ts";
import { exampleNames } from "../served/example.ts";
import { EVERY } from "./every.ts";

export interface RawDocument {
  readonly name: string;
  readonly plan: Plan;
  readonly seeds: readonly Seed[];
}

const FOLDER = fileURLToPath(new URL("../../examples/", import.meta.url));

const VERSION = ["Api-Version", "1.0.0"] as const;
const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Requests of the document in which nothing is left out. */
const EVERY_SEEDS: readonly Seed[] = [
  { method: "POST", path: "/things", headers: [VERSION, JSON_TYPE], body: `{"name":"ab"}` },
  {
    method: "POST",
    path: "/things",
    headers: [VERSION, JSON_TYPE],
    body: `{"name":"boss","note":"n","code":"b","kind":"blue","count":2,"tags":["a","b"]}`,
  },
  { method: "GET", path: "/things?named=ab&limit=3", headers: [VERSION] },
  {
    method: "PATCH",
    path: "/things/t_1",
    headers: [VERSION, JSON_TYPE, ["Authorization", "Bearer x"]],
    body: `{"note":"m"}`,
  },
  { method: "DELETE", path: "/things/t_1", headers: [VERSION] },
];

/** What an example asks in its `http` blocks; what it captures is not known here. */
function asked(text: string): Seed[] {
  return [...text.matchAll(/^```http[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    parseExample(block).exchanges.map(({ request }): Seed => {
      const known = (one: string): string => one.replaceAll(/\{\{[^}]*\}\}/g, "x");
      return {
        method: request.method.text,
        path: known(request.target.text),
        headers: request.headers.map(({ name, value }) => [name.text, known(value.text)] as const),
        ...(request.body === undefined ? {} : { body: known(request.body.text) }),
      };
    }),
  );
}

/** One request for each endpoint and stream, with nothing but its method and path. */
function bare({ endpoints, streams }: Plan): Seed[] {
  const made = endpoints.map(({ method, path }): Seed => {
    const segments = path.map((one) => segmentText(one).replace(/\{.*\}/, "x"));
    return { method, path: `/${segments.join("/")}`, headers: [] };
  });
  return streams.length === 0 ? made : [...made, { method: "GET", path: "/stream", headers: [] }];
}

function documentOf(name: string, text: string, further: readonly Seed[]): RawDocument {
  const planned = plan(check(read(Buffer.from(text))));
  if (planned === undefined) throw new Error(`there is no plan of ${name}`);
  const nothing: Seed = { method: "GET", path: "/", headers: [] };
  return { name, plan: planned.plan, seeds: [nothing, ...further, ...bare(planned.plan)] };
}

/** The document with a row for every condition, and the examples: one of them shows nothing. */
export function rawDocuments(): readonly RawDocument[] {
  const examples = exampleNames().map((name) => {
    const text = readFileSync(`${FOLDER}${name}/spec.md`, "utf8");
    return documentOf(name, text, asked(text));
  });
  return [documentOf("every condition", EVERY, EVERY_SEEDS), ...examples];
}
