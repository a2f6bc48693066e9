/** Operations of OpenAPI and Swagger: parameters, bodies, answers, who may ask. */
import { type ListNode, listAt, type MapNode, type Node, textAt, valueAt } from "../tree/index.ts";
import type { Reader } from "./reader.ts";
import type { Body, Kind, Media, Operation, Parameter, Requirement, Response } from "./types.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/** What all operations of a file have in common. */
export interface About {
  readonly kind: Kind;
  readonly version: string;
  readonly root: MapNode;
  readonly reader: Reader;
  /** The paths that are being read: a callback may lead back to one. */
  readonly open: Set<MapNode>;
  /** How many callbacks were read: references can make many of few. */
  readonly read: { callbacks: number };
}

/** Callbacks of one file; more are of one that was made to have no end. */
const CALLBACKS_MAX = 20_000;

/** The methods that the language has as members of a path. */
export function methodsOf({ kind, version }: Pick<About, "kind" | "version">): readonly string[] {
  if (kind === "swagger") return METHODS;
  return /^3\.[01]/.test(version) ? [...METHODS, "trace"] : [...METHODS, "trace", "query"];
}

/** The operations of one path, or of one callback or webhook. */
export function operationsOf(about: About, path: string, item: MapNode): Operation[] {
  const { open, reader } = about;
  if (open.has(item)) {
    reader.tell("ref-circle", item, "A callback leads back to the path that it belongs to.");
    return [];
  }
  open.add(item);
  const found = operationsIn(about, path, item);
  open.delete(item);
  return found;
}

function operationsIn(about: About, path: string, item: MapNode): Operation[] {
  const { reader } = about;
  const found: Operation[] = [];
  for (const method of methodsOf(about)) {
    const index = item.indexOf(method);
    if (index < 0) continue;
    const node = reader.refs.follow(item.values[index]);
    if (node?.kind === "map") found.push(operationOf(about, { path, method, item, node }));
    else if (node !== undefined) {
      reader.tell("malformed", item.keyPlace(method), `\`${method}\` is an object.`);
    }
  }
  const more = item.indexOf("additionalOperations") < 0 || /^3\.[01]/.test(about.version);
  const others = more ? [] : reader.named(reader.map(item, "additionalOperations"));
  for (const { name, node } of others) {
    found.push(operationOf(about, { path, method: name, item, node }));
  }
  return found;
}

interface Found {
  readonly path: string;
  readonly method: string;
  readonly item: MapNode;
  readonly node: MapNode;
}

function operationOf(about: About, { path, method, item, node }: Found): Operation {
  const all = merged(about, parametersOf(about, item), parametersOf(about, node));
  const body = about.kind === "swagger" ? swaggerBody(about, node, all) : bodyOf(about, node);
  const security = securityOf(about, node);
  return {
    method: method.toUpperCase(),
    path,
    node,
    place: item.indexOf(method) < 0 ? node : item.keyPlace(method),
    item,
    parameters: all,
    ...(body === undefined ? {} : { body }),
    responses: responsesOf(about, node),
    ...(security === undefined ? {} : { security }),
    callbacks: callbacksOf(about, node),
  };
}

const keyOf = (each: Parameter): string => `${each.in} ${each.name}`;

/** An operation's own parameter takes the place of the path's with its name and place. */
function merged(
  { reader }: About,
  outer: readonly Parameter[],
  own: readonly Parameter[],
): Parameter[] {
  const found = new Map<string, Parameter>();
  const add = (each: Parameter, from: ReadonlySet<string>): void => {
    const key = keyOf(each);
    if (from.has(key)) {
      reader.tell(
        "parameter-twice",
        each.place,
        `The ${each.in} parameter \`${each.name}\` stands twice.`,
      );
    }
    found.set(key, each);
  };
  const seen = new Set<string>();
  for (const list of [outer, own]) {
    seen.clear();
    for (const each of list) {
      add(each, seen);
      seen.add(keyOf(each));
    }
  }
  return [...found.values()];
}

function parametersOf(about: About, owner: MapNode): Parameter[] {
  const { reader } = about;
  const found: Parameter[] = [];
  for (const item of reader.list(owner, "parameters")?.items ?? []) {
    const node = reader.refs.follow(item);
    if (node === undefined) continue;
    const parameter = node.kind === "map" ? parameterOf(about, node) : undefined;
    if (parameter !== undefined) found.push(parameter);
    else reader.tell("malformed", item, "A parameter is an object with `name` and `in`.");
  }
  return found;
}

