/** Makes documents of a given size and of several kinds; must not know what reads them. */
import { readFileSync } from "node:fs";
import { documentOf, documentOfBytes } from "./documents.ts";

/** A kind of document: at least so many bytes of it, in ASCII. */
export interface Kind {
  readonly name: string;
  readonly make: (bytes: number) => string;
}

/** Pieces number 0, 1 ... one after the other, to at least `bytes`. */
function pieces(bytes: number, piece: (i: number) => string): string {
  const found: string[] = [];
  let length = 0;
  for (let i = 0; length < bytes; i++) {
    const text = piece(i);
    found.push(text);
    length += text.length;
  }
  return found.join("");
}

/** The small document with `text` in front of the first place where `before` stands. */
function inserted(before: string, text: string): string {
  const small = documentOf(2);
  const at = small.indexOf(before);
  if (at < 0) throw new Error(`the small document has no ${JSON.stringify(before)}`);
  return small.slice(0, at) + text + small.slice(at);
}

const SENTENCE = "Whoever asks for a thing is told what it is, what it costs, and when it comes.";

function prose(bytes: number): string {
  return inserted(
    "- Base path: none\n",
    `${pieces(bytes, (i) =>
      i % 3 === 0 ? `${SENTENCE} ${i}\n${SENTENCE}\n\n` : `${SENTENCE} Number ${i}.\n`,
    )}\n`,
  );
}

function quotes(bytes: number): string {
  return inserted(
    "## States and transitions",
    pieces(bytes, (i) => `> ${SENTENCE}\n> Number ${i}.\n\n`),
  );
}

/** An error on each line, of many kinds, most of which look like something that is known. */
function errors(bytes: number): string {
  const lines = (i: number) => [
    `- Base pth ${i}: none\n`,
    `- Missng \`owner${i}\`: \`refused_0\` on \`owner\`\n`,
    `The colour of number ${i} is blue.\n`,
    `Colour of number ${i}: none.\n`,
    `1. Creat an \`Item${i}\` as \`item\` from \`body\`.\n`,
    `- Always: \`it.price >= ${i}.00 &&\`, else \`refused_0\`\n`,
    `- Missing \`own${i}\`: \`refsed_${i}\` on \`owner\`\n`,
  ];
  return inserted(
    "### `ItemPage0`, a shape",
    pieces(bytes, (i) => `${lines(i)[i % 7]}\n`),
  );
}

/** One field table in which each row has an error that only the checker finds. */
function wrongRows(bytes: number): string {
  return inserted(
    "| `price` |",
    pieces(
      bytes,
      (i) => `| \`f${i}\` | \`Ownr${i}\` | required | no | yes | starts \`it.nme${i}\` |\n`,
    ),
  );
}

/** One field table; `rules` of each row. */
function table(bytes: number, rules: string): string {
  return inserted(
    "| `price` |",
    pieces(bytes, (i) => `| \`field${i}\` | string | optional | optional | yes | ${rules} |\n`),
  );
}

function steps(bytes: number): string {
  const before = "3. Respond `201` with `Item0`";
  const sum = (i: number) => (i === 0 ? "1" : `x${i - 1} + ${i}`);
  let count = 0;
  const text = pieces(bytes, (i) => {
    count = i + 1;
    return `${i + 3}. Let \`x${i}\` be \`${sum(i)}\`.\n`;
  });
  return inserted(before, text).replace(before, before.replace("3", String(count + 3)));
}

const NAMES =
  /\b(?:Article|ArticleLine|FullArticle|Comment|Favorite|(?:One|Many)(?:Article|Comment)s?)\b/g;
const COLLECTIONS = /\b(?:articles|comments|favorites)\b/g;

/** A section with other names in its code spans; copy 0 keeps those that it has. */
function renamed(section: string, i: number): string {
  if (i === 0) return section;
  return section.replaceAll(/`[^`\n]*`/g, (code) =>
    code.replaceAll(NAMES, `$&${i}`).replaceAll(COLLECTIONS, `$&${i}`),
  );
}

/** Conduit with its articles, comments and favourites again and again, under other names. */
function conduit(bytes: number): string {
  const file = new URL("../examples/conduit/spec.md", import.meta.url);
  const sections = readFileSync(file, "utf8").split(/^(?=##)/m);
  const isMany = (section: string) =>
    /^### `.*(?:Article|Comment|Favorite|\/articles)/.test(section);
  const one = sections.filter(isMany).join("").length;
  const rest = sections.join("").length - one;
  const copies = Math.ceil((bytes - rest) / one);
  const numbers = Array.from({ length: copies }, (_, i) => i);
  const states = numbers.slice(1).flatMap((i) => [`Article${i}`, `Comment${i}`, `Favorite${i}`]);
  return sections
    .map((section) => {
      if (isMany(section)) return numbers.map((i) => renamed(section, i)).join("");
      if (!section.startsWith("## States")) return section;
      return section.replace(
        "`Favorite`\n",
        `\`Favorite\`${states.map((name) => `\n- No states: \`${name}\``).join("")}\n`,
      );
    })
    .join("");
}

/** All kinds; the first is the one that the bars are about. */
export const kinds: readonly Kind[] = [
  { name: "services", make: documentOfBytes },
  { name: "prose", make: prose },
  { name: "quotes", make: quotes },
  { name: "errors", make: errors },
  { name: "wrong rows", make: wrongRows },
  { name: "silent rows", make: (bytes) => table(bytes, "trimmed; 1 to 80 characters") },
  { name: "rows", make: (bytes) => table(bytes, '1 to 80 characters; starts `"a"`') },
  { name: "steps", make: steps },
  { name: "conduit", make: conduit },
];
