/** A race of a replay as a script for a POSIX shell with curl. */
import type { Answer } from "../world/message.ts";
import type { ReplayFile } from "./file.ts";
import type { RacePlace, RaceReplay, ReplayRequest } from "./replay.ts";
import {
  askLines,
  comments,
  cut,
  freshLine,
  HEAD,
  headOf,
  LETTERS,
  learnLine,
  pattern,
  printing,
  TAG,
  toldCurl,
} from "./script.ts";
import { printedValue } from "./sed.ts";

/** Connections that must be opened first meet less exactly than those that are open already. */
const LESS_EXACT = 2;

type RaceFile = ReplayFile & { readonly race: RaceReplay };

/** The answer of one of the requests at the same time, by its place, as that of the last. */
const AT = `# The answer to a request as the last one.
at() {
  dir=$top/$1; status=$(cat "$dir/status" 2>/dev/null)
  [ -n "$status" ] || { echo "no answer to request $1"; exit 2; }
}`;

/** A request of a replay, and its place. */
interface Placed {
  readonly one: ReplayRequest;
  readonly i: number;
}

const titleOf = ({ one, i }: Placed): readonly string[] =>
  comments([cut(`${i + 1}. ${one.method} ${one.target}`)]);

const CURL = "-g --path-as-is --max-time 30 -w '%{http_code}\\n'";

/**
 * What a client does, beside the others: one process makes its requests, over one connection. It
 * reads a file first that ends when all clients are there.
 */
function clientLines(own: readonly Placed[], client: number): readonly string[] {
  const told = own.map(({ one, i }) => ({ i, ...toldCurl(one, `$top/${i + 1}`) }));
  const asks = told.map(({ i, args }) => {
    const dir = `"$top/${i + 1}`;
    return `  ${CURL} -o ${dir}/body" -D ${dir}/head" ${args}`;
  });
  return [
    ...own.flatMap(titleOf),
    ...told.flatMap(({ i, before }) => [
      `mkdir -p "$top/${i + 1}"; : >"$top/${i + 1}/body"`,
      ...before,
    ]),
    `mkfifo "$top/go${client}" || exit 2`,
    `curl -K "$top/go${client}" -sS \\`,
    ...asks.map((line, at) => (at < asks.length - 1 ? `${line} --next \\` : `${line} \\`)),
    `  >"$top/said${client}" &`,
  ];
}

/** Descriptors that a shell leaves to scripts begin here. */
const DESCRIPTOR = 3;

/** The requests at the same time. */
function racedLines(raced: readonly Placed[]): readonly string[] {
  const clients = [...new Set(raced.flatMap(({ one }) => one.client ?? []))];
  const ownOf = (client: number): readonly Placed[] =>
    raced.filter(({ one }) => one.client === client);
  const opened = clients.map((client, at) => `${at + DESCRIPTOR}>"$top/go${client}"`);
  const closed = clients.map((_, at) => `${at + DESCRIPTOR}>&-`);
  return [
    'rm -f "$top"/go*',
    ...clients.flatMap((client) => clientLines(ownOf(client), client)),
    ...comments(["Opened when each client reads, closed for all at once."]),
    `exec ${opened.join(" ")}`,
    `exec ${closed.join(" ")}`,
    "wait",
    ...clients.flatMap((client) =>
      ownOf(client).map(({ i }, at) => {
        return `sed -n '${at + 1}{/^[1-9]/p;}' "$top/said${client}" >"$top/${i + 1}/status"`;
      }),
    ),
  ];
}

/** The requests behind them, one by one. */
function lastLines(last: readonly Placed[]): readonly string[] {
  return last.flatMap((placed) => [
    ...titleOf(placed),
    `dir=$top/${placed.i + 1}; mkdir -p "$dir"`,
    ...askLines(placed.one),
    `echo "$status" >"$dir/status"`,
  ]);
}

interface Look {
  readonly place: RacePlace;
  readonly print: string;
  readonly at: number;
}

