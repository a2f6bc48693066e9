/** Makes documents for the fuzz run: bytes, token soups, sentences of the tables, spliced examples. */
import {
  blocks,
  bullets,
  conditions,
  type Form,
  headings,
  parts,
  rules,
  type Scope,
  steps,
  tables,
  types,
} from "../../src/language/index.ts";
import { pick, type Random, randomTable, sentence } from "./sentences.ts";

const at = (random: Random, text: string): number => Math.floor(random() * (text.length + 1));

/** The kinds of documents, with how often each is made. */
export const kinds = ["bytes", "soup", "sentences", "cut example", "spliced examples"] as const;
export type Kind = (typeof kinds)[number];

const allForms: readonly Form[] = [
  ...headings,
  ...bullets,
  ...steps,
  ...rules,
  ...types,
  ...conditions,
  ...blocks,
];
const odd = [
  "`",
  "``",
  "```",
  "|",
  "|---|",
  "\\|",
  "- ",
  "1. ",
  "2. ",
  "   ",
  "  - ",
  "> ",
  "# ",
  "## ",
  "### ",
  "#### ",
  "*",
  "_",
  "[a](b)",
  "<b>",
  "<!--",
  "&amp;",
  "\t",
  "\u0000",
  "\u202e",
  "\u200b",
  "\u00a0",
  "\ud800",
  "\ufeff",
  "\r",
  "\r\n",
  "\n\n",
  "not shown",
  "not shown.",
  ": none.",
  "none",
  "free",
  ";",
  "else",
  "`a || b`",
  "`((((`",
  "😀",
  "é",
  "9".repeat(40),
  "$",
  "{",
  "}",
  "{{x}}",
  "http x",
  "json rows r",
];

function bytes(random: Random): Uint8Array {
  const flat = random() < 0.3;
  return Uint8Array.from({ length: Math.floor(random() * 400) }, () =>
    Math.floor(flat ? random() * 256 : 32 + random() * 95),
  );
}

function soup(random: Random): string {
  let text = random() < 0.7 ? "# T\n\n" : "";
  const lines = 1 + Math.floor(random() * 12);
  for (let i = 0; i < lines; i++) {
    if (random() < 0.25) text += `\n## ${pick(random, parts).title}\n\n`;
    text += pick(random, ["", "", "- ", "1. ", "   1. ", "### ", "> ", "| ", "```", "  "]);
    const tokens = 1 + Math.floor(random() * 8);
    for (let j = 0; j < tokens; j++) {
      const form = pick(random, allForms);
      const words = form.example.split(" ");
      text += random() < 0.3 ? pick(random, odd) : pick(random, words);
      text += random() < 0.9 ? " " : "";
    }
    text += pick(random, ["\n", "\n", "\n\n", ".\n", ":\n", " |\n"]);
  }
  return text;
}

const base = `# T

## What the service does

Words.

- Body format: \`application/json\`
- Setting \`zone\`: time zone

## Resources and their fields

### \`Order\`, many \`orders\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`title\` | string | required | optional | yes | none |
| \`note\` | string or null | optional | optional | yes | starts \`null\` |
| \`total\` | decimal 2 | optional | no | yes | none |
| \`owner\` | \`Order\` | no | no | yes | none |
| \`at\` | timestamp | no | no | yes | set to \`now\` on create |
| \`status\` | state | no | no | yes | none |
`;

const scopeHeads: Partial<Record<Scope, string>> = {
  "every resource": "### Every resource",
  resource: "### `Note`, many `notes`",
  part: "### `Line`, a part",
  view: "### `Card`, a view of `Order`",
  shape: "### `Page`, a shape",
  machine: "### `Order`",
  routine: "### `post`, steps",
  call: "### `charge`, a call",
  "every endpoint": "### Every endpoint",
  endpoint: "### `POST /orders/{id}`",
  scheme: "### `key`, a scheme",
  webhook: "### `hooks`, a webhook",
  stream: "### `feed`, a stream",
};

const sectionsOf: Readonly<Record<string, readonly Scope[]>> = {
  service: ["service"],
  resources: ["resources", "every resource", "resource", "part", "view", "shape"],
  states: ["states", "machine", "machine", "routine", "call"],
  endpoints: ["endpoints", "every endpoint", "endpoint", "endpoint", "endpoint", "routine", "call"],
  authentication: ["authentication", "scheme"],
  events: ["events", "webhook", "stream", "shape"],
  errors: ["errors", "shape"],
  limits: ["limits"],
  versioning: ["versioning"],
};

function stepLines(random: Random, depth: number): string {
  let text = "";
  const count = 1 + Math.floor(random() * 4);
  const indent = "   ".repeat(depth);
  for (let i = 1; i <= count; i++) {
    const step = sentence(random, pick(random, steps));
    text += `${indent}${i}. ${step}${step.endsWith(":") ? "" : "."}\n`;
    if (!step.endsWith(":") || depth >= 2) continue;
    if (!/^(By|Let)/.test(step)) text += stepLines(random, depth + 1);
    else if (step.startsWith("Let")) text += `${indent}   - \`it.total > 1.00\`\n`;
    else text += `${indent}   - \`"open"\`: do nothing.\n${indent}   - any other: do nothing.\n`;
  }
  return text;
}

