/** What every report of a verification is made from: items, lines and parts with their verdicts. */
import { positionOf, type Span } from "../../../base/index.ts";
import type { ItemId, Plan } from "../../../plan/index.ts";
import {
  type Break,
  type Exchange,
  Reasons,
  type Told,
  type Verdict,
  type Verified,
  type Why,
} from "../../../verify/index.ts";
import { type DocumentReport, placeOf, sourceOf } from "../model.ts";
import { Redactor } from "./redact.ts";

/** What was found, and of what. */
export interface Outcome {
  readonly report: DocumentReport;
  readonly origins: ReadonlyMap<ItemId, Span>;
  readonly verified: Verified;
  readonly address: string;
  readonly seed: number;
  readonly told: Told;
  /** Which failures an endpoint can have. */
  readonly occurring: ConstructorParameters<typeof Reasons>[1]["occurring"];
  /** Whether secrets are shown as they are. */
  readonly showsSecrets?: boolean;
}

/** An item of the document; lines and columns are one-based, the end is behind the last sign. */
export interface Item {
  readonly id: ItemId;
  readonly part: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly span: Span;
  readonly verdict: Verdict;
  /** Numbers of requests that show it. */
  readonly requests: readonly number[];
  /** Of one that was not reached. */
  readonly why?: Why;
}

/** A line of the document, which may state several items. */
export interface Line {
  readonly file: string;
  readonly line: number;
  /** Without space around it. */
  readonly text: string;
  readonly items: readonly Item[];
  /** The worst of its items where one is broken, else what was found of any of them. */
  readonly verdict: Verdict;
}

export type Counts = Readonly<Record<Verdict, number>>;

export interface Part {
  /** As in the ids of items. */
  readonly name: string;
  readonly counts: Counts;
  readonly total: number;
}

/** All that reports show, looked up once. */
export interface Looked {
  readonly outcome: Outcome;
  readonly plan: Plan;
  readonly title: string;
  /** Without names and passwords. */
  readonly address: string;
  readonly items: readonly Item[];
  readonly byId: ReadonlyMap<ItemId, Item>;
  readonly lines: readonly Line[];
  lineOf(item: Item): Line | undefined;
  readonly parts: readonly Part[];
  readonly counts: Counts;
  readonly breaks: readonly Break[];
  readonly exchanges: ReadonlyMap<number, Exchange>;
  readonly redactor: Redactor;
}

/** In the order in which they outweigh one another on a line. */
const VERDICTS: readonly Verdict[] = ["broken", "held", "not reached", "unstated"];

function countsOf(items: readonly Item[]): Counts {
  const count = (verdict: Verdict): number => items.filter((one) => one.verdict === verdict).length;
  return Object.fromEntries(VERDICTS.map((one) => [one, count(one)])) as Record<Verdict, number>;
}

/** All items in the order of the document. */
function itemsOf(outcome: Outcome): readonly Item[] {
  const { report, origins, verified, told, occurring } = outcome;
  const { session } = verified;
  let reasons: Reasons | undefined;
  const whyOf = (id: ItemId): Why => {
    const hasRows = (name: string): boolean => session.judge.world.rows(name).length > 0;
    reasons ??= new Reasons(session.plan, {
      told,
      gapsMet: session.gapsMet,
      limitsMet: session.limitsMet,
      hasRows,
      occurring,
    });
    return reasons.of(id);
  };
  const items = [...origins].map(([id, span]): Item => {
    const { verdict, by } = session.verdicts.of(id);
    return {
      id,
      part: id.slice(0, Math.max(0, id.indexOf("/"))),
      file: sourceOf(report, span).file,
      ...placeOf(report, span),
      span,
      verdict,
      requests: by,
      ...(verdict === "not reached" ? { why: whyOf(id) } : {}),
    };
  });
  const at = ({ span }: Item): number =>
    span.start + (span.file === undefined ? 0 : report.text.length);
  return items.toSorted((a, b) => at(a) - at(b));
}

const placeName = ({ file, line }: Pick<Line, "file" | "line">): string => `${line} ${file}`;

function linesOf({ report }: Outcome, items: readonly Item[]): readonly Line[] {
  const groups = Map.groupBy(items, placeName);
  return [...groups.values()].map((own) => {
    const [{ file, line, span }] = own as [Item];
    const { text, table } = sourceOf(report, span);
    const from = table.starts[positionOf(table, span.start).line - 1] ?? 0;
    const end = text.slice(from).search(/[\r\n]/);
    const verdict =
      (["broken", "held", "unstated"] as const).find((one) =>
        own.some((item) => item.verdict === one),
      ) ?? "not reached";
    const words = text.slice(from, end < 0 ? undefined : from + end).trim();
    return { file, line, text: words, items: own, verdict };
  });
}

function partsOf(items: readonly Item[]): readonly Part[] {
  const groups = Map.groupBy(items, ({ part }) => part);
  return [...groups]
    .filter(([name]) => name !== "")
    .map(([name, own]) => ({ name, counts: countsOf(own), total: own.length }));
}

function addressOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.username + url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/** Looks up all that is reported; linear in the document and the exchanges. */
export function lookedAt(outcome: Outcome): Looked {
  const { report, verified, told, showsSecrets = false } = outcome;
  const { plan, breaks, exchanges } = verified.session;
  const items = itemsOf(outcome);
  const lines = linesOf(outcome, items);
  const byPlace = new Map(lines.map((one) => [placeName(one), one]));
  return {
    outcome,
    plan,
    title: report.checked.title ?? report.file,
    address: addressOf(outcome.address),
    items,
    byId: new Map(items.map((item) => [item.id, item])),
    lines,
    lineOf: (item) => byPlace.get(placeName(item)),
    parts: partsOf(items),
    counts: countsOf(items),
    breaks,
    exchanges: new Map(exchanges.map((one) => [one.number, one])),
    redactor: new Redactor(plan, exchanges, told, showsSecrets),
  };
}

/** Why it ended, in words. */
export function endedWords({ verified }: Outcome): string {
  switch (verified.ended) {
    case "nothing new":
      return "nothing new was found";
    case "requests":
      return "all requests that were allowed were made";
    case "seconds":
      return "the time that was allowed was over";
    case "broken answers":
      return "as many answers were wrong as were allowed";
    case "no answer":
      return "no answer came";
    case "stopped":
      return "it was stopped";
  }
}
