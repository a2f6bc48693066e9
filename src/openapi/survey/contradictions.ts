/** Rules about what is stated and cannot hold, or has no meaning that is defined. */
import type { Media, Operation, Parameter, Response } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place, textAt, valueAt } from "../tree/index.ts";
import { typesOf } from "./fits.ts";
import { asksForScopes, unknownScope } from "./requirements.ts";
import type { Known, Rule } from "./rule.ts";
import type { Used } from "./schemas.ts";

const ENDPOINTS = "Endpoints";
const RESOURCES = "Resources and their fields";

/** RFC 9110, 8.3.1: a type, a subtype, and parameters; `*` stands for any. */
const MEDIA_TYPE =
  /^(\*|[!#$&^_.+\w-]+)\/(\*|[!#$&^_.+\w*-]+)(\s*;\s*[!#$&^_.+\w*'-]+=("[^"]*"|[^\s;"]+))*\s*;?$/;

/** Styles by where a parameter stands: OpenAPI 3, Style Values. */
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ["matrix", "label", "simple"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** Where a parameter states a way to be written that is not defined. */
function undefinedStyle(
  { in: where, node, schema }: Parameter,
  { refs }: Known,
): Place | undefined {
  const style = textAt(node, "style");
  const known = STYLES[where];
  if (style !== undefined && known?.includes(style) === false) return node.keyPlace("style");
  if (valueAt(node, "allowEmptyValue") === true && where !== "query") {
    return node.keyPlace("allowEmptyValue");
  }
  const own = refs.map(schema);
  const types = own === undefined ? [] : typesOf(own);
  if (types.length !== 1) return undefined;
  const isList = types[0] === "array";
  const isObject = types[0] === "object";
  if (style === "deepObject" && !isObject) return node.keyPlace("style");
  const isDelimited = style === "spaceDelimited" || style === "pipeDelimited";
  return isDelimited && !isList && !isObject ? node.keyPlace("style") : undefined;
}

export const parameterContradictions: readonly Rule<Parameter>[] = [
  {
    code: "style-undefined",
    severity: "warning",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} parameters state a way to be written that OpenAPI does not define for their ` +
      `place and type.`,
    applies: ({ about }) => about.description.kind === "openapi",
    met: ({ it, about }) => undefinedStyle(it, about),
  },
];

export const operationContradictions: readonly Rule<Operation>[] = [
  {
    code: "parameter-case",
    severity: "warning",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} operations have two parameters in one place whose names differ by case alone.`,
    met: ({ it }) => {
      const seen = new Set<string>();
      for (const each of it.parameters) {
        const key = `${each.in} ${each.name.toLowerCase()}`;
        if (seen.has(key)) return each.place;
        seen.add(key);
      }
      return undefined;
    },
  },
  {
    code: "scope-unknown",
    severity: "error",
    part: "Authentication",
    says: (n, of) => `${n} of ${of} operations ask for a scope that their scheme does not list.`,
    applies: ({ it }) => asksForScopes(it),
    met: ({ it, about }) => unknownScope(it, about),
  },
];

export const responseContradictions: readonly Rule<Response>[] = [
  {
    code: "content-type-header",
    severity: "warning",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} answers with headers state \`Content-Type\` among them, which OpenAPI ` +
      `ignores.`,
    hint: "State the media type as the name of a member of `content`.",
    applies: ({ it, about }) => it.headers.length > 0 && about.description.kind === "openapi",
    met: ({ it }) => it.headers.find((each) => each.name.toLowerCase() === "content-type")?.place,
  },
];

export const mediaContradictions: readonly Rule<Media>[] = [
  {
    code: "media-type-wrong",
    severity: "error",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} bodies have a media type that is none (RFC 9110, 8.3.1).`,
    applies: ({ it }) => it.type !== undefined,
    met: ({ it }) => (MEDIA_TYPE.test(it.type ?? "") ? undefined : it.place),
  },
];

/** Alternatives that are looked at, and schemas inside `allOf` that each may have. */
const PARTS_MAX = 200;

/** Whether a schema, or what it is made of, has a property; true where that is not known. */
function hasProperty(schema: Node, name: string, { refs }: Known): boolean {
  const left: Node[] = [schema];
  for (let steps = 0; left.length > 0; steps += 1) {
    const node = refs.follow(left.pop());
    if (node?.kind !== "map" || steps > PARTS_MAX) return true;
    const properties = node.get("properties");
    if (properties?.kind === "map" && properties.indexOf(name) >= 0) return true;
    for (const key of ["allOf", "anyOf", "oneOf"]) left.push(...(listAt(node, key)?.items ?? []));
    if (node.indexOf("$dynamicRef") >= 0) return true;
  }
  return false;
}

/** Where a discriminator names a property that one of the variants does not have. */
function lacking(node: MapNode, about: Known): Place | undefined {
  const own = node.get("discriminator");
  const name = own?.kind === "scalar" ? own.value : textAt(own, "propertyName");
  if (typeof name !== "string") return undefined;
  const variants = ["oneOf", "anyOf"].flatMap((key) => listAt(node, key)?.items ?? []);
  if (variants.length === 0) {
    return hasProperty(node, name, about) ? undefined : node.keyPlace("discriminator");
  }
  const isOutside = node.indexOf("properties") < 0 || !hasOwn(node, name);
  const found = variants.slice(0, PARTS_MAX).find((each) => !hasProperty(each, name, about));
  return isOutside ? found : undefined;
}

function hasOwn(node: MapNode, name: string): boolean {
  const properties = node.get("properties");
  return properties?.kind === "map" && properties.indexOf(name) >= 0;
}

export const schemaContradictions: readonly Rule<Used>[] = [
  {
    code: "discriminator-missing",
    severity: "error",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} discriminators name a property that a variant does not have.`,
    applies: ({ it: { node } }) => node.indexOf("discriminator") >= 0,
    met: ({ it: { node }, about }) => lacking(node, about),
  },
  {
    code: "required-read-only",
    severity: "warning",
    part: RESOURCES,
    says: (n, of) =>
      `${n} of ${of} objects that only requests have require a member that is \`readOnly\`: it ` +
      `must be sent, and must not.`,
    applies: ({ it }) =>
      it.inRequests && !it.inAnswers && listAt(it.node, "required") !== undefined,
    met: ({ it: { node }, about }) => {
      const properties = node.get("properties");
      if (properties?.kind !== "map") return undefined;
      return listAt(node, "required")?.items.find(
        (each) =>
          each.kind === "scalar" &&
          valueAt(about.refs.map(properties.get(String(each.value))), "readOnly") === true,
      );
    },
  },
];
