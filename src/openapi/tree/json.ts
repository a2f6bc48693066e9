/** JSON text to nodes. The scanner is a library's; depth and duplicate names are judged here. */
import { createScanner, type JSONScanner, type SyntaxKind } from "jsonc-parser";
import { ListNode, MapNode, type Node, ScalarNode } from "./node.ts";
import { Unreadable } from "./problem.ts";

/** Levels of objects and arrays that a file may have. */
export const DEPTH_MAX = 200;

// The library's kinds are a `const enum`, which a compiler of single files cannot read.
const OPEN_MAP = 1;
const CLOSE_MAP = 2;
const OPEN_LIST = 3;
const CLOSE_LIST = 4;
const COMMA = 5;
const COLON = 6;
const NULL = 7;
const TRUE = 8;
const FALSE = 9;
const TEXT = 10;
const NUMBER = 11;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const UNKNOWN = 16;
const END = 17;

const WHAT: Readonly<Record<number, string>> = {
  [OPEN_MAP]: "`{`",
  [CLOSE_MAP]: "`}`",
  [OPEN_LIST]: "`[`",
  [CLOSE_LIST]: "`]`",
  [COMMA]: "a comma",
  [COLON]: "a colon",
  [NULL]: "`null`",
  [TRUE]: "`true`",
  [FALSE]: "`false`",
  [TEXT]: "a text",
  [NUMBER]: "a number",
  [LINE_COMMENT]: "a comment",
  [BLOCK_COMMENT]: "a comment",
  [UNKNOWN]: "a character that is no JSON",
  [END]: "the end of the file",
};

/** Reads tokens one by one; each failure is told with its place. */
class Tokens {
  readonly file: number;
  private readonly scanner: JSONScanner;
  private readonly names = new Map<string, string>();
  token: number = UNKNOWN;

  constructor(file: number, text: string) {
    this.file = file;
    this.scanner = createScanner(text, true);
    this.next();
  }

  is(kind: number): boolean {
    return this.token === kind;
  }

  next(): void {
    this.token = this.scanner.scan() as SyntaxKind as number;
  }

  /** The same text, once for all members of that name. */
  known(name: string): string {
    const known = this.names.get(name);
    if (known === undefined) this.names.set(name, name);
    return known ?? name;
  }

  get value(): string {
    return this.scanner.getTokenValue();
  }

  get start(): number {
    return this.scanner.getTokenOffset();
  }

  get end(): number {
    return this.scanner.getTokenOffset() + this.scanner.getTokenLength();
  }

  get isBroken(): boolean {
    return (this.scanner.getTokenError() as number) !== 0;
  }

  fail(expected: string): never {
    const found = WHAT[this.token] ?? "something else";
    const place = { file: this.file, start: this.start, end: Math.max(this.end, this.start + 1) };
    throw new Unreadable({
      code: "unreadable",
      message: this.isBroken
        ? `This ${this.token === TEXT ? "text" : "token"} is not well-formed JSON.`
        : `JSON has ${expected} here, not ${found}.`,
      place,
    });
  }
}

/** Reads a JSON text; throws `Unreadable`. Not recursive: depth is bounded by `DEPTH_MAX`. */
export function readJson(file: number, text: string): Node {
  const tokens = new Tokens(file, text);
  const open: (MapNode | ListNode)[] = [];
  let root: Node | undefined;
  while (root === undefined) root = step(tokens, open);
  if (!tokens.is(END)) tokens.fail("nothing more");
  return root;
}

/** Takes one value or one end; the root when it is complete. */
function step(tokens: Tokens, open: (MapNode | ListNode)[]): Node | undefined {
  const top = open.at(-1);
  const isEnd = top?.kind === "map" ? tokens.token === CLOSE_MAP : tokens.token === CLOSE_LIST;
  if (top !== undefined && isEnd) return close(tokens, open, top);
  if (top?.kind === "map") takeName(tokens, top);
  const value = takeValue(tokens, open);
  if (top?.kind === "map") top.values.push(value);
  else top?.items.push(value);
  if (value.kind !== "scalar") {
    open.push(value);
    return undefined;
  }
  if (top === undefined) return value;
  separate(tokens, top);
  return undefined;
}

function close(
  tokens: Tokens,
  open: (MapNode | ListNode)[],
  top: MapNode | ListNode,
): Node | undefined {
  top.end = tokens.end;
  if (top.kind === "map") judgeNames(top);
  open.pop();
  tokens.next();
  const outer = open.at(-1);
  if (outer === undefined) return top;
  separate(tokens, outer);
  return undefined;
}

/** A comma that another value follows, or the end of what holds the value. */
function separate(tokens: Tokens, holder: MapNode | ListNode): void {
  const end = holder.kind === "map" ? CLOSE_MAP : CLOSE_LIST;
  if (tokens.is(end)) return;
  if (!tokens.is(COMMA)) tokens.fail(`a comma or ${WHAT[end]}`);
  tokens.next();
  if (tokens.is(end)) tokens.fail("another value behind a comma");
}

function takeName(tokens: Tokens, map: MapNode): void {
  if (!tokens.is(TEXT) || tokens.isBroken) tokens.fail("a name in quotes, or `}`");
  const name = tokens.value;
  map.keys.push(tokens.known(name));
  map.keyStarts.push(tokens.start);
  tokens.next();
  if (!tokens.is(COLON)) tokens.fail("a colon");
  tokens.next();
}

/** Ends the reading where a name stands twice in one object. */
export function judgeNames(map: MapNode): void {
  const index = map.repeated();
  if (index < 0) return;
  const name = map.keys[index] ?? "";
  const start = map.keyStarts[index] ?? map.start;
  throw new Unreadable({
    code: "member-twice",
    message: `\`${name}\` stands twice in one object: which one counts is not defined.`,
    hint: "Take one of them away.",
    place: { file: map.file, start, end: start + name.length },
  });
}

/** More levels than a file may have. */
export function tooDeep(file: number, start: number): Unreadable {
  return new Unreadable({
    code: "nested-too-deep",
    message: `Objects and lists are nested deeper than ${DEPTH_MAX} levels here.`,
    hint: "Name inner schemas in components, and refer to them.",
    place: { file, start, end: start + 1 },
  });
}

const WORDS: Readonly<Record<number, true | false | null>> = {
  [NULL]: null,
  [TRUE]: true,
  [FALSE]: false,
};

/** A scalar, or an object or list that is still empty. */
function takeValue(tokens: Tokens, open: readonly unknown[]): Node {
  const { file, start, end, token } = tokens;
  if (tokens.isBroken) tokens.fail("a value");
  if (token === OPEN_MAP || token === OPEN_LIST) {
    if (open.length >= DEPTH_MAX) throw tooDeep(file, start);
    tokens.next();
    return token === OPEN_MAP ? new MapNode(file, start) : new ListNode(file, start);
  }
  if (token === TEXT || token === NUMBER) {
    const { value } = tokens;
    tokens.next();
    return new ScalarNode(file, start, end, token === TEXT ? value : Number(value));
  }
  const word = WORDS[token];
  if (word === undefined) return tokens.fail("a value");
  tokens.next();
  return new ScalarNode(file, start, end, word);
}
