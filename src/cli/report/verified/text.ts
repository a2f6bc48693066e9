/** The report for people at a terminal: what is broken, what was not reached and why, the parts. */
import type { Verdict } from "../../../verify/index.ts";
import type { Paint } from "../../paint.ts";
import { excerpt } from "../../render/excerpt.ts";
import { counted, wrap } from "../../render/wrap.ts";
import { sourceOf } from "../model.ts";
import { messageWords } from "./messages.ts";
import { endedWords, type Item, type Looked } from "./model.ts";
import { countWords, isRace, raceWords, type ShownBreak, type Story, shownBreak } from "./story.ts";
import { cut, visible } from "./visible.ts";
import { type Group, givenForm, placeOfItem, whyGroups, whyWords } from "./why.ts";

export interface Page {
  readonly paint: Paint;
  readonly columns: number;
  /** Every item, those that were held, too. */
  readonly all: boolean;
}

/** Wrong answers that are shown; those behind may come of them. */
const BREAKS_SHOWN = 5;
const ITEMS_SHOWN = 3;
const DIFFERENCES_SHOWN = 6;
const LINES_SHOWN = 6;
const INDENT = "  ";
const BAR = 24;

/** The report, with a line break at its end. */
export function textReport(looked: Looked, page: Page): string {
  const { paint } = page;
  const lines = [
    `${paint.bold(visible(looked.title))} ${paint.dim("at")} ${visible(looked.address)}`,
    "",
    ...brokenLines(looked, page),
    ...messageLines(looked, page),
    ...notReachedLines(looked, page),
    ...listed(looked, { title: "Not stated, and met", verdict: "unstated" }, page),
    ...(page.all ? listed(looked, { title: "Held", verdict: "held" }, page) : []),
    ...partLines(looked, page),
    "",
    ...summary(looked, page),
  ];
  return `${lines.join("\n")}\n`;
}

/** Wrong answers that break the same item first, together. */
function brokenLines(looked: Looked, page: Page): readonly string[] {
  const groups = [...Map.groupBy(looked.breaks, ({ items }) => items[0] ?? "").values()];
  const rest = groups.length - BREAKS_SHOWN;
  return [
    ...groups.slice(0, page.all ? undefined : BREAKS_SHOWN).flatMap((own, i) => {
      const [first, ...others] = own.map((one) => shownBreak(looked, one));
      if (first === undefined) return [];
      return breakLines(looked, { one: first, others, number: i + 1 }, page);
    }),
    ...(rest > 0 && !page.all
      ? [`and ${counted(rest, "item that is broken", "items that are broken")}: --all`, ""]
      : []),
  ];
}

/** Messages that are wrong, numbered on from the wrong answers. */
function messageLines(looked: Looked, page: Page): readonly string[] {
  const { paint, columns } = page;
  const { eventBreaks } = looked.outcome.verified.session;
  const shown = eventBreaks.slice(0, page.all ? undefined : BREAKS_SHOWN);
  const rest = eventBreaks.length - shown.length;
  return [
    ...shown.flatMap((one) => {
      const items = one.items.flatMap((id) => looked.byId.get(id) ?? []);
      const words = messageWords(looked, one).slice(0, DIFFERENCES_SHOWN);
      return [
        paint.error(paint.bold("broken")) + paint.dim(` by a message of request ${one.number}`),
        ...items.slice(0, ITEMS_SHOWN).flatMap((item) => itemLines(looked, item, page)),
        ...words.map((line) => INDENT + cut(line, columns - INDENT.length)),
        "",
      ];
    }),
    ...(rest > 0 ? [`and ${counted(rest, "wrong message", "wrong messages")}: --all`, ""] : []),
  ];
}

interface Shown {
  readonly one: ShownBreak;
  /** Wrong answers of the same kind. */
  readonly others: readonly ShownBreak[];
  readonly number: number;
}

/** Columns of the words before what was sent and answered. */
const LABEL = 9;

