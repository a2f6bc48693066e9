/** Decodes string literals (CEL langdef "String and Bytes Values") and writes them. */

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["\\", "\\"],
  ["?", "?"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

const CODED: readonly { readonly form: RegExp; readonly radix: number; readonly skip: number }[] = [
  { form: /[xX][0-9a-fA-F]{2}/y, radix: 16, skip: 1 },
  { form: /u[0-9a-fA-F]{4}/y, radix: 16, skip: 1 },
  { form: /U[0-9a-fA-F]{8}/y, radix: 16, skip: 1 },
  { form: /[0-3][0-7]{2}/y, radix: 8, skip: 0 },
];

/** The value of a literal, or what is wrong with it and at which offset of `text`. */
type Decoded = { readonly value: string } | { readonly wrong: string; readonly at: number };

/** Decodes the escapes between the offsets `from` and `to` of `text` (the quotes excluded). */
export function decodeEscapes(text: string, from: number, to: number): Decoded {
  let value = "";
  let at = from;
  while (at < to) {
    const character = text[at] ?? "";
    if (character !== "\\") {
      value += character;
      at++;
      continue;
    }
    const simple = SIMPLE.get(text[at + 1] ?? "");
    if (simple !== undefined) {
      value += simple;
      at += 2;
      continue;
    }
    const coded = codedEscape(text, at + 1);
    if (coded === undefined) return { wrong: `unknown escape \`${text.slice(at, at + 2)}\``, at };
    if (coded.point > 0x10ffff || (coded.point >= 0xd800 && coded.point <= 0xdfff)) {
      return { wrong: `\`${text.slice(at, coded.end)}\` is not a Unicode character`, at };
    }
    value += String.fromCodePoint(coded.point);
    at = coded.end;
  }
  return { value };
}

function codedEscape(text: string, at: number): { point: number; end: number } | undefined {
  for (const { form, radix, skip } of CODED) {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found) return { point: parseInt(found[0].slice(skip), radix), end: at + found[0].length };
  }
  return undefined;
}

/** Writes `value` as a literal of the language, in double quotes, with the escapes it needs. */
export function quote(value: string): string {
  let out = '"';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === "\\") out += `\\${character}`;
    else if (character === "\n") out += "\\n";
    else if (character === "\r") out += "\\r";
    else if (character === "\t") out += "\\t";
    else if (code < 32 || code === 127) out += `\\x${code.toString(16).padStart(2, "0")}`;
    else out += character;
  }
  return `${out}"`;
}
