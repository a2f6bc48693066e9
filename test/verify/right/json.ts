/** A small reader of JSON that keeps number texts, and tells members that stand twice. */

/** A number as it is written. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Tree = null | boolean | string | NumberText | readonly Tree[] | Members;
export type Members = ReadonlyMap<string, Tree>;

export interface ReadJson {
  readonly tree: Tree;
  /** Names of members of the outermost object that stand there twice. */
  readonly repeated: readonly string[];
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Wrong extends Error {}

class Reader {
  readonly repeated: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Tree {
    const tree = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw new Wrong();
    return tree;
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  /** Whether that comes next; it is passed then. */
  #has(text: string): boolean {
    this.#space();
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string {
    this.#space();
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) throw new Wrong();
    this.#at += found.length;
    return found;
  }

  #value(depth: number): Tree {
    if (depth > 64) throw new Wrong();
    if (this.#has("null")) return null;
    if (this.#has("true")) return true;
    if (this.#has("false")) return false;
    if (this.#has("{")) return this.#object(depth);
    if (this.#has("[")) return this.#list(depth);
    if (this.#text[this.#at] === '"') return JSON.parse(this.#match(STRING)) as string;
    return new NumberText(this.#match(NUMBER));
  }

  #list(depth: number): readonly Tree[] {
    const items: Tree[] = [];
    if (this.#has("]")) return items;
    do items.push(this.#value(depth + 1));
    while (this.#has(","));
    if (!this.#has("]")) throw new Wrong();
    return items;
  }

  #object(depth: number): Members {
    const members = new Map<string, Tree>();
    if (this.#has("}")) return members;
    do {
      const name = JSON.parse(this.#match(STRING)) as string;
      if (!this.#has(":")) throw new Wrong();
      if (members.has(name) && depth === 0) this.repeated.push(name);
      members.set(name, this.#value(depth + 1));
    } while (this.#has(","));
    if (!this.#has("}")) throw new Wrong();
    return members;
  }
}

/** Undefined: it is no JSON. */
export function readJson(text: string): ReadJson | undefined {
  const reader = new Reader(text);
  try {
    const tree = reader.whole();
    return { tree, repeated: reader.repeated };
  } catch (fault) {
    if (fault instanceof Wrong) return undefined;
    throw fault;
  }
}
