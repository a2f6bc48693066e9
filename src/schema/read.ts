/** Reads a JSON text (RFC 8259) with the place of each member and item: total and linear. */
import type { Span } from "../base/index.ts";
import type { Holder, Tree, TreeObject } from "./tree.ts";

/** Objects and arrays of a schema nest at most this deep. */
const LEVELS_MAX = 200;

/** Numbers that a member has among the places of its object: where its name and value stand. */
const EACH = 4;

/** Where the members of objects stand in the text. */
export class Places {
  private readonly all = new Map<Holder, number[]>();

  /** Notes the next member of an object: its name, then its value. */
  note(holder: Holder, { start, end }: Span): void {
    const own = this.all.get(holder);
    if (own === undefined) this.all.set(holder, [start, end]);
    else own.push(start, end);
  }

  /** The name of a member, with its quotes. */
  nameOf(holder: TreeObject, name: string): Span {
    return this.at(holder, name, 0);
  }

  /** The value of a member that is a text, without its quotes; the beginning of another one. */
  valueOf(holder: TreeObject, name: string): Span {
    return this.at(holder, name, 2);
  }

  private at(holder: TreeObject, name: string, from: 0 | 2): Span {
    const at = [...holder.keys()].indexOf(name) * EACH + from;
    const own = this.all.get(holder);
    return { start: own?.[at] ?? 0, end: own?.[at + 1] ?? 1 };
  }
}

/** A value with its places, or what is wrong and where. */
export type ReadJson =
  | { readonly ok: true; readonly value: Tree; readonly places: Places }
  | { readonly ok: false; readonly span: Span; readonly message: string };

/** A mark, the inside of a text, a number, a word, or the end; spaces in front of it. */
const TOKEN = new RegExp(
  [
    String.raw`[ \t\n\r]*(?:([{}[\],:])`,
    String.raw`"([^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*)"`,
    String.raw`(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`,
    "(true|false|null)|$)",
  ].join("|"),
  "y",
);
const WORDS: Readonly<Record<string, Tree>> = { true: true, false: false, null: null };

interface Token {
  readonly is: "mark" | "text" | "value" | "end";
  readonly mark: string;
  readonly value: Tree;
  readonly start: number;
  readonly end: number;
}

class Unreadable extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}

class Tokens {
  private readonly text: string;
  private at = 0;
  token: Token;

  constructor(text: string) {
    this.text = text;
    this.token = this.read();
  }

  next(): void {
    this.token = this.read();
  }

  isMark(mark: string): boolean {
    return this.token.is === "mark" && this.token.mark === mark;
  }

  fail(expected: string): never {
    const { is, start, end } = this.token;
    const found =
      is === "end" ? "the end" : `\`${this.text.slice(start, Math.min(end, start + 20))}\``;
    throw new Unreadable(`${expected} was expected here, not ${found}`, {
      start,
      end: Math.max(end, start + 1),
    });
  }

  private read(): Token {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.text);
    if (found === null) {
      let { at } = this;
      while (/[ \t\n\r]/.test(this.text[at] ?? "")) at++;
      throw new Unreadable("here is no value, name or mark of JSON", { start: at, end: at + 1 });
    }
    const end = TOKEN.lastIndex;
    this.at = end;
    const [whole, mark, text, number, word] = found;
    const start = end - whole.trimStart().length;
    if (mark !== undefined) return { is: "mark", mark, value: null, start, end };
    if (text !== undefined) {
      return { is: "text", mark: "", value: textOf(text, start, end), start, end };
    }
    const value = number === undefined ? WORDS[word ?? ""] : { numberText: number };
    if (value === undefined) return { is: "end", mark: "", value: null, start: end, end };
    return { is: "value", mark: "", value, start, end };
  }
}

function textOf(raw: string, start: number, end: number): string {
  let text = raw;
  if (raw.includes("\\")) {
    try {
      text = JSON.parse(`"${raw}"`) as string;
    } catch {
      throw new Unreadable("this text has an escape that JSON does not have", { start, end });
    }
  }
  if (text.isWellFormed()) return text;
  throw new Unreadable("this text holds half of a surrogate pair", { start, end });
}

type Open = Map<string, Tree> | Tree[];

/** Reads a text; a member that stands twice in one object is wrong. */
export function readJson(text: string): ReadJson {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ok: false, span: error.span, message: error.message };
  }
}

function parse(text: string): ReadJson {
  const tokens = new Tokens(text);
  const places = new Places();
  const open: Open[] = [];
  for (;;) {
    const value = takeValue(tokens, places, open);
    if (value === undefined) continue;
    if (tokens.token.is !== "end") tokens.fail("nothing more");
    return { ok: true, value, places };
  }
}

/** Takes one value; the whole value once it is complete. */
function takeValue(tokens: Tokens, places: Places, open: Open[]): Tree | undefined {
  const top = open.at(-1);
  const isEmpty = top instanceof Map ? top.size === 0 : top?.length === 0;
  if (top !== undefined && isEmpty && tokens.isMark(closing(top))) return close(tokens, open);
  const name = top instanceof Map ? takeName(tokens, places, top) : undefined;
  const { token } = tokens;
  const holder: Open | undefined = tokens.isMark("{")
    ? new Map<string, Tree>()
    : tokens.isMark("[")
      ? []
      : undefined;
  if (holder === undefined && (token.is === "mark" || token.is === "end")) tokens.fail("a value");
  const value: Tree = holder ?? token.value;
  if (top instanceof Map) {
    const inner = token.is === "text" ? 1 : 0;
    places.note(top, { start: token.start + inner, end: token.end - inner });
    top.set(name ?? "", value);
  } else top?.push(value);
  tokens.next();
  if (holder === undefined) return top === undefined ? value : separate(tokens, open);
  open.push(holder);
  if (open.length <= LEVELS_MAX) return undefined;
  throw new Unreadable(`here it nests deeper than ${LEVELS_MAX} levels`, token);
}

const closing = (holder: Open): string => (holder instanceof Map ? "}" : "]");

function takeName(tokens: Tokens, places: Places, into: Map<string, Tree>): string {
  const { token } = tokens;
  if (token.is !== "text") tokens.fail("the name of a member in double quotes");
  const name = token.value as string;
  if (into.has(name)) throw new Unreadable(`the member \`${name}\` stands here again`, token);
  places.note(into, token);
  tokens.next();
  if (!tokens.isMark(":")) tokens.fail("`:`");
  tokens.next();
  return name;
}

/** Behind a value: the end of what holds it, or a comma and another value. */
function separate(tokens: Tokens, open: Open[]): Tree | undefined {
  const top = open.at(-1) as Open;
  if (tokens.isMark(closing(top))) return close(tokens, open);
  if (!tokens.isMark(",")) tokens.fail(`\`,\` or \`${closing(top)}\``);
  tokens.next();
  if (tokens.isMark(closing(top))) tokens.fail("another value behind the comma");
  return undefined;
}

function close(tokens: Tokens, open: Open[]): Tree | undefined {
  const whole = open.pop() as Open;
  tokens.next();
  return open.length === 0 ? whole : separate(tokens, open);
}