function breakLines(looked: Looked, { one, others, number }: Shown, page: Page): string[] {
  const { paint, columns } = page;
  const story = one.few ?? one.found;
  const { answer, expected } = story;
  const label = (word: string): string => INDENT + paint.dim(word.padEnd(LABEL));
  const inner = INDENT + " ".repeat(LABEL);
  const width = columns - inner.length;
  const body = ({ body: text = "" }: Story["answer"]): string[] =>
    text === "" ? [] : [inner + cut(text, width)];
  const isStatus = answer.status !== expected.status;
  const isAtOnce = isRace(story);
  const few = one.few === undefined && !isAtOnce ? "" : ` in ${countWords(story)}`;
  const numbers = listOf([one.number, ...others.map((other) => other.number)]);
  const head = paint.error(paint.bold(`${number}. broken`)) + few;
  return [
    `${head}${paint.dim(`, found by ${numbers}`)}`,
    ...one.items.slice(0, ITEMS_SHOWN).flatMap((item) => itemLines(looked, item, page)),
    ...stepLines(story, page),
    ...(one.whyNot === undefined
      ? []
      : [INDENT + paint.dim(`no story of fewer requests: ${one.whyNot}`)]),
    ...(isAtOnce
      ? wrap(raceWords(story), columns - INDENT.length).map((line) => INDENT + line)
      : []),
    `${label("answered")}${paint.error(String(answer.status))}`,
    ...(isStatus ? body(answer) : []),
    `${label("expected")}${paint.good(String(expected.status))}`,
    ...(isStatus ? body(expected) : differenceLines(story, page)),
    "",
  ];
}

/** The requests that show it, or the one that found it. */
function stepLines({ steps }: Story, page: Page): string[] {
  const { paint, columns } = page;
  const inner = INDENT + " ".repeat(LABEL);
  const width = columns - inner.length;
  return steps.flatMap(({ request: { method, target, headers, body }, ...step }, i) => {
    const number = steps.length === 1 ? "request" : `${i + 1}`.padStart(LABEL - 2);
    const word = step.client === undefined ? number : `client ${step.client}`;
    const shown = headers.filter(([name]) => !/^(?:content-type|accept)$/i.test(name));
    const said = step.body === undefined ? [] : [step.body];
    const answered = cut([`answered ${step.answered}`, ...step.learns, ...said].join(", "), width);
    const isLast = i === steps.length - 1 && step.body === undefined;
    return [
      ...(step.pause === undefined ? [] : [inner + paint.dim(`after ${step.pause} ms`)]),
      `${INDENT}${paint.dim(word.padEnd(LABEL))}${paint.bold(method)} ${cut(target, width - 8)}`,
      ...shown.map(([name, value]) => inner + paint.dim(cut(`${name}: ${value}`, width))),
      ...(body === undefined || body === "" ? [] : [inner + cut(body, width)]),
      ...(isLast ? [] : [inner + (step.wrong ? paint.error(answered) : paint.dim(answered))]),
    ];
  });
}

const NUMBERS_SHOWN = 6;

