/** Judges the schemas of a document before a value comes: shapes, what is refused, references. */
import { nearest, type Span } from "../base/index.ts";
import { decimalOf, isWhole } from "./decimal.ts";
import { DIALECT, keywords, refused, type Shape } from "./keywords.ts";
import { readPattern } from "./pattern.ts";
import type { Places, ReadJson } from "./read.ts";
import { readReference, referenceTo, schemaAt, schemasIn } from "./refs.ts";
import { isList, isNumber, isObject, type Tree, type TreeObject } from "./tree.ts";

/** A schema of a document, read. `shown`: whether its text is there; a gap holds anything. */
interface SchemaRead {
  readonly name: string;
  readonly read: ReadJson | undefined;
}

/** What is wrong with a schema, at a place in its text. */
export interface SchemaProblem {
  readonly kind: "invalid" | "refused" | "reference" | "pattern" | "endless";
  /** The schema, as it is named. */
  readonly schema: string;
  readonly span: Span;
  readonly message: string;
  readonly hint?: string;
}

interface Judging {
  readonly all: ReadonlyMap<string, SchemaRead>;
  readonly anchors: Map<string, TreeObject>;
  readonly problems: SchemaProblem[];
  /** Where each `$ref` that leads somewhere leads to. */
  readonly targets: Map<TreeObject, Tree>;
  readonly nearest: (word: string, words: Iterable<string>) => string | undefined;
}

interface At {
  readonly judging: Judging;
  readonly schema: string;
  readonly places: Places;
}

/** Tells one problem at a keyword, or at what stands in it. */
function tell(
  at: At,
  [holder, key]: readonly [TreeObject, string],
  problem: Omit<SchemaProblem, "schema" | "span">,
): void {
  const { judging, schema, places } = at;
  const isValue = problem.kind === "reference";
  const span = isValue ? places.valueOf(holder, key) : places.nameOf(holder, key);
  judging.problems.push({ schema, span, ...problem });
}

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
const isText = (value: Tree): value is string => typeof value === "string";
const isSchema = (value: Tree): boolean => typeof value === "boolean" || isObject(value);
const isCount = (value: Tree): boolean => {
  if (!isNumber(value)) return false;
  const own = decimalOf(value.numberText);
  return isWhole(own) && !own.negative;
};
const areTexts = (value: Tree): boolean =>
  isList(value) && value.every(isText) && new Set(value).size === value.length;
const areTypes = (value: Tree): boolean =>
  isText(value)
    ? TYPES.includes(value)
    : areTexts(value) &&
      (value as readonly string[]).length > 0 &&
      (value as readonly string[]).every((one) => TYPES.includes(one));
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;

/** What must stand at a keyword of each shape, and whether it does. */
const shapes: Readonly<Record<Shape, readonly [string, (value: Tree) => boolean]>> = {
  schema: ["a schema: an object, `true` or `false`", isSchema],
  "list of schemas": [
    "an array of at least one schema",
    (value) => isList(value) && value.length > 0 && value.every(isSchema),
  ],
  "map of schemas": [
    "an object whose members are schemas",
    (value) => isObject(value) && [...value.values()].every(isSchema),
  ],
  "map of patterns": [
    "an object whose members are schemas, named by patterns",
    (value) => isObject(value) && [...value.values()].every(isSchema),
  ],
  text: ["a text", isText],
  pattern: ["a text", isText],
  reference: ["a text", isText],
  dialect: ["a text", isText],
  anchor: [
    "a name: a letter or `_`, then letters, digits, `-`, `_` or `.`",
    (value) => isText(value) && ANCHOR.test(value),
  ],
  texts: ["an array of texts, each once", areTexts],
  "map of texts": [
    "an object whose members are arrays of texts, each once",
    (value) => isObject(value) && [...value.values()].every(areTexts),
  ],
  count: ["a whole number, zero or more", isCount],
  number: ["a number", isNumber],
  "number above 0": [
    "a number above zero",
    (value) => isNumber(value) && decimalOf(value.numberText).digits !== "" && !isNegative(value),
  ],
  boolean: ["`true` or `false`", (value) => typeof value === "boolean"],
  any: ["a value", () => true],
  list: ["an array", isList],
  types: [`one of ${TYPES.join(", ")}, or an array of them, each once`, areTypes],
};

