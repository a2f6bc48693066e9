/** What a place of a description is called: the operation or the component, and what is in it. */
import type { Description, Operation } from "../model/index.ts";
import { type MapNode, type Node, type Place, textAt } from "../tree/index.ts";

/** What stands under each name inside of a member, or in the list that it is. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ schemas: "schema", definitions: "schema", parameters: "parameter", headers: "header" },
  ...{ responses: "answer", requestBodies: "body", links: "link", callbacks: "callback" },
  ...{ securitySchemes: "scheme", securityDefinitions: "scheme", webhooks: "webhook" },
  ...{ pathItems: "path", paths: "path", channels: "channel", operations: "operation" },
  ...{ messages: "message", servers: "server", examples: "example", tags: "tag" },
};

/** Members with values of which no name means anything here. */
const VALUES = new Set(["example", "examples", "default", "enum", "const", "value"]);

const METHODS = /^(get|put|post|delete|options|head|patch|trace|query)$/;

/** What is called by one word: `answer` and `404`. */
const word = (kind: string, name: string): string => `${kind} \`${name}\``;

/** The last part of a reference. */
const lastOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** The index of the last thing that begins at or before an offset; -1: none does. */
function lastBefore(count: number, startOf: (index: number) => number, at: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(middle) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `GET /pets`, as it is called everywhere. */
export const operationName = ({ method, path }: Operation): string => `\`${method} ${path}\``;

/** A way from the root to a place, told in words on the way. */
class Walk {
  readonly words: string[] = [];
  private readonly members: string[] = [];
  private kind: string | undefined;
  private path: string | undefined;
  private readonly known: ReadonlyMap<MapNode, Operation>;

  constructor(known: ReadonlyMap<MapNode, Operation>) {
    this.known = known;
  }

  /** Goes as far as the place, or to where nothing has a name. */
  go(root: Node | undefined, { start }: Place): string[] {
    let node = root;
    while (node !== undefined && node.kind !== "scalar") {
      node = node.kind === "map" ? this.member(node, start) : this.item(node.items, start);
    }
    if (this.members.length > 0) this.words.push(`\`${this.members.join(".")}\``);
    return this.words;
  }

  private say(text: string): void {
    if (this.members.length > 0) this.words.push(`\`${this.members.join(".")}\``);
    this.members.length = 0;
    this.words.push(text);
  }

  private member(node: MapNode, at: number): Node | undefined {
    const { keys, keyStarts, values } = node;
    const index = lastBefore(keys.length, (each) => keyStarts[each] ?? 0, at);
    const key = keys[index];
    const value = values[index];
    // What an alias or a merge brought stands elsewhere.
    if (key === undefined || value === undefined || at > Math.max(value.end, value.start)) {
      return undefined;
    }
    return this.named(key, value) ? value : undefined;
  }

  /** Says what a member is called; false: no name is looked for in it. */
  private named(key: string, value: Node): boolean {
    const { kind, path } = this;
    this.kind = undefined;
    this.path = undefined;
    if (kind === "path") {
      this.path = key;
      this.words.push(word("path", key));
    } else if (kind === "member") this.members.push(key);
    else if (kind !== undefined) this.say(word(kind, key));
    else if (path !== undefined && METHODS.test(key)) {
      this.words.pop();
      this.say(`\`${key.toUpperCase()} ${path}\``);
    } else if (value.kind === "map" && this.known.has(value)) {
      this.say(operationName(this.known.get(value) as Operation));
    } else return this.section(key, value);
    return true;
  }

  private section(key: string, value: Node): boolean {
    if (key === "properties" || key === "patternProperties") this.kind = "member";
    else if (key === "requestBody") this.say("body");
    else if (VALUES.has(key)) {
      this.say(key === "examples" ? "example" : `\`${key}\``);
      return false;
    } else if (key.startsWith("x-")) {
      this.say(`\`${key}\``);
      return false;
    } else if (KINDS[key] !== undefined && value.kind !== "scalar") this.kind = KINDS[key];
    else if (this.words.length === 0 && key !== "components") this.say(`\`${key}\``);
    return true;
  }

  private item(items: readonly Node[], at: number): Node | undefined {
    const { kind } = this;
    this.kind = undefined;
    const node = items[lastBefore(items.length, (each) => items[each]?.start ?? 0, at)];
    if (node === undefined || at > node.end) return undefined;
    const ref = textAt(node, "$ref");
    const name = textAt(node, "name") ?? (ref === undefined ? undefined : lastOf(ref));
    if (kind !== undefined && kind !== "member" && name !== undefined) this.say(word(kind, name));
    return node;
  }
}

/** Names of places; each is looked up in the depth of the file times the logarithm of its size. */
export class Names {
  private readonly description: Description;
  private readonly known: ReadonlyMap<MapNode, Operation>;

  constructor(description: Description) {
    this.description = description;
    this.known = new Map(description.operations.toReversed().map((each) => [each.node, each]));
  }

  /** `answer 404 of GET /pets`; `operation`: the one that it is about, where that is known. */
  of(place: Place, operation?: Operation): string {
    if (place.file === 0 && place.start === this.description.root.start) return "the file";
    const words = new Walk(this.known).go(this.description.files.all[place.file]?.root, place);
    const isInside = words[0]?.startsWith("`") === true && words[0].includes(" ");
    if (operation !== undefined && !isInside) {
      // What stands at a path is told of the operation that takes it in.
      if (words[0]?.startsWith("path ") === true) words.shift();
      words.unshift(operationName(operation));
    }
    return words.length === 0 ? "the file" : words.toReversed().join(" of ");
  }
}