function listOf(numbers: readonly number[]): string {
  const rest = numbers.length - NUMBERS_SHOWN;
  const shown = numbers.slice(0, NUMBERS_SHOWN).join(", ");
  const word = numbers.length === 1 ? "request" : "requests";
  return `${word} ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function itemLines({ outcome }: Looked, item: Item, { paint, columns }: Page): string[] {
  const { text, table } = sourceOf(outcome.report, item.span);
  const margin = String(item.line).length;
  const [source, carets] = excerpt(text, table, item.span, {
    columns: columns - margin - INDENT.length - 3,
    margin,
    mark: paint.error,
    dim: paint.dim,
  });
  return [INDENT + paint.code(placeOfItem(item)), INDENT + source, INDENT + carets];
}

function differenceLines({ differences }: Story, { paint, columns }: Page): string[] {
  const width = Math.floor((columns - INDENT.length - 9) / 2);
  const rest = differences.length - DIFFERENCES_SHOWN;
  return [
    ...differences.slice(0, DIFFERENCES_SHOWN).map((one) => {
      const where = one.in === "header" ? `header ${one.where}` : one.where || "the body";
      const observed = paint.error(cut(one.observed ?? "nothing", width));
      const expected = paint.good(cut(one.expected ?? "nothing", width));
      return `${INDENT}${" ".repeat(9)}${cut(where, width)}: ${observed}, not ${expected}`;
    }),
    ...(rest > 0 ? [`${INDENT}${" ".repeat(9)}and ${counted(rest, "difference")} more`] : []),
  ];
}

function notReachedLines(looked: Looked, page: Page): readonly string[] {
  const groups = whyGroups(looked);
  if (groups.length === 0) return [];
  const { paint, columns } = page;
  const form = givenForm(looked);
  const asked =
    form === undefined
      ? []
      : [
          paint.bold("What only the operator can tell, for `--given FILE`:"),
          ...wrap(form, columns - INDENT.length).map((line) => INDENT + paint.code(line)),
          "",
        ];
  const count = looked.counts["not reached"];
  return [
    paint.bold(`Not reached: ${counted(count, "item")}`),
    ...groups.flatMap((group) => groupLines(looked, group, page)),
    "",
    ...asked,
  ];
}

/** Reasons that differ from item to item. */
const OWN_WORDS: ReadonlySet<Group["is"]> = new Set(["gap", "not told"]);

function groupLines(looked: Looked, { is, heading, items }: Group, page: Page): string[] {
  const { paint, columns, all } = page;
  const bySaid = Map.groupBy(items, (item) =>
    OWN_WORDS.has(is) && item.why !== undefined ? whyWords(looked, item, item.why) : "",
  );
  const inner = [...bySaid].flatMap(([words, own]) => {
    const indent = words === "" ? INDENT.repeat(2) : INDENT.repeat(3);
    const said = words === "" ? [] : wrap(words, columns - 4).map((one) => `    ${one}`);
    const lines = new Map(own.map((item) => [`${item.file}:${item.line}`, item]));
    const shown = [...lines.values()].slice(0, all ? undefined : LINES_SHOWN);
    const rest = lines.size - shown.length;
    return [
      ...said,
      ...shown.map((item) => indent + placeAndText(looked, item, page, indent.length)),
      ...(rest > 0 ? [`${indent}${paint.dim(`and ${counted(rest, "line")} more: --all`)}`] : []),
    ];
  });
  return [`${INDENT}${paint.warning(heading)} ${paint.dim(`(${items.length})`)}`, ...inner];
}

function placeAndText(
  looked: Looked,
  item: Item,
  { paint, columns }: Page,
  indent: number,
): string {
  const place = `${item.file}:${item.line}`;
  const text = looked.lineOf(item)?.text || item.id;
  return `${paint.dim(place)}  ${cut(text, Math.max(20, columns - place.length - indent - 2))}`;
}

function listed(
  looked: Looked,
  { title, verdict }: { readonly title: string; readonly verdict: Verdict },
  page: Page,
): readonly string[] {
  const items = looked.items.filter((one) => one.verdict === verdict);
  const lines = new Map(items.map((item) => [`${item.file}:${item.line}`, item]));
  if (lines.size === 0) return [];
  const shown = [...lines.values()].slice(0, page.all ? undefined : LINES_SHOWN * 2);
  const rest = lines.size - shown.length;
  return [
    page.paint.bold(`${title}: ${counted(items.length, "item")}`),
    ...shown.map((item) => INDENT + placeAndText(looked, item, page, INDENT.length)),
    ...(rest > 0 ? [`${INDENT}${page.paint.dim(`and ${counted(rest, "line")} more: --all`)}`] : []),
    "",
  ];
}

/** How much of each part was held, broken and not reached, with a bar. */
function partLines({ parts }: Looked, { paint }: Page): readonly string[] {
  const width = Math.max(...parts.map(({ name }) => name.length));
  return parts.map(({ name, counts, total }) => {
    const size = (count: number): number =>
      count === 0 ? 0 : Math.max(1, Math.round((count * BAR) / total));
    const broken = size(counts.broken);
    const held = Math.min(BAR - broken, size(counts.held));
    const bar =
      paint.good("█".repeat(held)) +
      paint.error("█".repeat(broken)) +
      paint.dim("░".repeat(BAR - held - broken));
    const said = [
      `${counts.held} of ${total} held`,
      ...(counts.broken === 0 ? [] : [paint.error(`${counts.broken} broken`)]),
    ];
    return `${INDENT}${name.padEnd(width)}  ${bar}  ${said.join(", ")}`;
  });
}

function summary(looked: Looked, { paint }: Page): readonly string[] {
  const { counts, outcome, breaks } = looked;
  const { verified, seed } = outcome;
  const { length: messages } = verified.session.eventBreaks;
  const by = [
    ...(breaks.length > 0 ? [counted(breaks.length, "wrong answer", "wrong answers")] : []),
    ...(messages > 0 ? [counted(messages, "wrong message", "wrong messages")] : []),
  ].join(" and ");
  const broken =
    counts.broken === 0 ? paint.good("0 broken") : paint.error(`${counts.broken} broken by ${by}`);
  const rest = `${counts["not reached"]} not reached, ${counts.unstated} unstated`;
  const { session, seconds, races } = verified;
  const unknown = races?.unknown ? ` (${races.unknown} not judged)` : "";
  const raced = races === undefined ? "" : `, ${counted(races.run, "race")}${unknown},`;
  const run = `${counted(session.requests, "request")}${raced} in ${seconds.toFixed(1)} s`;
  return [
    `${broken}, ${paint.good(`${counts.held} held`)}, ${rest}`,
    paint.dim(`${run}, seed ${seed}: ${endedWords(outcome)}`),
  ];
}
