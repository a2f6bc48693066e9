/** Changes one clause of a document's text to another that the language allows there. */

export interface Changed {
  /** The part of the document, as its heading has it. */
  readonly part: string;
  /** What kind of change it is. */
  readonly kind: string;
  /** From 1 on. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

type Instead = readonly [kind: string, line: string];

interface Place {
  readonly part: string;
  /** Heads of the columns of the table that the line is in; empty: it is in none. */
  readonly heads: readonly string[];
  readonly errors: readonly string[];
  readonly actors: readonly string[];
  readonly states: readonly string[];
}

/** Words that take each other's place, wherever they are whole words of a normative line. */
const WORDS: readonly (readonly [string, string])[] = [
  ["ascending", "descending"],
  ["at most", "at least"],
  ["sliding", "fixed"],
  ["first", "all"],
  ["==", "!="],
  ["<=", "<"],
  [">=", ">"],
  ["&&", "||"],
  ["trimmed", "in lower case"],
  ["in milliseconds", "in seconds"],
  ["their values are the same", "their bytes are the same"],
  ["2xx answers", "every answer"],
  ["at least once", "at most once"],
  ["starts true", "starts false"],
  ["caller", "address"],
];

const cellsOf = (line: string): string[] => line.split("|").slice(1, -1);
const rowOf = (cells: readonly string[]): string => `|${cells.join("|")}|`;

function everywhere(line: string, from: string, to: string): readonly string[] {
  const found: string[] = [];
  for (let at = line.indexOf(from); at >= 0; at = line.indexOf(from, at + from.length)) {
    const isWord = /^\w/.test(from);
    const around = (line[at - 1] ?? " ") + (line[at + from.length] ?? " ");
    if (isWord && /\w/.test(around)) continue;
    found.push(line.slice(0, at) + to + line.slice(at + from.length));
  }
  return found;
}

function words(line: string): readonly Instead[] {
  return WORDS.flatMap(([one, other]) => [
    ...everywhere(line, one, other).map((text): Instead => [`${one} to ${other}`, text]),
    ...everywhere(line, other, one).map((text): Instead => [`${other} to ${one}`, text]),
  ]);
}

/** Each number one more and one less. */
function numbers(line: string): readonly Instead[] {
  return [...line.matchAll(/(?<![\w.{-])\d+(?![\w}-])/g)].flatMap(({ 0: digits, index }) =>
    [1, -1].flatMap((by): Instead[] => {
      const other = Number(digits) + by;
      const text = line.slice(0, index) + other + line.slice(index + digits.length);
      return other < 0 ? [] : [["number", text]];
    }),
  );
}

/** Names of errors, actors and states in code, by others. */
function names(line: string, { errors, actors, states }: Place): readonly Instead[] {
  return [
    ["error", errors] as const,
    ["actor", actors] as const,
    ["state", states] as const,
  ].flatMap(([kind, all]) =>
    [...line.matchAll(/`([\w ]+)`/g)].flatMap(({ 0: whole, 1: name = "", index }): Instead[] => {
      const at = all.indexOf(name);
      const other = all[(at + 1) % all.length];
      if (at < 0 || other === undefined || other === name) return [];
      return [[kind, `${line.slice(0, index)}\`${other}\`${line.slice(index + whole.length)}`]];
    }),
  );
}

/** Texts in quotes. */
function texts(line: string): readonly Instead[] {
  return [...line.matchAll(/"([A-Za-z][\w ]*)"/g)].map(({ 0: whole, 1: text, index }) => [
    "text",
    `${line.slice(0, index)}"${text}2"${line.slice(index + whole.length)}`,
  ]);
}

const ACCESS: Readonly<Record<string, readonly string[]>> = {
  no: ["optional"],
  optional: ["no", "required"],
  required: ["optional", "no"],
};

function cells(line: string, { heads, part }: Place): readonly Instead[] {
  const all = cellsOf(line);
  const change = (at: number, to: string): string => rowOf(all.with(at, ` ${to} `));
  return heads.flatMap((head, at): readonly Instead[] => {
    const cell = (all[at] ?? "").trim();
    switch (head) {
      case "Create":
      case "Update":
        return (ACCESS[cell] ?? []).map((to) => [head.toLowerCase(), change(at, to)]);
      case "Read":
        return [["read", change(at, cell === "yes" ? "no" : "yes")]];
      case "Needed":
        return [["needed", change(at, cell === "yes" ? "no" : "yes")]];
      case "Rules": {
        const rules = cell.split(";").map((one) => one.trim());
        if (cell === "none") return [];
        return rules.map((_, i) => {
          const rest = rules.toSpliced(i, 1);
          return ["rule left out", change(at, rest.length === 0 ? "none" : rest.join("; "))];
        });
      }
      case "When":
      case "Then":
        return cell === "none" ? [] : [[`no ${head.toLowerCase()}`, change(at, "none")]];
      case "From": {
        const from = cell.split(",").map((one) => one.trim());
        if (from.length < 2) return [];
        return from.map((_, i) => ["from left out", change(at, from.toSpliced(i, 1).join(", "))]);
      }
      case "`title`":
      case "`says`":
      case "`message`":
        return cell === "none" ? [] : [["words", change(at, `${cell} now`)]];
      case "Type":
        // What no client gives is never null, whatever its type allows.
        if (all[heads.indexOf("Create")]?.trim() === "no" || part.startsWith("Errors")) return [];
        if (heads.includes("Value")) return [];
        // Nothing in a path, a query or a header is null.
        if (heads.includes("In") && all[heads.indexOf("In")]?.trim() !== "body") return [];
        return cell.endsWith(" or null")
          ? [["null", change(at, cell.replace(" or null", ""))]]
          : [["null", change(at, `${cell} or null`)]];
      default:
        return [];
    }
  });
}

