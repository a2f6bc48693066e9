/** A plain JSON reader (RFC 8259) that keeps digits, order and repeated members; and a writer. */
import { isList, isMap, type JsonNumber, type Value } from "./values.ts";

/** A tree: null, boolean, string, `JsonNumber`, list or map. */
export type Json = Value;

export interface Parsed {
  readonly tree: Json;
  /** Dotted paths of members that stand twice, in the order in which the second was met. */
  readonly repeated: readonly string[];
}

const DEPTH_MAX = 64;

class Malformed extends Error {}

class Reader {
  at = 0;
  readonly text: string;
  readonly repeated: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  space(): void {
    while (/^[ \t\r\n]$/.test(this.text[this.at] ?? "")) this.at++;
  }

  take(form: RegExp): string {
    form.lastIndex = this.at;
    const found = form.exec(this.text)?.[0];
    if (found === undefined) throw new Malformed();
    this.at += found.length;
    return found;
  }

  value(path: readonly string[]): Json {
    this.space();
    const first = this.text[this.at];
    if (first === "{") return this.object(path);
    if (first === "[") return this.list(path);
    if (first === '"') return this.string();
    if (first === "t" || first === "f") return this.take(/true|false/y) === "true";
    if (first === "n") return this.take(/null/y) === "null" ? null : null;
    return { digits: this.take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) };
  }

  string(): string {
    const raw = this.take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    const made = JSON.parse(raw) as string;
    if (!made.isWellFormed()) throw new Malformed();
    return made;
  }

  enter(path: readonly string[]): void {
    this.at++;
    if (path.length >= DEPTH_MAX) throw new Malformed();
    this.space();
  }

  list(path: readonly string[]): Json {
    this.enter(path);
    const items: Json[] = [];
    if (this.text[this.at] === "]") {
      this.at++;
      return items;
    }
    for (;;) {
      items.push(this.value([...path, String(items.length)]));
      this.space();
      if (this.take(/[,\]]/y) === "]") return items;
    }
  }

  object(path: readonly string[]): Json {
    this.enter(path);
    const members = new Map<string, Json>();
    if (this.text[this.at] === "}") {
      this.at++;
      return members;
    }
    for (;;) {
      this.space();
      const name = this.string();
      this.space();
      this.take(/:/y);
      const inner = [...path, name];
      const value = this.value(inner);
      if (members.has(name)) this.repeated.push(inner.join("."));
      else members.set(name, value);
      this.space();
      if (this.take(/[,}]/y) === "}") return members;
    }
  }
}

/** The tree of a JSON text; undefined where it is none. */
export function parse(text: string): Parsed | undefined {
  const reader = new Reader(text);
  try {
    const tree = reader.value([]);
    reader.space();
    return reader.at === text.length ? { tree, repeated: reader.repeated } : undefined;
  } catch (thrown) {
    if (thrown instanceof Malformed) return undefined;
    throw thrown;
  }
}

export function isNumber(json: Json): json is JsonNumber {
  return typeof json === "object" && json !== null && "digits" in json;
}

/** JSON text without spaces; members in their order. */
export function write(json: Json): string {
  if (isNumber(json)) return json.digits;
  if (isList(json)) return `[${json.map(write).join(",")}]`;
  if (isMap(json)) {
    return `{${[...json].map(([name, one]) => `${JSON.stringify(name)}:${write(one)}`).join(",")}}`;
  }
  return JSON.stringify(json);
}
