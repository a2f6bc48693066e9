/** A file to a description: which language it is in, and what it holds. */
import { type MapNode, type Node, type Problem, Unreadable } from "../tree/index.ts";
import type { AsyncModel } from "./async-types.ts";
import { asyncOf } from "./asyncapi.ts";
import { Files, type Load } from "./files.ts";
import { type About, operationsOf } from "./operations.ts";
import { Reader } from "./reader.ts";
import { Refs } from "./refs.ts";
import type { Description, Kind, NamedSchema, Operation, Source } from "./types.ts";

/** The language and version that a root names; undefined: it names none. */
export function kindOf(root: Node): { kind: Kind; version: string } | undefined {
  if (root.kind !== "map") return undefined;
  for (const kind of ["openapi", "swagger", "asyncapi"] as const) {
    const value = root.get(kind);
    if (value?.kind !== "scalar" || value.value === null) continue;
    // `swagger: 2.0` without quotes is the number 2.
    const version = value.value === 2 ? "2.0" : String(value.value);
    return { kind, version };
  }
  return undefined;
}

const READ: Readonly<Record<Kind, RegExp>> = {
  openapi: /^3\.[0-2](\.|$)/,
  swagger: /^2\.0$/,
  asyncapi: /^(2\.[0-6]|3\.\d+)(\.|$)/,
};

/**
 * Reads a file, and those that it refers to through `load`. Throws `Unreadable` where the file is
 * no well-formed JSON or YAML, or names no language of these, or a version that is not read.
 */
export function describe(name: string, bytes: Uint8Array, load: Load): Description {
  const files = new Files(load);
  const root = files.first(name, bytes);
  const found = kindOf(root);
  const place = { file: 0, start: root.start, end: root.start + 1 };
  if (found === undefined || root.kind !== "map") {
    throw new Unreadable({
      code: "no-description",
      message: "The file names none of `openapi`, `swagger` and `asyncapi` at its top.",
      hint: "A member such as `openapi: 3.1.1` says which language a description is in.",
      place,
    });
  }
  if (!READ[found.kind].test(found.version)) {
    throw new Unreadable({
      code: "other-version",
      message: `\`${found.kind}: ${found.version}\` is not read.`,
      hint: "There are OpenAPI 3.0, 3.1 and 3.2, Swagger 2.0, and AsyncAPI 2.0 to 2.6 and 3.",
      place: root.get(found.kind) ?? place,
    });
  }
  return descriptionOf(files, root, found);
}

function descriptionOf(
  files: Files,
  root: MapNode,
  { kind, version }: { kind: Kind; version: string },
): Description {
  const refs = new Refs(files);
  const reader = new Reader(refs);
  const about: About = {
    ...{ kind, version, root, reader },
    open: new Set(),
    read: { callbacks: 0 },
  };
  const operations = kind === "asyncapi" ? [] : pathsOf(about);
  const webhooks = kind === "openapi" ? webhooksOf(about) : [];
  const components = kind === "swagger" ? root : reader.map(root, "components");
  const schemas = schemasOf(reader, components, kind === "swagger" ? "definitions" : "schemas");
  const schemeKey = kind === "swagger" ? "securityDefinitions" : "securitySchemes";
  const securitySchemes = reader.named(reader.map(components, schemeKey));
  const base = {
    ...{ kind, version, files, refs, root, operations, webhooks, schemas, securitySchemes },
    ...(kind === "asyncapi" && { async: asyncOf(root, version, reader) }),
  };
  const problems = (): Problem[] => [...reader.problems, ...refs.problems];
  return { ...base, problems, source: count(base) };
}

function pathsOf(about: About): Operation[] {
  const { reader, root } = about;
  const paths = reader.map(root, "paths");
  return reader.named(paths, "fixed").flatMap(({ name, node }) => operationsOf(about, name, node));
}

function webhooksOf(about: About): Operation[] {
  const { reader, root, version } = about;
  if (version.startsWith("3.0")) return [];
  return reader
    .named(reader.map(root, "webhooks"))
    .flatMap(({ name, node }) => operationsOf(about, name, node));
}

function schemasOf(reader: Reader, owner: MapNode | undefined, key: string): NamedSchema[] {
  const all = reader.map(owner, key);
  return (
    all?.keys.map((name, index) => ({
      name,
      node: all.values[index] as Node,
      place: all.keyPlace(name),
    })) ?? []
  );
}

function count(about: Omit<Description, "source" | "problems">): Source {
  const { kind, version, operations, webhooks, schemas, securitySchemes } = about;
  const sum = (of: (each: Operation) => number): number =>
    operations.reduce((total, each) => total + of(each), 0);
  return {
    kind,
    version,
    operations: operations.length,
    parameters: sum((each) => each.parameters.length),
    schemas: schemas.length,
    responses: sum((each) => each.responses.length),
    securitySchemes: securitySchemes.length,
    webhooks: new Set(webhooks.map((each) => each.path)).size,
    callbacks: sum((each) => each.callbacks.length),
    ...(about.async && countAsync(about.async)),
  };
}

function countAsync({ operations }: AsyncModel): Partial<Source> {
  const parameters = operations.map(({ channel }) => channel?.parameters.length ?? 0);
  return {
    operations: operations.length,
    parameters: parameters.reduce((total, each) => total + each, 0),
    responses: operations.filter(({ reply }) => reply !== undefined).length,
  };
}