function phrases(line: string): readonly Instead[] {
  const found: Instead[] = [];
  const drop = (kind: string, pattern: RegExp): void => {
    const text = line.replace(pattern, "");
    if (text !== line) found.push([kind, text]);
  };
  drop("given members only", /, given members only/);
  drop("at least one member", /; at least one member/);
  drop("header left out", /, header `[^`]+` = `[^`]+`/);
  drop("with left out", / with `[^`]+` = `[^`]+`(?=\.)/);
  drop("if given", /, if given/);
  drop("order left out", /, then `[^`]+` (ascending|descending)/);
  drop("retry-after", / with `Retry-After`/);
  drop("binding condition", / where `[^`]+`(?=, else)/);
  drop("on a name", / on `[^`]+`(?=[.,]?$)/);
  const term = /`([^`]*?) (&&|\|\|) ([^`]*)`/.exec(line);
  if (term !== null) {
    found.push(["term left out", line.replace(term[0], `\`${term[1]}\``)]);
    found.push(["term left out", line.replace(term[0], `\`${term[3]}\``)]);
  }
  return found;
}

/** Whether two steps do the same in either order: each names a value, without the other's. */
function isAnyOrder(one = "", other = ""): boolean {
  const [, name] = /^\d+\. Let `(\w+)` be /.exec(one) ?? [];
  const isNaming = /^\d+\. Let `\w+` be /.test(other);
  return name !== undefined && isNaming && !new RegExp(`\\b${name}\\b`).test(other);
}

/** Numbered steps: without one, and one before the other; the rest are numbered anew. */
function steps(lines: readonly string[], at: number): readonly (readonly [string, string[]])[] {
  const number = (line: string | undefined): number => Number(/^(\d+)\. /.exec(line ?? "")?.[1]);
  const own = number(lines[at]);
  if (Number.isNaN(own)) return [];
  const renumbered: string[] = [];
  let left = false;
  for (const [i, line] of lines.entries()) {
    if (i === at) {
      left = true;
      continue;
    }
    if (left && /^#/.test(line)) left = false;
    // What is indented or belongs to the step goes with it.
    if (left && renumbered.length === at && /^ +\S/.test(line)) continue;
    renumbered.push(
      left ? line.replace(/^\d+(?=\. )/, (digits) => String(Number(digits) - 1)) : line,
    );
  }
  const found: (readonly [string, string[]])[] = [["step left out", renumbered]];
  const next = lines[at + 1];
  if (number(next) === own + 1 && !isAnyOrder(lines[at], next)) {
    const words = (line: string | undefined): string => (line ?? "").replace(/^\d+\. /, "");
    const swapped = [...lines];
    swapped[at] = `${own}. ${words(next)}`;
    swapped[at + 1] = `${own + 1}. ${words(lines[at])}`;
    found.push(["steps swapped", swapped]);
  }
  return found;
}

/** Names in the first column of the tables that begin with a head. */
function namesUnder(lines: readonly string[], head: string): readonly string[] {
  const found: string[] = [];
  let isIn = false;
  for (const line of lines) {
    if (!line.startsWith("|")) isIn = false;
    else if (cellsOf(line)[0]?.trim() === head) isIn = true;
    else if (isIn) {
      const name = /^`([\w ]+)`$/.exec(cellsOf(line)[0]?.trim() ?? "")?.[1];
      if (name !== undefined) found.push(name);
    }
  }
  return [...new Set(found)];
}

/** Each normative line of a document, changed in each way that these operators know. */
export function clausesOf(text: string): readonly Changed[] {
  const lines = text.split("\n");
  const states = lines.flatMap((line) =>
    line.startsWith("- States:")
      ? [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "")
      : [],
  );
  const known = { errors: namesUnder(lines, "Error"), actors: namesUnder(lines, "Actor"), states };
  const found: Changed[] = [];
  let part = "";
  let heads: readonly string[] = [];
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("```")) isCode = !isCode;
    if (line.startsWith("## ")) part = line.slice(3);
    if (!line.startsWith("|")) heads = [];
    const isHead = line.startsWith("|") && /^\|[-|: ]+\|$/.test(lines[at + 1] ?? "");
    if (isHead) heads = cellsOf(line).map((one) => one.trim());
    const isNormative = /^(\||- |\d+\. | +- )/.test(line) && !/^\|[-|: ]+\|$/.test(line);
    if (isCode || isHead || !isNormative) continue;
    const place: Place = { part, heads, ...known };
    const own = [words(line), numbers(line), names(line, place), texts(line), phrases(line)].flat();
    const note = (kind: string, after: string, whole: string): void => {
      if (whole !== text)
        found.push({ part, kind, line: at + 1, before: line, after, text: whole });
    };
    for (const [kind, after] of [...own, ...(heads.length > 0 ? cells(line, place) : [])]) {
      note(kind, after, lines.with(at, after).join("\n"));
    }
    for (const [kind, whole] of steps(lines, at)) {
      note(kind, kind === "steps swapped" ? (whole[at] ?? "") : "", whole.join("\n"));
    }
  }
  return found;
}
