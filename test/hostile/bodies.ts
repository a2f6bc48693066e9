/** Hostile bodies, each made from a body that would be accepted. */

export type Random = () => number;

export interface Body {
  readonly bytes: Buffer;
  /** Whether no document may accept it: it is no JSON, or no text. */
  readonly refused: boolean;
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

const VALUE = /:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null)/g;

/** The body with one of its plain values replaced. */
function withValue(body: string, value: string, random: Random): string {
  const found = [...body.matchAll(VALUE)];
  if (found.length === 0) return `{"x":${value}}`;
  const at = pick(found, random);
  const start = at.index + at[0].length - (at[1] ?? "").length;
  return body.slice(0, start) + value + body.slice(at.index + at[0].length);
}

function withMember(body: string, member: string): string {
  return body.length > 2 ? `{${member},${body.slice(1)}` : `{${member}}`;
}

const NO_NUMBERS = ["01", "+1", ".5", "1.", "0x10", "NaN", "Infinity", "-", "1e", "--1", "1_000"];
const NUMBERS = [
  "1e400",
  "-1e400",
  "1e-400",
  "9".repeat(40),
  `-${"9".repeat(40)}`,
  "-0",
  "0.1e1",
  `0.${"3".repeat(60)}`,
  `1${"0".repeat(5000)}`,
  "1E+2",
  "18446744073709551616",
  "1e2147483648",
];
const VALUES = [
  "null",
  "[]",
  "{}",
  "true",
  "0",
  `""`,
  "[[]]",
  `{"a":1}`,
  `"\\u0000"`,
  `"😀"`,
  `"${"x".repeat(10_000)}"`,
  `"\\ufffe\\u202e"`,
  `["a",1,null]`,
  `"' OR 1=1 --"`,
  `"%00"`,
  `"${"é".repeat(300)}"`,
  `" "`,
  `"2026-02-30T25:61:61Z"`,
  `"9999-12-31T23:59:59.9999999Z"`,
  `{"__proto__":null}`,
  `"-1"`,
  `"1e5"`,
  `"0001-01-01T00:00:00Z"`,
];
const PROTO = [
  `"__proto__":{"polluted":1}`,
  `"constructor":{"prototype":{"polluted":1}}`,
  `"prototype":{}`,
  `"toString":1`,
  `"hasOwnProperty":null`,
  `"\\u005f_proto__":[]`,
];
const NO_TEXT = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0x80],
];
const LONE = ["\\ud800", "\\udc00", "\\ud800\\ud800", "x\\udfff\\ud800", "\\uD83Dx"];
const SYNTAX = [
  "{'a':1}",
  `{"a":1,}`,
  `{"a":1 /* c */}`,
  `{"a" 1}`,
  `{"a":1}{}`,
  "[1,2",
  "]",
  "{",
  "undefined",
  `{"a":"\\x41"}`,
  `{"a":"\\u12"}`,
  `{a:1}`,
  "\0",
  `{"a":1}\0`,
  `{"a":"\u0001"}`,
  "}{",
];
const BARE = ["null", "[]", `"x"`, "1", "true", "   ", "\r\n\t", "[{}]"];

function inText(body: string, bytes: readonly number[]): Buffer {
  const at = body.indexOf(`:"`) + 2;
  const from = at < 2 ? 1 : at;
  return Buffer.concat([
    Buffer.from(body.slice(0, from)),
    Buffer.from(bytes),
    Buffer.from(body.slice(from)),
  ]);
}

function nested(body: string, random: Random): string {
  const depth = pick([66, 100, 1000, 7000], random);
  const [open, close] = pick(
    [
      ["[", "]"],
      [`{"a":`, "}"],
    ] as const,
    random,
  );
  const inner = open.repeat(depth) + (random() < 0.5 ? "1" : "[]") + close.repeat(depth);
  return random() < 0.3 ? inner : withMember(body, `"x":${inner}`);
}

function wide(body: string, random: Random): string {
  const count = pick([100, 1000, 5000], random);
  if (random() < 0.5) return withValue(body, `[${"0,".repeat(count)}0]`, random);
  return withMember(body, Array.from({ length: count }, (_, i) => `"m${i}":0`).join(","));
}

function flipped(body: string, random: Random): Buffer {
  const bytes = Buffer.from(body);
  for (let i = 0; i < 1 + random() * 3; i++) {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  }
  return bytes;
}

type Maker = (body: string, random: Random) => string | Buffer;

const REFUSED: Readonly<Record<string, Maker>> = {
  deep: nested,
  unclosed: (_, random) => pick(["[", `{"a":`, "[{"], random).repeat(1 + random() * 5000),
  "lone surrogate": (body, random) =>
    body.includes(`:"`) ? body.replace(`:"`, `:"${pick(LONE, random)}`) : "\\ud800",
  "no UTF-8": (body, random) => inText(body, pick(NO_TEXT, random)),
  "byte-order mark": (body) => `\ufeff${body}`,
  "UTF-16": (body) => Buffer.from(body, "utf16le"),
  truncated: (body, random) => body.slice(0, Math.max(1, Math.floor(random() * body.length))),
  "more behind": (body, random) => body + pick(["x", "}", "{}", ",", "\0", "[", "//"], random),
  "no number": (body, random) => withValue(body, pick(NO_NUMBERS, random), random),
  "control in text": (body, random) => inText(body, [pick([0, 1, 8, 10, 13, 31], random)]),
  syntax: (_, random) => pick(SYNTAX, random),
  bare: (_, random) => pick(BARE, random),
};

const ODD: Readonly<Record<string, Maker>> = {
  number: (body, random) => withValue(body, pick(NUMBERS, random), random),
  value: (body, random) => withValue(body, pick(VALUES, random), random),
  proto: (body, random) => withMember(body, pick(PROTO, random)),
  wide,
  repeated: (body) => {
    const first = /"[^"]+"/.exec(body)?.[0] ?? `"x"`;
    return withMember(body, `${first}:1`);
  },
  flipped,
  empty: () => "",
};

/** A hostile body of a kind, chosen at random. A body without text in it stays what it is. */
export function hostileBody(body: string, random: Random): Body & { readonly kind: string } {
  const table = random() < 0.5 ? REFUSED : ODD;
  const kind = pick(Object.keys(table), random);
  const made = table[kind]?.(body, random) ?? "";
  const bytes = typeof made === "string" ? Buffer.from(made) : made;
  const isText = (kind !== "control in text" && kind !== "no UTF-8") || body.includes(`:"`);
  return { kind: `body: ${kind}`, bytes, refused: table === REFUSED && isText };
}
