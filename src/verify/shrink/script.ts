/** A replay of requests in turn as a script for a POSIX shell with curl. */
import type { Answer } from "../world/message.ts";
import type { ReplayFile } from "./file.ts";
import { piecesOf } from "./fresh.ts";
import type { Learned } from "./learning.ts";
import {
  AHEAD,
  ANY,
  type Differing,
  type Fresh,
  type ReplayRequest,
  SECONDS_APART,
  TIME,
} from "./replay.ts";
import { anyCase, countIn, inSed, memberOf, placeIn, printedValue } from "./sed.ts";

const NAME = /\{\{([a-z0-9]+)\}\}/;
const BASIC = /^Basic \{\{:([\s\S]*):\}\}$/;

/** A text in single quotes. */
export const plain = (text: string): string =>
  text === "" ? "" : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text in single quotes, its names as variables in double quotes. */
function quoted(text: string): string {
  const parts = text.split(NAME).map((part, i) => (i % 2 === 1 ? `"$${part}"` : plain(part)));
  return parts.join("") || "''";
}

const SHELL_TIME = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*[0-9Z]";

/** Numbers of seconds that are near enough. */
function aheadPattern(seconds: number): string {
  const all = Array.from({ length: 2 * SECONDS_APART + 1 }, (_, i) => seconds - SECONDS_APART + i);
  return all.join("|");
}

/** A text with names as a pattern of `case`. */
export function pattern(text: string): string {
  const ahead = AHEAD.exec(text)?.[1];
  if (ahead !== undefined) return aheadPattern(Number(ahead));
  const parts = text.split(/(\{\{(?:any|time)\}\})/).map((part) => {
    if (part === ANY) return "*";
    return part === TIME ? SHELL_TIME : part === "" ? "" : quoted(part);
  });
  return parts.join("") || "''";
}

/** Longer arguments are not taken by every system. */
const ARGUMENT_MAX = 100_000;

/** What curl is told of a request, and the lines that make what it reads of a file. */
interface Told {
  readonly before: readonly string[];
  readonly args: string;
}