function parameterOf(about: About, node: MapNode): Parameter | undefined {
  const name = textAt(node, "name");
  const where = textAt(node, "in");
  if (name === undefined || where === undefined) return undefined;
  const isOwn = about.kind === "swagger" && where !== "body";
  const schema = isOwn ? node : node.get("schema");
  return {
    name,
    in: where,
    required: valueAt(node, "required") === true,
    node,
    place: node,
    ...(schema === undefined ? {} : { schema }),
    content: about.kind === "swagger" ? [] : contentOf(about, node),
  };
}

/** The media types of a body, an answer or a parameter. */
function contentOf({ reader }: About, owner: MapNode): Media[] {
  return reader.named(reader.map(owner, "content")).map(({ name, node, place }) => {
    const schema = node.get("schema") ?? node.get("itemSchema");
    return { type: name, place, node, ...(schema === undefined ? {} : { schema }) };
  });
}

function bodyOf(about: About, operation: MapNode): Body | undefined {
  const node = about.reader.map(operation, "requestBody");
  if (node === undefined) return undefined;
  const required = valueAt(node, "required") === true;
  return { required, node, place: node, content: contentOf(about, node), form: [] };
}

/** The texts of a list that an operation states, or the file for it. */
function textsOf(about: About, operation: MapNode, key: string): string[] | undefined {
  const list = listAt(operation, key) ?? listAt(about.root, key);
  return list?.items.flatMap((each) =>
    each.kind === "scalar" && typeof each.value === "string" ? [each.value] : [],
  );
}

function swaggerBody(
  about: About,
  operation: MapNode,
  all: readonly Parameter[],
): Body | undefined {
  const body = all.find((each) => each.in === "body");
  const form = all.filter((each) => each.in === "formData");
  const first = body ?? form[0];
  if (first === undefined) return undefined;
  const types = textsOf(about, operation, "consumes") ?? [];
  const { schema } = first;
  const content = (types.length === 0 ? [undefined] : types).map((type): Media => {
    const own = body === undefined || schema === undefined ? {} : { schema };
    return { type, place: first.place, ...own };
  });
  const required = body?.required ?? form.some((each) => each.required);
  return { required, place: first.place, content, form, ...(body && { node: body.node }) };
}

function responsesOf(about: About, operation: MapNode): Response[] {
  const { reader } = about;
  return reader.named(reader.map(operation, "responses"), "fixed").map(({ name, node, place }) => ({
    status: name,
    node,
    place,
    headers: reader.named(reader.map(node, "headers")),
    content:
      about.kind === "swagger" ? swaggerContent(about, operation, node) : contentOf(about, node),
    links: about.kind === "swagger" ? [] : reader.named(reader.map(node, "links")),
  }));
}

function swaggerContent(about: About, operation: MapNode, response: MapNode): Media[] {
  const schema: Node | undefined = response.get("schema");
  if (schema === undefined) return [];
  const types = textsOf(about, operation, "produces") ?? [];
  const place = response.keyPlace("schema");
  return (types.length === 0 ? [undefined] : types).map((type) => ({ type, place, schema }));
}

/** What operations that state no security of their own have: one list for all of them. */
const inherited = new WeakMap<MapNode, readonly Requirement[] | undefined>();

function securityOf(about: About, operation: MapNode): readonly Requirement[] | undefined {
  const { reader, root } = about;
  const own = reader.list(operation, "security");
  if (own !== undefined) return requirementsIn(about, own);
  if (!inherited.has(root)) {
    const list = reader.list(root, "security");
    inherited.set(root, list && requirementsIn(about, list));
  }
  return inherited.get(root);
}

function requirementsIn({ reader }: About, { items }: ListNode): readonly Requirement[] {
  return items.flatMap((item) => {
    const node = reader.refs.map(item);
    return node === undefined ? [] : [requirementOf(node)];
  });
}

function requirementOf(node: MapNode): Requirement {
  return node.keys.map((scheme, index) => {
    const scopes = node.values[index];
    const items = scopes?.kind === "list" ? scopes.items : [];
    return {
      scheme,
      scopes: items.flatMap((each) => (each.kind === "scalar" ? [String(each.value)] : [])),
      place: node.keyPlace(scheme),
    };
  });
}

function callbacksOf(about: About, operation: MapNode): Operation["callbacks"] {
  if (about.kind === "swagger") return [];
  const { reader, read } = about;
  return reader.named(reader.map(operation, "callbacks")).map(({ name, node, place }) => {
    read.callbacks += 1;
    const isRead = read.callbacks <= CALLBACKS_MAX;
    if (read.callbacks === CALLBACKS_MAX + 1) {
      reader.tell("ref-circle", place, `More than ${CALLBACKS_MAX} callbacks are not read.`);
    }
    const paths = isRead ? reader.named(node, "fixed") : [];
    return { name, operations: paths.flatMap((one) => operationsOf(about, one.name, one.node)) };
  });
}
