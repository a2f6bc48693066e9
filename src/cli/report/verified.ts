/** What `lacuna verify` says: for people, and as JSON. */
import { positionOf, type Span } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Break, Verdict, Verified } from "../../verify/index.ts";
import type { Paint } from "../paint.ts";
import { counted } from "../render/wrap.ts";
import { type DocumentReport, sourceOf } from "./model.ts";

/** What was found, and of what. */
export interface Outcome {
  readonly report: DocumentReport;
  readonly origins: ReadonlyMap<ItemId, Span>;
  readonly verified: Verified;
  readonly address: string;
  readonly seed: number;
}

interface Item {
  readonly id: ItemId;
  readonly part: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line of the document, without space around it. */
  readonly text: string;
  readonly verdict: Verdict;
  /** Numbers of requests that show it. */
  readonly requests: readonly number[];
}

const VERDICTS: readonly Verdict[] = ["broken", "held", "not reached", "unstated"];

/** All items in the order of the document. */
function itemsOf({ report, origins, verified }: Outcome): readonly Item[] {
  const items = [...origins].map(([id, span]): Item & { readonly at: number } => {
    const source = sourceOf(report, span);
    const { line, column } = positionOf(source.table, span.start);
    const from = source.text.lastIndexOf("\n", span.start - 1) + 1;
    const end = source.text.indexOf("\n", span.start);
    const text = source.text.slice(from, end < 0 ? undefined : end).trim();
    const { verdict, by } = verified.verdicts.of(id);
    const part = id.slice(0, Math.max(0, id.indexOf("/")));
    const at = span.start + (span.file === undefined ? 0 : report.text.length);
    return { id, part, file: source.file, line, column, text, verdict, requests: by, at };
  });
  return items.toSorted((a, b) => a.at - b.at).map(({ at: _, ...item }) => item);
}

function countsOf(items: readonly Item[]): Readonly<Record<Verdict, number>> {
  const count = (verdict: Verdict): number => items.filter((one) => one.verdict === verdict).length;
  return Object.fromEntries(VERDICTS.map((one) => [one, count(one)])) as Record<Verdict, number>;
}

/** One JSON object with a line break at its end. */
export function verifiedJson(outcome: Outcome): string {
  const { verified, seed, address } = outcome;
  const items = itemsOf(outcome);
  const broken = verified.breaks.map(({ number, request, answer, expected, items: of }) => ({
    request: number,
    items: of,
    sent: request,
    answered: { status: answer.status, headers: answer.headers, body: answer.body ?? null },
    expected: {
      status: expected.status,
      headers: expected.headers,
      body: expected.body ?? null,
    },
  }));
  const { requests, seconds, ended } = verified;
  const run = { address, seed, requests, seconds: Number(seconds.toFixed(3)), ended };
  const shown = items.map(({ text: _, ...item }) => item);
  return `${JSON.stringify({ items: shown, counts: countsOf(items), broken, run }, null, 2)}\n`;
}

interface Page {
  readonly paint: Paint;
  readonly columns: number;
  readonly all: boolean;
}

/** Breaks that are shown; those behind may come of them. */
const BREAKS_SHOWN = 5;
const ITEMS_SHOWN = 12;

/** The report for people. */
export function verifiedText(outcome: Outcome, page: Page): string {
  const { verified, report, address, seed } = outcome;
  const items = itemsOf(outcome);
  const counts = countsOf(items);
  const { paint } = page;
  const lines = [
    `${paint.bold(report.checked.title ?? report.file)} at ${address}`,
    "",
    ...verified.breaks.slice(0, BREAKS_SHOWN).flatMap((one, i) => breakLines(one, i, items, page)),
    ...more(
      verified.breaks.length - BREAKS_SHOWN,
      "answer that is wrong",
      "answers that are wrong",
    ),
    ...listed("Not reached", "not reached", items, page),
    ...listed("Not stated, and met", "unstated", items, page),
    ...(page.all ? listed("Held", "held", items, page) : []),
    ...partLines(items, page),
    "",
    summary(counts, outcome, page),
    paint.dim(
      `${counted(verified.requests, "request")}, ${verified.seconds.toFixed(1)} s, seed ${seed}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function more(count: number, one: string, many: string): readonly string[] {
  return count > 0 ? [`and ${counted(count, one, many)}`, ""] : [];
}

function summary(counts: Readonly<Record<Verdict, number>>, _: Outcome, { paint }: Page): string {
  const broken =
    counts.broken === 0 ? paint.good("0 broken") : paint.error(`${counts.broken} broken`);
  const rest = `${counts["not reached"]} not reached, ${counts.unstated} unstated`;
  return `${broken}, ${paint.good(`${counts.held} held`)}, ${rest}`;
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
}

function breakLines(one: Break, at: number, items: readonly Item[], page: Page): readonly string[] {
  const { paint, columns } = page;
  const { request, answer, expected, differences } = one;
  const known = new Map(items.map((item) => [item.id, item]));
  const places = one.items.flatMap((id) => known.get(id) ?? []);
  const width = columns - 4;
  const differing = differences
    .filter(({ in: where }) => where !== "status")
    .slice(0, 4)
    .map(({ where, expected: mine = "nothing", observed = "nothing" }) =>
      cut(`${where.join(".") || "body"}: ${observed}, not ${mine}`, width),
    );
  return [
    `${paint.error(`${at + 1}. broken`)} by request ${one.number}`,
    ...places.slice(0, 3).map((item) => {
      const place = `${item.file}:${item.line}:${item.column}`;
      return `   ${paint.bold(place)}  ${cut(item.text, width - place.length - 2)}`;
    }),
    `   ${cut(`${request.method} ${request.target}`, width)}`,
    ...(request.body === undefined ? [] : [`   ${cut(request.body, width)}`]),
    `   answered ${paint.error(String(answer.status))} ${cut(answer.body ?? "", width - 14)}`,
    `   expected ${paint.good(String(expected.status))} ${cut(expected.body ?? "", width - 14)}`,
    ...(answer.status === expected.status ? differing.map((line) => `     ${line}`) : []),
    "",
  ];
}

function listed(
  title: string,
  verdict: Verdict,
  items: readonly Item[],
  { paint, columns, all }: Page,
): readonly string[] {
  // One line of the document may state several items.
  const found = new Map<string, Item>();
  for (const item of items) {
    if (item.verdict === verdict) found.set(`${item.file}:${item.line}`, item);
  }
  if (found.size === 0) return [];
  const shown = [...found].slice(0, all ? undefined : ITEMS_SHOWN);
  const rest = found.size - shown.length;
  return [
    paint.bold(`${title}: ${counted(found.size, "line")}`),
    ...shown.map(
      ([place, item]) => `  ${paint.dim(place)}  ${cut(item.text, columns - place.length - 4)}`,
    ),
    ...(rest > 0 ? [`  and ${rest} more: --all shows them`] : []),
    "",
  ];
}

function partLines(items: readonly Item[], { paint }: Page): readonly string[] {
  const parts = [...new Set(items.map(({ part }) => part))].filter((part) => part !== "");
  const width = Math.max(...parts.map(({ length }) => length));
  return parts.map((part) => {
    const own = items.filter((one) => one.part === part);
    const counts = countsOf(own);
    const broken = counts.broken === 0 ? "" : paint.error(`  ${counts.broken} broken`);
    const held = String(counts.held).padStart(4);
    return `  ${part.padEnd(width)}  ${held} of ${own.length} held${broken}`;
  });
}
