/** JSON values with their places: what a file in JSON or YAML holds, before anything is meant. */

interface At {
  /** Index of the file in the reading. */
  readonly file: number;
  /** UTF-16 offsets into that file's text; `end` is behind the last character. */
  readonly start: number;
  readonly end: number;
}

/** Where something stands. */
export type Place = At;

/** A text, number, true, false or null. A number has its digits in the file's text. */
export class ScalarNode implements At {
  readonly kind = "scalar";
  readonly file: number;
  readonly start: number;
  readonly end: number;
  readonly value: string | number | boolean | null;

  constructor(file: number, start: number, end: number, value: string | number | boolean | null) {
    this.file = file;
    this.start = start;
    this.end = end;
    this.value = value;
  }
}

/** A JSON array. */
export class ListNode implements At {
  readonly kind = "list";
  readonly file: number;
  readonly start: number;
  end: number;
  readonly items: Node[] = [];

  constructor(file: number, start: number) {
    this.file = file;
    this.start = start;
    this.end = start;
  }
}

/** Members of an object above which they are looked up by a table. */
const FEW = 8;

/** A JSON object; members in the order of the file, each name once. */
export class MapNode implements At {
  readonly kind = "map";
  readonly file: number;
  readonly start: number;
  end: number;
  readonly keys: string[] = [];
  /** Where each name begins. */
  readonly keyStarts: number[] = [];
  readonly values: Node[] = [];
  private table: Map<string, number> | undefined;

  constructor(file: number, start: number) {
    this.file = file;
    this.start = start;
    this.end = start;
  }

  /** The index of a member, -1 where there is none. */
  indexOf(key: string): number {
    if (this.keys.length <= FEW) return this.keys.indexOf(key);
    this.table ??= new Map(this.keys.map((each, index) => [each, index]));
    return this.table.get(key) ?? -1;
  }

  /** The first name that stands a second time, by its index; judged once, when all are there. */
  repeated(): number {
    const { keys } = this;
    if (keys.length <= FEW) return keys.findIndex((each, index) => keys.indexOf(each) !== index);
    const seen = new Set<string>();
    return keys.findIndex((each) => seen.size === seen.add(each).size);
  }

  get(key: string): Node | undefined {
    return this.values[this.indexOf(key)];
  }

  /** Where the name of a member stands; of the object itself where there is no such member. */
  keyPlace(key: string): Place {
    const index = this.indexOf(key);
    const start = this.keyStarts[index] ?? this.start;
    return { file: this.file, start, end: start + (index < 0 ? 1 : key.length) };
  }
}

export type Node = ScalarNode | ListNode | MapNode;

/** The member if it is an array. */
export function listAt(node: Node | undefined, key: string): ListNode | undefined {
  const found = node?.kind === "map" ? node.get(key) : undefined;
  return found?.kind === "list" ? found : undefined;
}

/** The member if it is a text. */
export function textAt(node: Node | undefined, key: string): string | undefined {
  const value = valueAt(node, key);
  return typeof value === "string" ? value : undefined;
}

/** The member if it is a text, number, true, false or null. */
export function valueAt(
  node: Node | undefined,
  key: string,
): string | number | boolean | null | undefined {
  const found = node?.kind === "map" ? node.get(key) : undefined;
  return found?.kind === "scalar" ? found.value : undefined;
}
