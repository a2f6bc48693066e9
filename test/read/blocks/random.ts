/** A seeded generator of documents from fragments, near to right ones and far from them. */
import { randomFrom } from "../../random.ts";

export interface Random {
  /** An integer from 0 up to, but not including, `bound`. */
  below(bound: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

/** A source of random choices; the same for the same seed. */
export function newRandom(seed: number): Random {
  const unit = randomFrom(seed);
  const below = (bound: number): number => Math.floor(unit() * bound);
  return {
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    chance: (probability) => unit() < probability,
  };
}

const plainWords = [
  "Who",
  "not shown",
  "none",
  "Rate limits:",
  "`it.id`",
  "`a | b`",
  "``a ` b``",
  "` x `",
  "1.5",
  "24h",
  "2026-10-01",
  "e.g.",
  "(initial),",
  "caller's",
  "at least 1;",
  "foo_bar",
  "60,000",
  "a-b",
  '"quoted"',
  "{token}",
  "=",
  "+",
  "/",
  "ä",
  "😀",
  "50%",
  "`a \\ b`",
  "`\\`",
  "`*x*`",
  "`<b>`",
  "1.",
  "2)",
  "#",
  "##",
  "-",
  ">",
  "|",
  "10:30",
  "a|b",
  "`&amp;`",
  "R & D",
  "x < y",
  "!",
  "`a\\|b`",
];
const oddWords = [
  "*a*",
  "_a_",
  "__a",
  "**",
  "~x~",
  "[a]",
  "[a](b)",
  "![a](b)",
  "[a]: b",
  "]:",
  "\\*",
  "\\",
  "\\|",
  "&amp;",
  "&#65;",
  "<b>",
  "<!-- c -->",
  "<https://a.b>",
  "https://a.b",
  "www.a.b",
  "a@b.c",
  "`",
  "``",
  "```",
  "~~~",
  "a  ",
  "$x$",
  "\u00a0",
  "\t",
  "\\`",
  "`a\\`",
  "`a || b`",
  "[x]",
  "[ ]",
  "a_b_",
  "mailto:a@b.c",
  "a*b*c",
  "***",
  "---",
  "\\\\|",
  "==",
  "&copy",
  "<",
  "</a>",
  "<?",
  "xmpp:a@b.c/x",
];
const markers = ["- ", "- ", "1. ", "2. ", "1. ", "3. ", "# ", "## ", "### ", "> ", "", "", "| "];
const oddMarkers = [
  "* ",
  "+ ",
  "1) ",
  "#",
  "####### ",
  "-",
  "1.",
  "-  ",
  "-     ",
  "1.    ",
  "- - ",
  "- 1. ",
  "- # ",
  "- > ",
  "- ```",
  "```",
  "~~~",
  ">",
  "01. ",
  "10. ",
  "0. ",
  "---",
  "===",
  "***",
  "|---|",
  "---|---",
  ":-",
  "<div>",
  "<!--",
  "-->",
  "[a]: ",
  "- [ ] ",
  "|",
  "-\t",
  "\t",
  "> ```",
  ">- ",
  "1. 1. ",
  "- |",
];
const indents = ["", "", "", "", "  ", "   ", "     ", " ", "    ", "      ", "       ", "\t"];
const tables = [
  "| A | B |\n|---|---|\n| a | `b` |\n| | not shown |",
  "| A |\n|:-:|\n| `a \\| b` |",
  "| A | B |\n| --- | ---: |",
  "| `A` | B |\n|---|---|\n| a b | c, d |\n| \\| | x |",
];
const fences = [
  '```json template a\n{"a": [1, "- x"]}\n\n# no\n```',
  "````\n```\n````",
  "```http\n```",
];

function words(random: Random, odd: number): string {
  const count = 1 + random.below(4);
  let text = "";
  for (let i = 0; i < count; i++) {
    const word = random.chance(odd) ? random.pick(oddWords) : random.pick(plainWords);
    text += (i > 0 && random.chance(0.9) ? " " : "") + word;
  }
  return text;
}

function row(random: Random, odd: number): string {
  const cells = Array.from({ length: 1 + random.below(3) }, () => words(random, odd));
  return `| ${cells.join(" | ")} |`;
}

function line(random: Random, odd: number): string {
  const marker = random.chance(odd) ? random.pick(oddMarkers) : random.pick(markers);
  if (marker === "| ") return row(random, odd);
  return random.pick(indents) + marker + words(random, odd);
}

/** Nested items with right indentation and numbers. */
function list(random: Random, odd: number): string {
  const lines: string[] = [];
  const grow = (indent: string, depth: number): void => {
    const steps = random.chance(0.5);
    const count = 1 + random.below(3);
    for (let i = 1; i <= count; i++) {
      const mark = steps ? `${i}. ` : "- ";
      lines.push(indent + mark + words(random, odd));
      const inner = indent + " ".repeat(mark.length);
      if (random.chance(0.2)) lines.push(inner + words(random, odd));
      if (random.chance(0.15)) lines.push("");
      if (depth < 2 && random.chance(0.35)) grow(inner, depth + 1);
    }
  };
  grow("", 0);
  return lines.join("\n");
}

/** A document of some blocks; `odd` is the share of fragments that the notation does not have. */
export function randomDocument(random: Random, odd: number): string {
  const parts: string[] = random.chance(0.8) ? ["## A\n\n## B\n"] : [];
  const count = 1 + random.below(7);
  for (let i = 0; i < count; i++) {
    const which = random.below(10);
    if (which < 5) parts.push(line(random, odd));
    else if (which < 7) parts.push(list(random, odd));
    else if (which === 7) parts.push(random.pick(tables));
    else if (which === 8) parts.push(random.pick(fences));
    else parts.push("> a note\n> more");
    if (random.chance(0.5)) parts.push("");
  }
  const text = parts.join("\n");
  return random.chance(0.05) ? text.replaceAll("\n", "\r\n") : text;
}

/** `text` with a few characters deleted, doubled, moved or replaced. */
export function mutate(random: Random, text: string): string {
  let mutant = text;
  const edits = 1 + random.below(4);
  for (let i = 0; i < edits; i++) {
    const at = random.below(mutant.length + 1);
    const end = Math.min(mutant.length, at + random.below(6));
    const piece = random.pick([
      "",
      "`",
      "|",
      "\n",
      " ",
      "    ",
      "-",
      "\t",
      "<",
      "\\",
      "[",
      "*",
      "\r",
    ]);
    const moved = random.chance(0.3) ? mutant.slice(at, end) + mutant.slice(at, end) : piece;
    mutant = mutant.slice(0, at) + moved + mutant.slice(end);
  }
  return mutant;
}