/** Places that can be looked at by a shell. */
function looksOf({ race }: RaceFile, answers: readonly Answer[]): readonly Look[] {
  return race.places.flatMap((place, at) => {
    const print = printing(place, answers[place.request]?.body);
    const all = [race.seen, ...race.allowed].map((tuple) => tuple[at] ?? "");
    const isPrinted =
      place.in !== "body" || all.every((text) => printedValue(text || undefined) !== undefined);
    return print === undefined || !isPrinted ? [] : [{ place, print, at }];
  });
}

function patternOf(looks: readonly Look[], tuple: readonly string[]): string {
  const texts = looks.map(({ place, at }) => {
    const text = tuple[at] ?? "";
    return pattern(place.in === "body" ? (printedValue(text || undefined) ?? "") : text);
  });
  return texts.join("'|'");
}

function judgeLines({ race }: RaceFile, looks: readonly Look[]): readonly string[] {
  const known = looks.flatMap(({ place, at }) => {
    if (place.in !== "status") return [];
    const all = new Set([race.seen, ...race.allowed].map((tuple) => tuple[at]));
    return [
      `at ${place.request + 1}; case $status in ${[...all].join("|")}) ;; *) other=yes ;; esac`,
    ];
  });
  const allowed = [...new Set(race.allowed.map((tuple) => patternOf(looks, tuple)))];
  const now = looks.map(({ place, print }) => `at ${place.request + 1}; now="$now|$(${print})"`);
  return [
    "now=; other=",
    ...now,
    `now=\${now#|}`,
    ...known,
    "dir=$top",
    'echo "round $round: $now"',
    'case "$other$now" in',
    "  yes*) unsure=yes ;;",
    ...allowed.map((one) => `  ${one}) ;;`),
    "  *) broken=yes; break ;;",
    "esac",
  ];
}

const END = `
[ -z "$broken" ] || { echo "still broken: no order of the requests gives these answers"; exit 1; }
[ -z "$unsure" ] || { echo "answered otherwise than in any order and than before"; exit 2; }
echo "not broken any more, or it did not show"`;

/** The script. `answers` are those that the replay's requests had when it was made. */
export function raceScriptOf(file: RaceFile, answers: readonly Answer[]): string {
  const { fresh, requests, race } = file;
  const first = requests.findIndex(({ client }) => client !== undefined);
  const learn = (one: ReplayRequest, i: number): readonly string[] =>
    one.learns.map((learned) => learnLine(learned, answers[i] as Answer));
  const setup = requests
    .slice(0, first)
    .flatMap((one, i) => [
      ...titleOf({ one, i }),
      ...askLines(one),
      `wanted ${one.answered}`,
      ...learn(one, i),
    ]);
  const raced = requests.map((one, i) => ({ one, i })).slice(first);
  const learned = raced.flatMap(({ one, i }) => {
    const lines = learn(one, i);
    return lines.length === 0 ? [] : [`at ${i + 1}`, ...lines];
  });
  const looks = looksOf(file, answers);
  const lines = [
    ...headOf(file),
    HEAD.trim(),
    AT,
    ...(fresh.length === 0 ? [] : [LETTERS]),
    "",
    'command -v curl >/dev/null || { echo "curl is needed"; exit 2; }',
    "top=$dir; unsure=",
    `trap 'rm -rf "$top"' EXIT`,
    "round=0",
    `while [ $round -lt ${race.rounds * LESS_EXACT} ]; do`,
    "round=$((round + 1))",
    "dir=$top",
    ...TAG.split("\n"),
    ...fresh.map(freshLine),
    "",
    ...setup,
    "",
    ...comments(["At the same time:"]),
    ...racedLines(raced),
    ...learned,
    ...lastLines(raced.filter(({ one }) => one.client === undefined)),
    "",
    ...judgeLines(file, looks),
    "done",
    END.trim(),
  ];
  return `${lines.join("\n")}\n`;
}
