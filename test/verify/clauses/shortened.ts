/**
 * Documents with short times in the place of those that nobody waits for, and small amounts in the
 * place of those that few come to, as a team states them for a service that is to be tested.
 */
import type { Changed } from "./operators.ts";

/** A length of time, in prose or in code. */
const TIME = /\b\d+ (?:s|min|h|days?)\b|duration\("\d+[smhd]"\)/g;
/** Times that are not waited for: how long a request may take, how long versions are kept. */
const OTHERS = /request time|\bkept \d+ days\b|Lateness/;
/** What happens by itself is stated in these parts. */
const PARTS = /^## (?:Resources|States|Endpoints|Events)/;
/** Times of messages are told together alone: attempts, and how long each may take. */
const EVENTS = /^Events/;

const seconds = (count: number, like: string): string =>
  like.startsWith("duration") ? `duration("${count}s")` : `${count} s`;
const short = (time: string): string => seconds(1, time);
/** The longer of a time and what it was made: far enough from the others to be told from late. */
const LONGER_S = 4;

/** The amount of a limit on requests, in its row. */
const AMOUNT = /(?<=^\|[^|]*\| requests[^|]*\|[^|]*\| *)\d{3,}(?= *\|)/;
/** The same in a document with small amounts. */
const FEW = 20;

const amountOf = (line: string): number => Number(AMOUNT.exec(line)?.[0] ?? Number.NaN);

/** The line and the changed one with small amounts, of which the greater one stays greater. */
function changedAmount(own: string, line: string): { own: string; line: string } | undefined {
  const more = Math.sign(amountOf(line) - amountOf(own));
  if (!more || own.replace(AMOUNT, "") !== line.replace(AMOUNT, "")) return undefined;
  const made = (count: number): string => own.replace(AMOUNT, String(count)).replace(TIME, short);
  return { own: made(FEW), line: made(FEW + more) };
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function lengthOf(time: string): number {
  const [, count = "", unit = ""] = /(\d+) ?([smhd])/.exec(time) ?? [];
  return Number(count) * (UNITS[unit] ?? 0);
}

/**
 * The line and the changed one with their times shortened, of which the longer one stays longer;
 * undefined: no time was changed, or something else too.
 */
function changedTime(own: string, line: string): { own: string; line: string } | undefined {
  const [times, others] = [own.match(TIME) ?? [], line.match(TIME) ?? []];
  const at = times.findIndex((one, i) => one !== others[i]);
  const isAlone = own.replace(TIME, "") === line.replace(TIME, "");
  if (at < 0 || !isAlone || times.length !== others.length) return undefined;
  const isLonger = lengthOf(others[at] ?? "") > lengthOf(times[at] ?? "");
  const made = (text: string, isLong: boolean): string => {
    let i = 0;
    return text.replace(TIME, (time) =>
      i++ === at && isLong ? seconds(LONGER_S, time) : short(time),
    );
  };
  return { own: made(own, !isLonger), line: made(line, isLonger) };
}

/**
 * The same change in the document with its times shortened: those of the changed line, or all that
 * something happens by. Undefined: it has none.
 */
export function shortened(
  text: string,
  changed: Changed,
  clausesOf: (text: string) => readonly Changed[],
): { readonly text: string; readonly changed: string } | undefined {
  const lines = text.split("\n");
  const shorten = (line: string): string =>
    OTHERS.test(line) ? line : line.replace(TIME, short).replace(AMOUNT, String(FEW));
  const at = changed.line - 1;
  const own = lines[at] ?? "";
  const isAlone = shorten(own) !== own && !EVENTS.test(changed.part);
  let part = "";
  const all = lines.map((line) => {
    if (line.startsWith("## ")) part = line;
    return PARTS.test(part) ? shorten(line) : line;
  });
  const other = isAlone ? lines.with(at, shorten(own)) : all;
  const whole = other.join("\n");
  if (whole === text) return undefined;
  const line = changed.text.split("\n")[at] ?? "";
  const times = changedTime(own, line) ?? changedAmount(own, line);
  if (times !== undefined && !OTHERS.test(own)) {
    const [text, changedText] = [times.own, times.line].map((one) =>
      other.with(at, one.replace(AMOUNT, String(FEW))).join("\n"),
    );
    return { text: text ?? "", changed: changedText ?? "" };
  }
  const alike = (one: Changed): boolean => one.line === changed.line && one.kind === changed.kind;
  const before = clausesOf(text).filter(alike);
  const nth = before.findIndex(({ text: own }) => own === changed.text);
  const found = clausesOf(whole).filter(alike)[nth];
  return found === undefined ? undefined : { text: whole, changed: found.text };
}