/** `dir`: where its files are. */
export function toldCurl({ method, target, headers, body }: ReplayRequest, dir: string): Told {
  const parts = [`${method === "HEAD" ? "--head" : `-X ${method}`} "$url"${quoted(target)}`];
  for (const [name, value] of headers) {
    const basic = /^authorization$/i.test(name) ? BASIC.exec(value)?.[1] : undefined;
    if (basic !== undefined) parts.push(`-u ${quoted(basic)}`);
    else parts.push(`-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body === undefined) return { before: [], args: parts.join(" ") };
  if (!headers.some(([name]) => /^content-type$/i.test(name))) parts.push("-H 'Content-Type:'");
  if (body.length <= ARGUMENT_MAX) {
    return { before: [], args: `${parts.join(" ")} --data-raw ${quoted(body)}` };
  }
  const sent = `"${dir}/sent"`;
  return {
    before: [`printf '%s' ${quoted(body)} >${sent}`],
    args: `${parts.join(" ")} -H 'Expect:' --data-binary @${sent}`,
  };
}

/** The lines that make a request. */
export function askLines(request: ReplayRequest): readonly string[] {
  const { before, args } = toldCurl(request, "$dir");
  return [...before, `ask ${args}`];
}

/** The line that ends the script where the answer has another status than before. */
const wantedLine = ({ answered, stated }: ReplayRequest): string =>
  stated === undefined ? `wanted ${answered}` : `wanted ${answered} ${stated}`;

/** What prints the value at a place of the last answer. */
export function printing(
  at: Pick<Differing, "in" | "at">,
  body: string | undefined,
): string | undefined {
  if (at.in === "status") return 'echo "$status"';
  if (at.in === "header") return `header ${plain(anyCase(inSed(at.at)))}`;
  if (at.at.includes("{{")) return undefined;
  const place = placeIn(body, at.at);
  return place && `member ${plain(inSed(place.member))} ${place.nth}`;
}

/** The line that takes a text from the last answer. */
export function learnLine({ name, in: of, at, before, after }: Learned, answer: Answer): string {
  const print = printing({ in: of, at }, answer.body);
  if (print === undefined) return `${name}= # it stands in a list, where sed cannot tell it`;
  const quote = of === "body" ? '"' : "";
  const [first, last] = [inSed(quote + before), inSed(after + quote)];
  return `${name}=$(${print} | sed ${plain(`s/^${first}\\(.*\\)${last}$/\\1/`)})`;
}

/** What of an answer is looked at, what it is to be, and what it was. */
interface Look {
  readonly name: string;
  readonly print: string;
  /** Patterns of `case`; undefined: anything else. */
  readonly expected: string | undefined;
  readonly seen: string;
}

/** What is looked at of an item that is named by a text; undefined: it is none, or lies deeper. */
function itemLook({ in: of, at, expected, seen }: Differing): Look | undefined {
  const parts = at.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const place = parts.findIndex((part) => part.includes("{{"));
  const [text = "", ...inner] = parts.slice(place);
  if (of !== "body" || place < 0 || inner.length > 1) return undefined;
  const item = `item ${quoted(text)}`;
  const [member] = inner;
  if (member === undefined) {
    const [mine, theirs] = [expected, seen].map((one) => (one === undefined ? "''" : "there"));
    const print = `${item}; [ ! -s "$dir/item" ] || echo there`;
    return { name: "the item", print, expected: mine, seen: theirs ?? "" };
  }
  const [mine, theirs] = [printedValue(expected), printedValue(seen)];
  if (mine === undefined || theirs === undefined || mine === theirs) return undefined;
  const print = `${item}; member ${plain(inSed(member))} 1 "$dir/item"`;
  const isAhead = [expected, seen].some((one) => AHEAD.test(one ?? ""));
  const [first, second] = isAhead ? [expected ?? "", seen ?? ""] : [mine, theirs];
  const look = { name: member, expected: pattern(first), seen: pattern(second) };
  return { ...look, print: isAhead ? `{ ${print}; } | ahead` : print };
}

function lookOf(one: Differing, { seen, expected }: ReplayFile): Look {
  const name = one.in === "status" ? "status" : one.in === "header" ? one.at : one.at || "body";
  const print = printing(one, seen.body);
  const item = itemLook(one);
  if (item !== undefined) return item;
  if (one.in !== "body") {
    const texts = [one.expected ?? "", one.seen ?? ""].map(pattern);
    return { name, print: print ?? "", expected: texts[0], seen: texts[1] ?? "" };
  }
  const [mine, theirs] = [printedValue(one.expected), printedValue(one.seen)];
  const isAhead = [one.expected, one.seen].some((text) => AHEAD.test(text ?? ""));
  if (print !== undefined && isAhead) {
    const [first, second] = [one.expected ?? "", one.seen ?? ""].map(pattern);
    return { name, print: `${print} | ahead`, expected: first, seen: second ?? "" };
  }
  if (print !== undefined && mine !== undefined && theirs !== undefined && mine !== theirs) {
    return { name, print, expected: pattern(mine), seen: pattern(theirs) };
  }
  const first = memberOf(one.expected) ?? memberOf(one.seen);
  if (print === undefined && first !== undefined && (mine === "" || theirs === "")) {
    const count = `count ${plain(inSed(first))}`;
    const counts = [expected, seen].map(({ body }) => plain(String(countIn(body, first))));
    return { name: `how many ${first}`, print: count, expected: counts[0], seen: counts[1] ?? "" };
  }
  const body = `tr -d '\\n' <"$dir/body"`;
  const whole = one.at === "" ? (one.seen ?? "") : `${ANY}${one.seen ?? ""}${ANY}`;
  return { name, print: body, expected: undefined, seen: pattern(whole) };
}

/** How much is left open by a pattern of `case`. */
const openness = (text: string): number => text.replaceAll(/'[^']*'/g, "").split("*").length;

function lookLines(look: Look): readonly string[] {
  const { name, print, expected, seen } = look;
  return [
    `now=$(${print})`,
    `echo ${plain(`${name}: `)}"$now"`,
    "case $now in",
    // The first that matches is taken: what says more comes first.
    ...[
      ...(expected === undefined ? [] : [{ text: expected, line: `  ${expected}) ;;` }]),
      { text: seen, line: `  ${seen}) broken=yes ;;` },
    ]
      .toSorted((a, b) => openness(a.text) - openness(b.text))
      .map(({ line }) => line),
    ...(expected === undefined ? [] : ["  *) other=yes ;;"]),
    "esac",
  ];
}

/** Shell comments of one line each. */
export const comments = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `# ${line.replaceAll(/[\r\n]+/g, " ")}`.trimEnd());

const WIDTH = 100;
/** A text of no more than some letters. */
export const cut = (text: string): string =>
  text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text;

/** The beginning: what it shows, and how it is used. */
export function headOf(file: ReplayFile): readonly string[] {
  const { document, broken, requests, expected, seen, url } = file;
  const count = requests.length === 1 ? "one request" : `${requests.length} requests`;
  return [
    "#!/bin/sh",
    ...comments([
      `${document.title || document.file}: what the document does not allow, in ${count}.`,
      ...broken.map((one) => cut(`  ${one.file}:${one.line}:${one.column}  ${one.text}`)),
      cut(`Expected ${expected.status} ${expected.body ?? ""}`),
      cut(`Seen     ${seen.status} ${seen.body ?? ""}`),
      "Ends with 1 if it is still so, with 0 if not, with 2 if it cannot be told.",
      "Usage: sh THIS [URL]",
    ]),
    `url=\${1:-${quoted(url)}}`,
    `url=\${url%/}`,
  ];
}

/** What the lines behind it use. */
export const HEAD = String.raw`
dir=$(mktemp -d 2>/dev/null) || { dir=${"$"}{TMPDIR:-/tmp}/lacuna.$$; mkdir "$dir" || exit 2; }
trap 'rm -rf "$dir"' EXIT
trap 'exit 2' HUP INT TERM
status=; broken=; other=

# Makes a request; its answer is in $status, $dir/head and $dir/body.
ask() {
  : >"$dir/body"
  status=$(curl -sS -g --path-as-is --max-time 30 -o "$dir/body" -D "$dir/head" \
    -w '%{http_code}' "$@") || exit 2
}
# Ends here unless the answer has that status, or the other one that is stated.
wanted() {
  [ "$status" = "$1" ] || [ "$status" = "$2" ] && return
  echo "a request before was answered $status, not $1: it cannot be told"; exit 2
}
# The value of the n-th member of that name in the answer, as JSON.
member() {
  tr '{[,' '\n\n\n' <"${"$"}{3:-$dir/body}" |
    sed -n "s/^[[:space:]]*\"$1\"[[:space:]]*:[[:space:]]*//p" |
    sed -n "$2p" | sed 's/[]}[:space:]]*$//; s/^$/(more)/'
}
# How many members of that name the answer has.
count() {
  tr '{[,' '\n\n\n' <"$dir/body" | sed -n "s/^[[:space:]]*\"$1\"[[:space:]]*:.*/x/p" | grep -c x
}
# The value of a header of the answer.
header() {
  tr -d '\r' <"$dir/head" | sed -n "s/^$1:[[:space:]]*//p" | sed -n 1p | sed 's/[[:space:]]*$//'
}
`;

/** What `item` is, for lists of which an item is looked at. */
export const ITEM = String.raw`# Takes the item of a list that has that text; its parts are empty.
item() {
  tr -d '\n' <"$dir/body" | wanted="\"$1\"" awk '{
    at = index($0, ENVIRON["wanted"]); if (!at) exit
    for (i = 1; i < at; i++) {
      c = substr($0, i, 1)
      if (text) { if (c == "\\") i++; else if (c == "\"") text = 0 }
      else if (c == "\"") text = 1
      else if (c == "{") open[++deep] = i
      else if (c == "}") deep--
    }
    if (!deep) { print ENVIRON["wanted"]; exit }
    i = open[deep]; deep = text = 0
    for (; i <= length($0); i++) {
      c = substr($0, i, 1)
      if (!text && (c == "{" || c == "[")) deep++
      if (deep < 2 || (!text && deep < 3 && index("{[]}", c))) out = out c
      if (text && c == "\\") { i++; if (deep < 2) out = out substr($0, i, 1) }
      else if (c == "\"") text = !text
      else if (!text && (c == "}" || c == "]") && !--deep) break
    }
    print out
  }' >"$dir/item"
}`;

/** Gives `tag` other letters. */
export const TAG = `# Letters that stand in all data made here, so that they are no other data.
tag=v$(od -An -N4 -tx1 /dev/urandom | tr -dc 0-9a-f)`;

/** Days are counted as H. Hinnant does, chrono-Compatible Low-Level Date Algorithms. */
const AHEAD_FUNCTION = String.raw`# An instant as seconds from the last answer on; else as it is.
ahead() {
  tr '"TZ:-' '      ' | awk -v now="$(date +%s)" 'NF == 6 {
    y = $1; m = $2; if (m <= 2) { y--; m += 12 }
    days = 365 * y + int(y / 4) - int(y / 100) + int(y / 400)
    days += int((153 * (m - 3) + 2) / 5) + $3 - 719469
    printf "%d\n", days * 86400 + $4 * 3600 + $5 * 60 + int($6) - now; next
  } { print $1 }'
}`;

const END = `
[ -z "$other" ] || { echo "answered otherwise than expected and than before"; exit 2; }
[ -z "$broken" ] || { echo "still broken"; exit 1; }
echo "not broken any more"`;

const MILLIS = 1000;

/** The lines that make a text anew. */
export function freshLine({ name, like }: Fresh): string {
  const pieces = piecesOf(like).map((one) =>
    typeof one === "string" ? plain(one) : `"$(letters '${one.range}' ${one.count})"`,
  );
  return `${name}=${pieces.join("")}`;
}

/** A function of the shell that makes texts anew. */
export const LETTERS = `# So many letters of a range, by chance.
letters() {
  LC_ALL=C tr -dc "$1" </dev/urandom | dd bs=1 count="$2" 2>/dev/null
}`;

/** The script. `answers` are those that the replay's requests had when it was made. */
export function plainScriptOf(file: ReplayFile, answers: readonly Answer[]): string {
  const { fresh, requests, differs } = file;
  const made = requests.flatMap((one, i) => [
    "",
    ...comments([cut(`${i + 1}. ${one.method} ${one.target}`)]),
    ...(one.pause === undefined ? [] : [`sleep ${Math.ceil(one.pause / MILLIS)}`]),
    ...askLines(one),
    ...(i < requests.length - 1 ? [wantedLine(one)] : []),
    ...one.learns.map((learned) => learnLine(learned, answers[i] as Answer)),
  ]);
  const looks = differs.flatMap((one) => lookLines(lookOf(one, file)));
  const anew = fresh.length === 0 ? [] : [LETTERS, "", ...fresh.map(freshLine)];
  const isAhead = looks.some((line) => line.includes(" | ahead)"));
  const hasItem = looks.some((line) => line.includes('"$dir/item"'));
  const tools = [
    HEAD.trim(),
    ...(hasItem ? [ITEM] : []),
    TAG,
    ...(isAhead ? [AHEAD_FUNCTION] : []),
  ];
  const lines = [...headOf(file), ...tools, ...anew, ...made, "", ...looks, END.trim()];
  return `${lines.join("\n")}\n`;
}