function section(random: Random, scope: Scope): string {
  const head = scopeHeads[scope];
  let text = head === undefined ? "" : `${head}\n\n`;
  const keys = bullets.filter((bullet) => bullet.in.includes(scope));
  const count = Math.min(keys.length, Math.floor(random() * 5));
  for (let i = 0; i < count; i++) {
    const bullet = pick(random, keys);
    const key = bullet.form.slice(0, bullet.form.indexOf(":"));
    text +=
      random() < 0.1 && !key.includes("{")
        ? `- ${key}: not shown\n`
        : `- ${sentence(random, bullet)}\n`;
  }
  const here = tables.filter((table) => table.in.includes(scope));
  if (here.length > 0 && random() < 0.7) text += `\n${randomTable(random, pick(random, here))}\n`;
  if (["endpoint", "every endpoint", "routine"].includes(scope)) {
    text += `\n${stepLines(random, 0)}`;
  }
  if (scope === "resource" && random() < 0.2) text += '\n```json rows r\n[{"title": "a"}]\n```\n';
  return text;
}

function sentences(random: Random): string {
  let text = random() < 0.8 ? base : "# T\n\n";
  let last = text === base ? 1 : -1;
  const count = 1 + Math.floor(random() * 3);
  for (let i = 0; i < count; i++) {
    const next = Math.min(parts.length - 1, last + Math.floor(random() * 4));
    const part = parts[Math.max(0, next)] as (typeof parts)[number];
    if (next > last) text += `\n## ${part.title}\n\n`;
    last = next;
    text += `\n${section(random, pick(random, sectionsOf[part.id] ?? []))}`;
  }
  return text;
}

interface Piece {
  readonly part: string;
  readonly text: string;
}

/** The sections of the examples, each with the heading of its part. */
function piecesOf(examples: readonly string[]): Piece[] {
  return examples.flatMap((text) =>
    text
      .split(/^(?=## )/m)
      .slice(1)
      .flatMap((part) => {
        const title = part.slice(0, part.indexOf("\n"));
        return part
          .slice(title.length)
          .split(/^(?=### )/m)
          .map((piece) => ({ part: title, text: piece.slice(0, 2000) }));
      }),
  );
}

const order = parts.map((part) => `## ${part.title}`);

function cut(random: Random, pieces: readonly Piece[]): string {
  const chosen = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, pieces));
  chosen.sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
  let text = "# T\n";
  let last = "";
  for (const piece of chosen) {
    if (piece.part !== last) text += `\n${piece.part}\n`;
    last = piece.part;
    text += piece.text;
  }
  return text;
}

/** One small edit. */
function edited(random: Random, text: string, other: string): string {
  const from = at(random, text);
  const to = Math.min(text.length, from + Math.floor(random() * 12));
  switch (Math.floor(random() * 8)) {
    case 0:
      return text.slice(0, from) + text.slice(to);
    case 1:
      return text.slice(0, from) + pick(random, odd) + text.slice(from);
    case 2:
      return text.slice(0, from) + text.slice(from, to).repeat(2) + text.slice(to);
    case 3: {
      const start = at(random, other);
      return text.slice(0, from) + other.slice(start, start + 40) + text.slice(to);
    }
    case 4: {
      const lines = text.split("\n");
      lines.splice(Math.floor(random() * lines.length), 1);
      return lines.join("\n");
    }
    case 5: {
      const spans = [...text.matchAll(/`[^`\n]+`/g)];
      const [a, b] = [pick(random, spans), pick(random, spans)];
      if (a === undefined || b === undefined) return text;
      return text.slice(0, a.index) + b[0] + text.slice(a.index + a[0].length);
    }
    case 6: {
      const lines = text.split("\n");
      const line = pick(random, lines);
      lines.splice(Math.floor(random() * lines.length), 0, line);
      return lines.join("\n");
    }
    default:
      return `${text.slice(0, from)}${String.fromCharCode(Math.floor(random() * 0x2100))}${text.slice(from + 1)}`;
  }
}

export interface Made {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** A source of documents: same examples and same numbers, same documents. */
export function documentsFrom(examples: readonly string[], random: Random): () => Made {
  const pieces = piecesOf(examples);
  const text = (kind: Kind): string => {
    if (kind === "soup") return soup(random);
    if (kind === "sentences") return sentences(random);
    let made = cut(random, pieces);
    const edits = kind === "cut example" ? 1 : 2 + Math.floor(random() * 6);
    for (let i = 0; i < edits; i++) made = edited(random, made, pick(random, pieces).text);
    return made;
  };
  return () => {
    const kind = pick(random, kinds);
    if (kind === "bytes") return { kind, bytes: bytes(random) };
    let made = text(kind);
    if (random() < 0.2) made = edited(random, made, made);
    if (random() < 0.03) made = made.replaceAll("\n", "\r\n");
    return { kind, bytes: encoder.encode(made.slice(0, 6000)) };
  };
}
