/** Schemas: each visited once, with what it is used for; and the rules that count them. */
import type { AsyncMessage, Description, Media, Operation } from "../model/index.ts";
import { listAt, type MapNode, type Node, valueAt } from "../tree/index.ts";
import { isOfType, misfit, typesOf } from "./fits.ts";
import type { Rule } from "./rule.ts";

/** A schema object, and whether requests or answers reach it. */
export interface Used {
  readonly node: MapNode;
  /** Of the operations that reach it the one that tells most. */
  readonly owner?: Operation;
  inRequests: boolean;
  inAnswers: boolean;
}

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const ONE = [
  ...["items", "additionalProperties", "not", "if", "then", "else", "contains"],
  ...["propertyNames", "unevaluatedItems", "unevaluatedProperties", "additionalItems"],
  "contentSchema",
];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/** The schemas directly inside one; a reference gives what it leads to. */
function inside(node: MapNode, refs: Description["refs"]): Node[] {
  const found: Node[] = [];
  if (node.indexOf("$ref") >= 0) {
    const target = refs.follow(node);
    if (target !== undefined && target !== node) found.push(target);
  }
  node.keys.forEach((key, index) => {
    const value = node.values[index];
    if (value?.kind === "map" && ONE.includes(key)) found.push(value);
    else if (value?.kind === "list" && LISTS.includes(key)) found.push(...value.items);
    else if (value?.kind === "map" && MAPS.includes(key)) found.push(...value.values);
  });
  return found;
}

/**
 * Every schema of a description, in the order of the file; references are followed. Operations are
 * taken as they are ranked.
 */
export function schemasOf(description: Description, ranks: ReadonlyMap<Operation, number>): Used[] {
  const { refs, webhooks, schemas } = description;
  const used = new Map<MapNode, Used>();
  let owner: Operation | undefined;
  const reach = (roots: readonly (Node | undefined)[], as?: "inRequests" | "inAnswers"): void => {
    const left = roots.toReversed();
    while (left.length > 0) {
      const node = left.pop();
      if (node?.kind !== "map") continue;
      const known = used.get(node);
      if (known !== undefined && (as === undefined || known[as])) continue;
      const one = known ?? {
        node,
        ...(owner && { owner }),
        inRequests: false,
        inAnswers: false,
      };
      if (as !== undefined) one[as] = true;
      used.set(node, one);
      left.push(...inside(node, refs).toReversed());
    }
  };
  const of = (content: readonly Media[]): (Node | undefined)[] =>
    content.map((each) => each.schema);
  for (const operation of allOperations(ranks.keys())) {
    owner = ranks.has(operation) ? operation : owner;
    const { parameters, body, responses } = operation;
    reach(
      parameters.map((each) => each.schema),
      "inRequests",
    );
    reach(
      parameters.flatMap((each) => of(each.content)),
      "inRequests",
    );
    reach(of(body?.content ?? []), "inRequests");
    reach(
      responses.flatMap((each) => of(each.content)),
      "inAnswers",
    );
    reach(
      responses.flatMap((each) => each.headers.map(({ node }) => node.get("schema"))),
      "inAnswers",
    );
  }
  owner = undefined;
  for (const { node, as } of asyncSchemas(description)) reach([node], as);
  // What a webhook sends is told to the receiver, as an answer is.
  for (const { body } of webhooks) reach(of(body?.content ?? []), "inAnswers");
  reach(schemas.map((each) => each.node));
  return [...used.values()].sort(
    (a, b) => a.node.file - b.node.file || a.node.start - b.node.start,
  );
}

interface Carried {
  readonly node: Node;
  readonly as: "inRequests" | "inAnswers";
}

/** What messages carry: those that the service receives are its requests. */
function asyncSchemas({ async: model }: Description): Carried[] {
  const of = (messages: readonly AsyncMessage[], as: Carried["as"]): Carried[] =>
    messages
      .flatMap(({ payload, headers }) => [payload, headers])
      .flatMap((each) => (each?.language === "schema" ? [{ node: each.node, as }] : []));
  return (model?.operations ?? []).flatMap(({ action, messages, reply }) => [
    ...of(messages, action === "receive" ? "inRequests" : "inAnswers"),
    ...of(reply?.messages ?? [], action === "receive" ? "inAnswers" : "inRequests"),
  ]);
}

/** Operations, and those of their callbacks. */
function* allOperations(operations: Iterable<Operation>): Generator<Operation> {
  for (const each of operations) {
    yield each;
    for (const { operations: inner } of each.callbacks) yield* inner;
  }
}

const is = (node: MapNode, type: string): boolean => typesOf(node).includes(type);

const hasNone = (node: MapNode, keys: readonly string[]): boolean =>
  keys.every((key) => node.indexOf(key) < 0);

const RESOURCES = "Resources and their fields";

