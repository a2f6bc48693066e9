/** Writes JSON piece by piece, as `JSON.stringify(value, null, 2)` does; knows no report. */

const STEP = "  ";
/** Pieces are gathered until they have so many characters. */
const PIECE_MIN = 65_536;

/** A list whose elements are made when they are written: the whole may not fit into memory. */
interface Lazy {
  readonly elements: Iterable<unknown>;
}

const lazies = new WeakSet<object>();

/** A list of what `make` gives for each of `items`. */
export function lazily<T>(items: Iterable<T>, make: (item: T) => unknown): Lazy {
  function* made(): Generator<unknown> {
    for (const item of items) yield make(item);
  }
  const lazy = { elements: made() };
  lazies.add(lazy);
  return lazy;
}

function isLazy(value: unknown): value is Lazy {
  return typeof value === "object" && value !== null && lazies.has(value);
}

/** Whole, at this depth; line ends in texts are escaped, so each one here is layout. */
function whole(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

function* elements(list: Iterable<unknown>, indent: string, lazy: boolean): Generator<string> {
  const inner = indent + STEP;
  let before = "[\n";
  for (const one of list) {
    yield before + inner;
    if (lazy) yield whole(one, inner);
    else yield* written(one, inner);
    before = ",\n";
  }
  yield before === ",\n" ? `\n${indent}]` : "[]";
}

function* members(value: object, indent: string): Generator<string> {
  const inner = indent + STEP;
  let before = "{\n";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${inner}${JSON.stringify(name)}: `;
    yield* written(member, inner);
    before = ",\n";
  }
  yield before === ",\n" ? `\n${indent}}` : "{}";
}

function* written(value: unknown, indent: string): Generator<string> {
  if (isLazy(value)) yield* elements(value.elements, indent, true);
  else if (Array.isArray(value)) yield* elements(value, indent, false);
  else if (typeof value === "object" && value !== null) yield* members(value, indent);
  else yield whole(value, indent);
}

/** The same text in fewer pieces: each is written by itself, which takes time. */
export function* gathered(pieces: Iterable<string>): Generator<string> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_MIN) continue;
    yield text;
    text = "";
  }
  yield text;
}

function* line(value: unknown): Generator<string> {
  yield* written(value, "");
  yield "\n";
}

/** The JSON of plain data with lazy lists in it, in pieces, with a line end. Linear. */
export function jsonPieces(value: unknown): Iterable<string> {
  return gathered(line(value));
}
