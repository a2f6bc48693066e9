/** Resolves the limit table. */
import { everyPart, type Type } from "../../../expr/index.ts";
import {
  type Counts,
  type Expression,
  isStated,
  itemOf,
  type Limit,
  type LimitAnswers,
  type Refusal,
  statedOf,
} from "../../../plan/index.ts";
import type { Match, TextSlot } from "../../../spec/index.ts";
import { answer, NOT_ASKED } from "../names/asking.ts";
import { cellAnswer, rowsOf, type TableRow } from "../names/cells.ts";
import type { Collected } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { resolve, sends, withNames } from "../names/expression.ts";
import {
  addGap,
  cellOf,
  firstMatch,
  isAmong,
  known,
  origin,
  partTitle,
  type Resolver,
  report,
  scopeName,
  sectionsOf,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";

/** A row of the limit table. */
interface Row extends TableRow {
  readonly names: Collected;
}

/** The row whose limit it is, where Per or Counts does not show it. */
const UNKNOWN: Type = { kind: "unknown" };

const BYTES: Readonly<Record<string, Counts>> = {
  "body bytes": { is: "body bytes" },
  "header bytes": { is: "header bytes" },
  "path bytes": { is: "path bytes" },
  "request time": { is: "request time" },
};

function counts(at: Row, match: Match): Counts {
  const { r, names } = at;
  const fixed = BYTES[match.form];
  if (fixed !== undefined) return fixed;
  switch (match.form) {
    case "requests to": {
      known(r, "endpoint", slotOf(match, "endpoint") as TextSlot);
      const status = textOf(match, "status");
      return {
        is: "requests",
        endpoint: textOf(match, "endpoint"),
        ...(status === "" ? {} : { status: Number(status) }),
      };
    }
    case "rows kept": {
      const resource = slotOf(match, "resource") as TextSlot;
      isAmong(r, resource, "resource", names.resources);
      return { is: "rows kept", resource: resource.text };
    }
    case "sum": {
      const resource = slotOf(match, "resource") as TextSlot;
      const field = slotOf(match, "field") as TextSlot;
      const members = r.objects.get(`row:${resource.text}`);
      if (members === undefined) unknownName(r, resource, "resource", names.resources.keys());
      else isAmong(r, field, `field of \`${resource.text}\``, members);
      const rows = rowsOf(r, [names.machines.get(resource.text)], "transitions");
      const known = rows.map(({ row }) => textOf(firstMatch(row), "name"));
      for (const one of textsOf(match, "transitions")) {
        if (known.includes(one.text) || members === undefined) continue;
        unknownName(r, one, `transition of \`${resource.text}\``, known);
      }
      return {
        is: "sum",
        resource: resource.text,
        field: field.text,
        transitions: textsOf(match, "transitions").map((slot) => slot.text),
      };
    }
    default:
      return { is: "requests" };
  }
}

/** What is counted; a cell that says nothing of it is a gap, whatever it says instead. */
function counted(at: Row): Counts {
  const said = cellAnswer(at, "Counts", (match) => counts(at, match));
  if (isStated(said)) return said.value;
  return { is: "gap", gap: itemOf(said) ?? at.row.id };
}

function facetOf(said: Counts, window: Limit["window"]): Limit["facet"] {
  if (said.is === "gap") return undefined;
  if (said.is === "request time") return "time-outs";
  if (said.is === "rows kept" || said.is === "sum") return "quotas";
  if (said.is === "requests") {
    return statedOf(window)?.is === "day" ? "quotas" : "rate limits";
  }
  return "size limits";
}

/** The resource that a Per field of the counted rows refers to. */
function perRow(at: Row, said: Counts, field: TextSlot): string | undefined {
  const resource = said.is === "rows kept" || said.is === "sum" ? said.resource : undefined;
  if (resource === undefined) {
    report(at.r, "wrong-type", field, {
      message: "Only rows that are counted have a field.",
      hint: "Write caller, address, everyone or request.",
    });
    return undefined;
  }
  const members = at.r.objects.get(`row:${resource}`);
  const type = members?.get(field.text)?.type;
  const bare = type?.kind === "nullable" ? type.of : type;
  if (type === undefined)
    unknownName(at.r, field, `field of \`${resource}\``, members?.keys() ?? []);
  else if (bare?.kind === "row") return bare.resource;
  else if (bare?.kind !== "unknown") {
    report(at.r, "wrong-type", field, { message: `\`${field.text}\` refers to no row.` });
  }
  return undefined;
}

function amount(
  at: Row,
  match: Match,
  it: Type | undefined,
): { value: Expression; atLeast: boolean } {
  const view = commonNames(at.r, "sure");
  const seen = it === undefined ? view : withNames(view, [["it", it]]);
  if (match.form === "time") {
    const slot = slotOf(match, "time") as TextSlot;
    const text = durationLiteral(slot.text);
    return { value: resolve(at.r, { ...slot, text }, seen).expression, atLeast: false };
  }
  const slot = (slotOf(match, "amount") ?? slotOf(match, "value")) as TextSlot;
  return { value: resolve(at.r, slot, seen).expression, atLeast: match.form === "at least" };
}

/** `5 min` as the CEL text `duration("5m")`. */
function durationLiteral(text: string): string {
  const [number = "0", unit = "s"] = text.split(/\s+/);
  const short = unit === "min" ? "m" : unit.startsWith("day") ? "d" : unit;
  return `duration("${number}${short}")`;
}

function window(at: Row): Limit["window"] {
  return cellAnswer(at, "Window", (match) => {
    if (match.form === "day") {
      const zone = slotOf(match, "zone") as TextSlot;
      const expected: Type = { kind: "zone" };
      const quoted = /^".*"$|^'.*'$/.test(zone.text);
      const value = resolve(at.r, zone, commonNames(at.r, "sure"), quoted ? undefined : expected);
      return { is: "day" as const, zone: value.expression };
    }
    return { is: match.form as "sliding" | "fixed", durationText: textOf(match, "time") };
  });
}

/** Whose counts there are of what is counted, and whether it leaves with time. */
type Shown = Exclude<Counts, { readonly is: "gap" }>;

const FITS: Readonly<Record<Shown["is"], { readonly per: readonly string[]; window: boolean }>> = {
  requests: { per: ["caller", "address", "everyone"], window: true },
  "body bytes": { per: ["request"], window: false },
  "header bytes": { per: ["request"], window: false },
  "path bytes": { per: ["request"], window: false },
  "request time": { per: ["request"], window: false },
  "rows kept": { per: ["everyone", "field"], window: false },
  sum: { per: ["caller", "everyone", "field"], window: true },
};

/** Reports cells that say nothing of what is counted: a service could not do as they say. */
function fitting(at: Row, counted: Shown, per: Limit["per"], within: Limit["window"]): void {
  const fits = FITS[counted.is];
  const wrong = (title: string, message: string, hint: string): void =>
    report(at.r, "wrong-type", cellOf(at.table, at.row, title) ?? at.row, { message, hint });
  if (isStated(per) && !fits.per.includes(per.value.is)) {
    const known = fits.per.map((one) => (one === "field" ? "a field of the rows" : one));
    wrong("Per", "What this limit counts is not counted so.", `Write ${known.join(" or ")}.`);
  }
  if (isStated(within) && !fits.window) {
    wrong("Window", "What this limit counts has no window.", "Write none.");
  }
  const passes = counted.is === "request time" || (fits.window && within.is !== "none");
  const retries = cellOf(at.table, at.row, "When passed")?.matches[0]?.form === "retry";
  if (retries && !passes) {
    wrong("When passed", "No time tells when such a request may pass.", "Write the error alone.");
  }
}

/** Reports an amount of rows where nothing is read yet when the limit is judged. */
function readBefore(at: Row, counted: Shown, most: Limit["amount"]): void {
  if (FITS[counted.is].per[0] !== "request" || !isStated(most)) return;
  const reads = [...everyPart(most.value.value.code)].some((one) => one.op === "rows");
  if (!reads) return;
  report(at.r, "wrong-type", cellOf(at.table, at.row, "Amount") ?? at.row, {
    message: "This limit is judged before any row is read.",
    hint: "Write a number, or an expression over settings.",
  });
}

function limit(at: Row): Limit | undefined {
  const { r, row } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const id = origin(r, row.id, name);
  const said = counted(at);
  let it: Type | undefined;
  const per: Limit["per"] = cellAnswer(at, "Per", (match) => {
    const field = slotOf(match, "field");
    if (field === undefined) return { is: textOf(match, "per") as "caller" };
    const resource = said.is === "gap" ? undefined : perRow(at, said, field);
    it = resource === undefined ? UNKNOWN : { kind: "row", resource };
    return { is: "field" as const, field: field.text };
  });
  const { callerResource: resource } = r;
  if (per.is === "gap") it = UNKNOWN;
  else if (statedOf(per)?.is === "caller" && resource !== undefined) {
    it = { kind: "row", resource };
  }
  const within = window(at);
  const facet = facetOf(said, within);
  if (said.is !== "gap") fitting(at, said, per, within);
  const most = cellAnswer(at, "Amount", (match) => amount(at, match, it));
  if (said.is !== "gap") readBefore(at, said, most);
  const whenPassed = passed(at, id);
  return {
    id,
    name: name.text,
    ...(facet === undefined ? {} : { facet }),
    counts: said,
    per,
    amount: most,
    window: within,
    whenPassed: isStated(most) && most.value.atLeast ? above(at, name) : whenPassed,
  };
}

/** What a request gets that passes the limit. */
function passed(at: Row, id: string): Limit["whenPassed"] {
  return cellAnswer(at, "When passed", (match): Refusal & { retryAfter?: boolean } => {
    const error = slotOf(match, "error") as TextSlot;
    known(at.r, "error", error);
    sends(at.r, error.text, new Map());
    return {
      is: "error",
      id: `${id}/when passed`,
      error: error.text,
      with: [],
      ...(match.form === "retry" ? { retryAfter: true } : {}),
    };
  });
}

/** Of `at least n` it is not known what a request gets that comes above n. */
function above({ r, section, table, row }: Row, { text: limit }: TextSlot): Limit["whenPassed"] {
  const written = cellOf(table, row, "Amount") ?? row;
  const words = r.spec.text.slice(written.start, written.end).trim();
  const sentence = `Amount of \`${limit}\`: ${words}`;
  const about = { part: partTitle(r, section.id), scope: scopeName(r, section) };
  const said = { subject: "what is above the amount", sentence, blocking: true, silent: false };
  return { is: "gap", gap: addGap(r, { id: `${row.id}/above`, ...about, ...said }, written) };
}

/** Resolves the limits. */
export function resolveLimits(r: Resolver, names: Collected): Limit[] {
  const rows = rowsOf(r, sectionsOf(r, "limits"), "limits");
  return rows.flatMap((at) => limit({ ...at, names }) ?? []);
}

/** Part-level answers about limits. */
export function resolveLimitAnswers(r: Resolver, limits: readonly Limit[]): LimitAnswers {
  const [section] = sectionsOf(r, "limits");
  if (section === undefined) return { sent: NOT_ASKED };
  const raised = limits.some((one) => one.counts.is === "requests");
  const headers = (match: Match) => textsOf(match, "headers").map((slot) => slot.text);
  return { sent: answer({ r, section }, "limit headers", headers, { raised }) };
}