export const schemaRules: readonly Rule<Used>[] = [
  {
    code: "further-members",
    severity: "gap",
    part: RESOURCES,
    says: (n, of) =>
      `${n} of ${of} objects in requests do not say what becomes of members that they do not list.`,
    hint: "`additionalProperties: false` refuses them; `true` takes them.",
    question: "What becomes of a member that @ does not list: refused, ignored or kept?",
    applies: ({ it }) => it.inRequests && it.node.indexOf("properties") >= 0,
    met: ({ it: { node } }) =>
      hasNone(node, ["additionalProperties", "unevaluatedProperties"]) ? node : undefined,
  },
  {
    code: "nothing-required",
    severity: "gap",
    part: RESOURCES,
    says: (n, of) =>
      `${n} of ${of} objects in answers name no member that is always there (no \`required\`).`,
    question: "Which members are always there in @?",
    applies: ({ it }) => it.inAnswers && it.node.indexOf("properties") >= 0,
    met: ({ it: { node } }) => (node.indexOf("required") < 0 ? node : undefined),
  },
  {
    code: "text-length",
    severity: "gap",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} texts in requests state no greatest length.`,
    question: "How long may @ be?",
    applies: ({ it }) =>
      it.inRequests && is(it.node, "string") && hasNone(it.node, ["enum", "const", "format"]),
    met: ({ it: { node } }) => (hasNone(node, ["maxLength", "pattern"]) ? node : undefined),
  },
  {
    code: "number-range",
    severity: "gap",
    part: RESOURCES,
    says: (n, of) =>
      `${n} of ${of} numbers in requests state neither a least nor a greatest value.`,
    question: "Which numbers may @ be?",
    applies: ({ it }) =>
      it.inRequests &&
      (is(it.node, "integer") || is(it.node, "number")) &&
      hasNone(it.node, ["enum", "const"]),
    met: ({ it: { node } }) =>
      hasNone(node, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
        ? node
        : undefined,
  },
  {
    code: "list-length",
    severity: "gap",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} lists in requests state no greatest number of items.`,
    question: "How many items may @ have?",
    applies: ({ it }) => it.inRequests && is(it.node, "array"),
    met: ({ it: { node } }) => (hasNone(node, ["maxItems"]) ? node : undefined),
  },
  {
    code: "required-unlisted",
    severity: "warning",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} objects require a member that they do not list.`,
    applies: ({ it: { node } }) =>
      listAt(node, "required") !== undefined &&
      node.indexOf("properties") >= 0 &&
      hasNone(node, ["allOf", "anyOf", "oneOf", "$ref"]),
    met: ({ it: { node } }) => {
      const properties = node.get("properties");
      return listAt(node, "required")?.items.find(
        (each) =>
          each.kind === "scalar" &&
          typeof each.value === "string" &&
          properties?.kind === "map" &&
          properties.indexOf(each.value) < 0,
      );
    },
  },
  {
    code: "enum-type",
    severity: "error",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} enumerations list a value that is not of their type.`,
    applies: ({ it: { node } }) => listAt(node, "enum") !== undefined && typesOf(node).length > 0,
    met: ({ it: { node } }) => listAt(node, "enum")?.items.find((each) => !isOfType(each, node)),
  },
  {
    code: "default-outside",
    severity: "error",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} defaults are no value that their schema allows.`,
    applies: ({ it: { node } }) => node.indexOf("default") >= 0,
    met: ({ it: { node }, about }) => {
      const value = node.get("default");
      return value && misfit(about.refs, value, node) && node.keyPlace("default");
    },
  },
  {
    code: "bounds-crossed",
    severity: "error",
    part: RESOURCES,
    says: (n, of) => `${n} of ${of} ranges allow nothing: the least is above the greatest.`,
    applies: ({ it: { node } }) => BOUNDS.some(([low, high]) => bothOf(node, low, high)),
    met: ({ it: { node } }) => {
      const crossed = BOUNDS.find(
        ([low, high]) => Number(valueAt(node, low)) > Number(valueAt(node, high)),
      );
      return crossed && node.keyPlace(crossed[0]);
    },
  },
  {
    code: "beside-ref",
    severity: "warning",
    part: RESOURCES,
    says: (n, of) =>
      `${n} of ${of} references have members beside \`$ref\`, which this version ignores: what ` +
      `they state does not hold.`,
    hint: "Put the reference into `allOf`, and the members beside that.",
    applies: ({ it, about }) =>
      it.node.indexOf("$ref") >= 0 &&
      (/^(2|3\.0)/.test(about.description.version) || about.description.kind === "asyncapi"),
    met: ({ it: { node } }) =>
      node.keys.some((key) => key !== "$ref" && key !== "description" && key !== "summary")
        ? node
        : undefined,
  },
];

const BOUNDS = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

const bothOf = (node: MapNode, low: string, high: string): boolean =>
  typeof valueAt(node, low) === "number" && typeof valueAt(node, high) === "number";
