/** The two descriptions that are compared, and what is known of their values. */
import type { Description, Named } from "../model/index.ts";
import { type Node, type Place, textAt } from "../tree/index.ts";

/** One of the two. */
export class Side {
  readonly description: Description;
  /** Names of schemas, by the value that each names. */
  readonly names = new Map<Node, string>();
  private readonly byName = new Map<string, Node>();
  readonly schemes: ReadonlyMap<string, Named>;
  /** Whether other members beside a `$ref` say something: from OpenAPI 3.1 on. */
  readonly hasSiblings: boolean;
  private readonly isJson: boolean[] = [];

  constructor(description: Description) {
    this.description = description;
    const { kind, version, schemas } = description;
    this.hasSiblings = kind === "openapi" && !version.startsWith("3.0");
    this.schemes = new Map(description.securitySchemes.map((each) => [each.name, each]));
    for (const { name, node } of schemas) {
      this.byName.set(name, node);
      const found = this.follow(node);
      if (found === node) this.names.set(node, name);
    }
  }

  /** Where references lead, if they lead anywhere. */
  follow(node: Node): Node | undefined {
    return this.description.refs.follow(node);
  }

  /** The value that a node stands for, where nothing else is said beside its reference. */
  resolve(node: Node): Node {
    if (node.kind !== "map" || textAt(node, "$ref") === undefined) return node;
    if (this.hasSiblings && node.keys.length > 1) return node;
    return this.follow(node) ?? node;
  }

  /** The schema that a text names: by a reference, or by its name. */
  named(node: Node): Node | undefined {
    if (node.kind !== "scalar" || typeof node.value !== "string") return undefined;
    return this.byName.get(node.value) ?? this.description.refs.target(node.value, node).node;
  }

  /** The text of a value, as it is written; undefined where its meaning may stand elsewhere. */
  textOf({ file, start, end }: Place): string | undefined {
    const { text } = this.description.files.all[file] ?? { text: "" };
    // An alias of YAML stands for what is written elsewhere.
    this.isJson[file] ??= /^\s*[{[]/.test(text.slice(0, 4096));
    return this.isJson[file] ? text.slice(start, end) : undefined;
  }
}

export interface World {
  readonly before: Side;
  readonly now: Side;
  /** Whether both are in one language: the same text means the same. */
  readonly isOneDialect: boolean;
}

/** Length of a text up to which two values are compared as texts first. */
const TEXT_MAX = 2000;

/** Whether two values are the same text, in which nothing refers to another place. */
export function isSameText({ before, now, isOneDialect }: World, a: Node, b: Node): boolean {
  const length = a.end - a.start;
  if (!isOneDialect || length !== b.end - b.start || length > TEXT_MAX) return false;
  const text = before.textOf(a);
  return (
    text !== undefined && text === now.textOf(b) && !text.includes('Ref"') && !text.includes("$ref")
  );
}

/** Whether two values are the same, in whatever order members stand. */
export function isSameValue(a: Node | undefined, b: Node | undefined): boolean {
  const left: [a: Node | undefined, b: Node | undefined][] = [[a, b]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, other] = next;
    if (one === undefined || other === undefined) {
      if (one !== other) return false;
    } else if (one.kind === "scalar" || other.kind === "scalar") {
      if (one.kind !== "scalar" || other.kind !== "scalar" || one.value !== other.value)
        return false;
    } else if (one.kind === "list") {
      if (other.kind !== "list" || one.items.length !== other.items.length) return false;
      one.items.forEach((each, index) => left.push([each, other.items[index]]));
    } else {
      if (other.kind !== "map" || one.keys.length !== other.keys.length) return false;
      one.keys.forEach((key, index) => left.push([one.values[index], other.get(key)]));
    }
  }
  return true;
}

/** A value as text in one form, however it is written: members by name. */
export function formOf(node: Node): string {
  const pieces: string[] = [];
  const left: (Node | string)[] = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string") pieces.push(next);
    else if (next.kind === "scalar") pieces.push(JSON.stringify(next.value));
    else if (next.kind === "list") {
      pieces.push("[");
      left.push("]");
      for (let at = next.items.length - 1; at >= 0; at -= 1) {
        left.push(next.items[at] as Node);
        if (at > 0) left.push(", ");
      }
    } else {
      pieces.push("{");
      left.push("}");
      const names = next.keys.toSorted();
      for (let at = names.length - 1; at >= 0; at -= 1) {
        const name = names[at] as string;
        left.push(next.get(name) as Node, `${JSON.stringify(name)}: `);
        if (at > 0) left.push(", ");
      }
    }
  }
  return pieces.join("");
}

/** Characters of a value that are shown. */
const SHOWN_MAX = 60;

/** A value in few characters. */
export function shown(node: Node | undefined): string {
  if (node === undefined) return "none";
  if (node.end - node.start > 2000) return node.kind === "map" ? "{…}" : "…";
  const text = formOf(node);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