const isNegative = (value: Tree): boolean =>
  isNumber(value) && decimalOf(value.numberText).negative;

function tellPattern(at: At, place: readonly [TreeObject, string], pattern: string): void {
  const read = readPattern(pattern);
  if (read.ok) return;
  tell(at, place, {
    kind: "pattern",
    message: `The pattern \`${pattern.slice(0, 200)}\` is not RE2 syntax: ${read.message}.`,
    hint: "Patterns never go back: no references back, no look-around, at most 1,000 repeats.",
  });
}

/** Judges one keyword's value beyond its shape. */
function judgeValue(at: At, holder: TreeObject, keyword: string, value: Tree): void {
  const place = [holder, keyword] as const;
  const shape = keywords.get(keyword)?.shape;
  if (shape === "pattern") tellPattern(at, place, value as string);
  else if (shape === "map of patterns") {
    const members = value as TreeObject;
    for (const pattern of members.keys()) tellPattern(at, [members, pattern], pattern);
  } else if (shape === "dialect" && value !== DIALECT && value !== `${DIALECT}#`) {
    tell(at, place, {
      kind: "refused",
      message: `Schemas are in JSON Schema 2020-12, not in the dialect \`${value as string}\`.`,
      hint: `Write the schema in 2020-12, and \`"$schema": "${DIALECT}"\` or nothing.`,
    });
  } else if (shape === "anchor") {
    const { anchors } = at.judging;
    if (anchors.get(value as string) !== holder) {
      tell(at, place, {
        kind: "invalid",
        message: `The anchor \`${value as string}\` stands in this document already.`,
        hint: "Give one of the two another name.",
      });
    }
  }
}

function judgeSchema(at: At, node: TreeObject): void {
  for (const [keyword, value] of node) {
    const instead = refused.get(keyword);
    if (instead !== undefined) {
      tell(at, [node, keyword], {
        kind: "refused",
        message: `\`${keyword}\` is not expressed here.`,
        hint: instead,
      });
      continue;
    }
    const known = keywords.get(keyword);
    if (known === undefined) continue;
    const [what, isRight] = shapes[known.shape];
    if (isRight(value)) judgeValue(at, node, keyword, value);
    else {
      tell(at, [node, keyword], {
        kind: "invalid",
        message: `\`${keyword}\` holds no value that JSON Schema 2020-12 lets it hold.`,
        hint: `Write ${what}.`,
      });
    }
  }
}

/** The schema that a `$ref` leads to; tells what is wrong with it. */
function follow(at: At, node: TreeObject): Tree | undefined {
  const { judging } = at;
  const text = node.get("$ref");
  if (typeof text !== "string") return undefined;
  const wrong = (message: string, hint: string): undefined => {
    tell(at, [node, "$ref"], { kind: "reference", message, hint });
    return undefined;
  };
  const read = readReference(text);
  if (read.is === "wrong") {
    return wrong(`The reference \`${text}\` ${read.message}.`, "Write `#/$defs/NAME`.");
  }
  if (read.is === "anchor") {
    const found = judging.anchors.get(read.anchor);
    if (found !== undefined) return found;
    const near = judging.nearest(read.anchor, judging.anchors.keys());
    return wrong(`There is no \`$anchor\` \`${read.anchor}\`.`, nearestHint(near && `#${near}`));
  }
  const schema = judging.all.get(read.name);
  if (schema === undefined) {
    const near = judging.nearest(read.name, judging.all.keys());
    return wrong(
      `There is no schema \`${read.name}\`.`,
      nearestHint(near === undefined ? undefined : referenceTo(near)),
    );
  }
  if (schema.read?.ok !== true) return undefined;
  const target = schemaAt(schema.read.value, read.path);
  if (target !== undefined) return target;
  return wrong(
    `No schema stands at \`/${read.path.join("/")}\` in the schema \`${read.name}\`.`,
    "Only schemas can be referred to; give that one a heading of its own.",
  );
}

const nearestHint = (near: string | undefined): string =>
  near === undefined ? "Write `#/$defs/NAME` with the name in a heading." : `Nearest: \`${near}\`.`;

