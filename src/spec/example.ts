/** Parses the text of an `http` block: requests, answers and moves of the clock. Judges none. */

/** A piece of the block's text; offsets count from the beginning of the block's content. */
export interface ExampleText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ExampleHeader {
  readonly name: ExampleText;
  readonly value: ExampleText;
}

export interface ExampleRequest {
  readonly method: ExampleText;
  /** As written: a path with its query. */
  readonly target: ExampleText;
  readonly headers: readonly ExampleHeader[];
  readonly body?: ExampleText;
}

interface ExampleResponse {
  readonly status: number;
  readonly statusText: ExampleText;
  readonly headers: readonly ExampleHeader[];
  readonly body?: ExampleText;
}

export interface ExampleExchange {
  readonly request: ExampleRequest;
  readonly response: ExampleResponse;
}

/** The clock moves by `durationText` before the exchange with the index `before`. */
interface ExampleMove {
  readonly before: number;
  readonly durationText: string;
  readonly at: ExampleText;
}

interface ExampleProblem {
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

export interface ParsedExample {
  /** When the clock starts (RFC 3339), where a line `At ...` says so. */
  readonly clock?: ExampleText;
  readonly exchanges: readonly ExampleExchange[];
  readonly moves: readonly ExampleMove[];
  readonly problems: readonly ExampleProblem[];
}

interface Message {
  readonly headers: readonly ExampleHeader[];
  readonly body?: ExampleText;
}

interface Lines {
  readonly all: readonly ExampleText[];
  at: number;
  readonly problems: ExampleProblem[];
}

const REQUEST = /^([A-Z]{1,20}) (\/\S*)$/;
const STATUS = /^HTTP\/1\.1 (\d{3})(?: .*)?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;
const MOVE = /^After (\d+(?:\.\d+)? (?:ms|s|min|h|days?))$/;
const CLOCK = /^At (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)$/;
const PLACEHOLDER = /\{\{([A-Za-z][A-Za-z0-9_]*|\*)\}\}/g;

/** Names between `{{` and `}}` in a text, `*` among them, each as often as it stands there. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((hit) => hit[1] ?? "");
}

/** JSON text in which a placeholder that stands for a whole value is a text, so that it parses. */
export function quotedPlaceholders(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{(?:[A-Za-z][A-Za-z0-9_]*|\*)\}\}/g, (hit) =>
    hit.startsWith('"') ? hit : `"${hit}"`,
  );
}

function linesOf(text: string): ExampleText[] {
  const found: ExampleText[] = [];
  for (const hit of text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    const line = hit[1] ?? "";
    found.push({ text: line, start: hit.index, end: hit.index + line.length });
  }
  return found;
}

function piece(line: ExampleText, from: number, text: string): ExampleText {
  return { text, start: line.start + from, end: line.start + from + text.length };
}

function problem(lines: Lines, at: ExampleText, message: string, hint: string): void {
  lines.problems.push({ message, hint, start: at.start, end: at.end });
}

const isBlank = (line: ExampleText | undefined): boolean => line?.text.trim() === "";

function skipBlank(lines: Lines): void {
  while (lines.at < lines.all.length && isBlank(lines.all[lines.at])) lines.at++;
}

/** Header fields, an empty line, and the body up to a line that begins something else. */
function message(lines: Lines, ends: (line: string) => boolean): Message {
  const headers: ExampleHeader[] = [];
  for (; lines.at < lines.all.length && !isBlank(lines.all[lines.at]); lines.at++) {
    const line = lines.all[lines.at] as ExampleText;
    if (ends(line.text)) return { headers };
    const [, name, value] = HEADER.exec(line.text) ?? [];
    if (name === undefined || value === undefined) {
      problem(
        lines,
        line,
        "This is no header field.",
        "Write `Name: value`; an empty line stands before the body.",
      );
      continue;
    }
    headers.push({
      name: piece(line, 0, name),
      value: piece(line, line.text.indexOf(value, name.length + 1), value),
    });
  }
  skipBlank(lines);
  const first = lines.all[lines.at];
  if (first === undefined || ends(first.text)) return { headers };
  let last = first;
  const body: string[] = [];
  for (; lines.at < lines.all.length; lines.at++) {
    const line = lines.all[lines.at] as ExampleText;
    if (ends(line.text) && isBlank(lines.all[lines.at - 1])) break;
    body.push(line.text);
    if (!isBlank(line)) last = line;
  }
  const text = body.join("\n").trimEnd();
  return { headers, body: { text, start: first.start, end: last.end } };
}

const begins = (line: string): boolean => REQUEST.test(line) || MOVE.test(line) || CLOCK.test(line);

function exchange(lines: Lines): ExampleExchange | undefined {
  const line = lines.all[lines.at] as ExampleText;
  const [, method = "", target = ""] = REQUEST.exec(line.text) ?? [];
  lines.at++;
  const sent = message(lines, (text) => STATUS.test(text) || begins(text));
  const answer = lines.all[lines.at];
  const status = STATUS.exec(answer?.text ?? "")?.[1];
  if (answer === undefined || status === undefined) {
    problem(
      lines,
      line,
      "This request has no answer.",
      "Write `HTTP/1.1` and the status behind an empty line.",
    );
    return undefined;
  }
  lines.at++;
  const got = message(lines, begins);
  return {
    request: {
      method: piece(line, 0, method),
      target: piece(line, method.length + 1, target),
      ...sent,
    },
    response: { status: Number(status), statusText: piece(answer, 9, status), ...got },
  };
}

/** Reads the content of an `http` block. Total: what has no form is a problem at its place. */
export function parseExample(text: string): ParsedExample {
  const lines: Lines = { all: linesOf(text), at: 0, problems: [] };
  const exchanges: ExampleExchange[] = [];
  const moves: ExampleMove[] = [];
  let clock: ExampleText | undefined;
  for (skipBlank(lines); lines.at < lines.all.length; skipBlank(lines)) {
    const line = lines.all[lines.at] as ExampleText;
    const durationText = MOVE.exec(line.text)?.[1];
    const start = CLOCK.exec(line.text)?.[1];
    if (REQUEST.test(line.text)) {
      const made = exchange(lines);
      if (made !== undefined) exchanges.push(made);
      continue;
    }
    lines.at++;
    if (durationText !== undefined) {
      moves.push({ before: exchanges.length, durationText, at: line });
    } else if (start !== undefined && exchanges.length + moves.length === 0) {
      clock = piece(line, 3, start);
    } else {
      problem(
        lines,
        line,
        "Here begins a request, or a line `After 10 min`.",
        start === undefined
          ? "Write a method and a target on one line, such as `GET /articles`."
          : "The line `At ...` is the first of its block.",
      );
    }
  }
  if (exchanges.length === 0 && lines.problems.length === 0) {
    problem(
      lines,
      { text: "", start: 0, end: 0 },
      "This example has no request.",
      "Write a method and a target on one line, such as `GET /articles`.",
    );
  }
  return { exchanges, moves, problems: lines.problems, ...(clock === undefined ? {} : { clock }) };
}
