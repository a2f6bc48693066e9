/** Nothing is dropped in silence: a marker in each member of each object is found again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { unfolded } from "../../src/export/schemas/json.ts";
import { writtenDocument } from "../../src/openapi/index.ts";
import { exportedBytes } from "../export/exported.ts";
import { described } from "./described.ts";
import { type Json, type Marked, type Marker, Marking, type Way } from "./marked.ts";

/** Members that OpenAPI 3.1 says in other words, or that say nothing where they stand. */
const REWORDED = new Set([
  ...["nullable", "exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"].map(
    (name) => `Schema.${name}`,
  ),
]);

/** Pieces of the addresses of servers. */
const SERVER = new Set(["Root.host", "Root.basePath", "Root.schemes"]);

const at = (value: Json | undefined, way: Way): Json | undefined =>
  way.reduce<Json | undefined>(
    (found, name) => (found as { [name: string]: Json } | undefined)?.[name],
    value,
  );

/** A path's parameters are those of its operations. */
function moved(way: Way): Way {
  const found = way.lastIndexOf("parameters");
  const owner = way[found - 2];
  const isPaths = owner === "paths" || owner === "onM";
  return isPaths ? [...way.slice(0, found), "get", ...way.slice(found)] : way;
}

/** A flag of OpenAPI 3.0 that is a bound or a type since. */
const FLAGS: Readonly<Record<string, RegExp>> = {
  nullable: /"null"|"nullable": true/,
  exclusiveMaximum: /"exclusiveMaximum": (true|73)/,
  exclusiveMinimum: /"exclusiveMinimum": (true|73)/,
};

/** Texts by which a value is known. */
function textsOf(value: Json, name: string): string[] {
  if (typeof value === "object" && value !== null) {
    const all = Object.entries(value);
    const names = Array.isArray(value) ? [] : all.map(([key]) => JSON.stringify(key));
    return [...names, ...all.flatMap(([key, one]) => textsOf(one, key))];
  }
  return [typeof value === "boolean" ? `"${name}": ${value}` : JSON.stringify(value)];
}

/** An export without the text of the document that it comes from. */
const withoutText = (text: string): string =>
  text.replaceAll(/"x-lacuna-(section|parts)": (\{[^}]*\}|\[[^\]]*\])/g, "");

/** Markers that are not found at their place, or nowhere in the export. */
function lost({ edge, text, markers }: Marked, form: string, version: string): string[] {
  const document = Buffer.from(writtenDocument(described(text), "api.json"));
  const openapi = version.startsWith("3.2") ? "3.2" : "3.1";
  const written = exportedBytes("api.md", document, form, { openapi });
  // What an object may not have in that version stands beside it.
  const file = unfolded(JSON.parse(written)) as Json;
  const bare = withoutText(written);
  const isFound = ({ member, way, value }: Marker): boolean => {
    if (
      form === "openapi" &&
      version.startsWith("3.") &&
      !(version.startsWith("3.0") && REWORDED.has(member))
    ) {
      return isDeepStrictEqual(at(file, moved(way)), value);
    }
    const name = String(way.at(-1));
    const ofServer = SERVER.has(member) ? [value].flat().map(String) : [];
    if (ofServer.length > 0) return ofServer.every((one) => bare.includes(one));
    const flag = value === true ? FLAGS[name] : undefined;
    return flag?.test(bare) ?? textsOf(value, name).every((one) => bare.includes(one));
  };
  return markers.flatMap((each) => (isFound(each) ? [] : [`${edge}: ${each.member}`]));
}

const FORMS = [
  ["openapi", "3.0.4"],
  ["openapi", "3.1.1"],
  ["openapi", "3.2.0"],
  ["swagger", "2.0"],
  ["asyncapi", "2.6.0"],
  ["asyncapi", "3.0.0"],
] as const;

for (const [kind, version] of FORMS) {
  test(`each member of each object of ${kind} ${version} is found again`, () => {
    const all = new Marking(kind, version).all();
    assert.ok(all.length > 60);
    const form = kind === "asyncapi" ? kind : "openapi";
    const found = all.flatMap((each) => lost(each, form, kind === "swagger" ? "" : version));
    assert.deepEqual(found, []);
  });
}

test("members beside a reference are listed with their place", () => {
  const text = `openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /a:
    get:
      parameters:
        - {$ref: "#/components/parameters/P", description: outer marker}
      responses: {200: {description: A, content: {application/json: {schema: {$ref: "#/components/schemas/S", nullable: true}}}}}
components:
  parameters: {P: {name: p, in: query, schema: {nullable: true, exclusiveMinimum: true}}}
  schemas: {S: {type: object}}
`;
  const document = writtenDocument(described(text), "api.yaml");
  assert.match(document, /"at": "api\.yaml:7:11"[^}]*"outer marker"/);
  assert.match(
    document,
    /\{"\$ref": ?"#\/\$defs\/S", ?"x-lacuna-ignored": ?\{"nullable": ?true\}\}/,
  );
  const file = JSON.parse(exportedBytes("a.md", Buffer.from(document), "openapi"));
  const [parameter] = file.paths["/a"].get.parameters;
  const idle = { exclusiveMinimum: true, nullable: true };
  assert.deepEqual(parameter.schema["x-lacuna-ignored"], idle);
  assert.equal(parameter.schema.exclusiveMinimum, undefined);
});