/** All objects that are schemas in one text, in its order. */
function nodesOf(root: Tree): TreeObject[] {
  const found: TreeObject[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isObject(node)) continue;
    found.push(node);
    const inner = schemasIn(node);
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i]?.schema ?? true);
  }
  return found;
}

/** What judges the same value as `node` does. */
function appliedToItself({ targets }: Judging, node: TreeObject): TreeObject[] {
  const found: TreeObject[] = [];
  for (const { keyword, schema } of schemasIn(node)) {
    if (isObject(schema) && keywords.get(keyword)?.applied === "itself") found.push(schema);
  }
  const target = targets.get(node);
  if (isObject(target)) found.push(target);
  return found;
}

/** Schemas that may judge one value within one another. */
const WITHIN_MAX = 200;

interface Walked {
  readonly node: TreeObject;
  readonly next: TreeObject[];
  /** How many schemas stand within one another from here on. */
  within: number;
}

/** Reports schemas that come back to themselves on the same value, or that stand too deep. */
function tellEndless(judging: Judging, ats: ReadonlyMap<TreeObject, At>): void {
  /** Zero: it is being looked at. */
  const within = new Map<TreeObject, number>();
  const enter = (node: TreeObject): Walked => {
    within.set(node, 0);
    return { node, next: appliedToItself(judging, node), within: 1 };
  };
  for (const start of ats.keys()) {
    const trail = within.has(start) ? [] : [enter(start)];
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const next = top.next.pop();
      const known = next && within.get(next);
      if (next === undefined) {
        within.set(top.node, top.within);
        trail.pop();
        const outer = trail.at(-1);
        if (outer !== undefined) outer.within = Math.max(outer.within, top.within + 1);
        if (top.within === WITHIN_MAX + 1) tellCircle(ats, top.node, TOO_DEEP);
      } else if (known === undefined) trail.push(enter(next));
      else if (known === 0) tellCircle(ats, top.node, CIRCLE);
      else top.within = Math.max(top.within, known + 1);
    }
  }
}

const CIRCLE = {
  message: "This schema leads back to itself on the same value: nothing is ever judged.",
  hint: "Refer to it from a member or an item of what it describes.",
};
const TOO_DEEP = {
  message: `More than ${WITHIN_MAX} schemas stand within one another here, on the same value.`,
  hint: "Refer to what is meant directly.",
};

function tellCircle(
  ats: ReadonlyMap<TreeObject, At>,
  node: TreeObject,
  told: Pick<SchemaProblem, "message" | "hint">,
): void {
  const at = ats.get(node);
  if (at === undefined) return;
  const keyword = node.has("$ref") ? "$ref" : (schemasIn(node)[0]?.keyword ?? "");
  tell(at, [node, keyword], { kind: "endless", ...told });
}

/**
 * What is wrong with the schemas of a document. Linear in their text. `near`: finds the name that
 * was meant.
 */
export function judgeSchemas(
  all: readonly SchemaRead[],
  near: Judging["nearest"] = (word, words) => nearest(word, [...words]),
): SchemaProblem[] {
  const judging: Judging = {
    all: new Map(all.map((one) => [one.name, one])),
    anchors: new Map(),
    problems: [],
    targets: new Map(),
    nearest: near,
  };
  const ats = new Map<TreeObject, At>();
  for (const { name, read } of all) {
    if (read === undefined) continue;
    if (!read.ok) {
      judging.problems.push({
        kind: "invalid",
        schema: name,
        span: read.span,
        message: `This is not JSON: ${read.message}.`,
      });
      continue;
    }
    if (!isSchema(read.value)) {
      judging.problems.push({
        kind: "invalid",
        schema: name,
        span: { start: 0, end: 1 },
        message: "A schema is an object, `true` or `false`.",
      });
    }
    const at: At = { judging, schema: name, places: read.places };
    for (const node of nodesOf(read.value)) {
      ats.set(node, at);
      const anchor = node.get("$anchor");
      if (typeof anchor === "string" && !judging.anchors.has(anchor)) {
        judging.anchors.set(anchor, node);
      }
    }
  }
  for (const [node, at] of ats) {
    judgeSchema(at, node);
    const target = follow(at, node);
    if (target !== undefined) judging.targets.set(node, target);
  }
  tellEndless(judging, ats);
  return judging.problems;
}
