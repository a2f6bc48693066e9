/** Takes a check of two joined texts apart again: each span says which of the texts it is in. */
import type { Finding, Span } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { AssumedReport, CheckedSpec } from "../types.ts";
import type { Assumed } from "./assume.ts";

/** What tells the two texts apart. */
interface Border {
  /** Offset at which the assumptions begin. */
  readonly base: number;
  /** Offset at which they end. */
  readonly end: number;
}

function apart({ base, end }: Border, span: Span): Span {
  // A finding at the very end speaks of a part that the document does not have.
  if (span.start >= end) return { start: base - 1, end: base - 1 };
  if (span.start < base) return { start: span.start, end: Math.min(span.end, base - 1) };
  return { start: span.start - base, end: span.end - base, file: 1 };
}

/** Only what is silent in the document itself can be mended by inserting text. */
function findingApart(border: Border, { fix, ...finding }: Finding): Finding {
  const related = finding.related?.map((one) => ({ ...one, span: apart(border, one.span) }));
  return {
    ...finding,
    span: apart(border, finding.span),
    ...(related === undefined ? {} : { related }),
    ...(fix === undefined || fix.at >= border.base ? {} : { fix }),
  };
}

/** The outcome of a check of the joined texts with every span in its own text. */
export function placedApart(checked: CheckedSpec, assumed: Assumed): CheckedSpec {
  const border = { base: assumed.base, end: assumed.spec.text.length };
  const origins = new Map<ItemId, Span>();
  for (const [id, span] of [...checked.origins, ...assumed.places]) {
    if (!origins.has(id) || assumed.places.has(id)) origins.set(id, apart(border, span));
  }
  return {
    ...checked,
    findings: checked.findings.map((finding) => findingApart(border, finding)),
    gaps: checked.gaps.map((gap) => ({ ...gap, span: apart(border, gap.span) })),
    origins,
  };
}

const CLIP = 200;

/** What an assumption says, on one line; the span of a bullet that says none or free is its key. */
function wordsOf(text: string, { start, end }: Span): string {
  const words = text.slice(start, end).replaceAll(/\s+/g, " ").slice(0, CLIP);
  return words + (/^: (none|free)\b/.exec(text.slice(end, end + 8))?.[0] ?? "");
}

/** Names of the items inside a span; the items are in the order of their places. */
function within(items: readonly (readonly [ItemId, Span])[], { start, end }: Span): ItemId[] {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.[1].start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const found: ItemId[] = [];
  for (let at = low; (items[at]?.[1].start ?? end) < end; at++) {
    const [id, span] = items[at] as readonly [ItemId, Span];
    if (span.end <= end) found.push(id);
  }
  return found;
}

/** What the assumptions answer, in their order, with the items that come from each answer. */
export function assumedReports(
  assumed: Assumed,
  origins: ReadonlyMap<ItemId, Span>,
): AssumedReport[] {
  const border = { base: assumed.base, end: assumed.spec.text.length };
  const items = [...origins]
    .filter(([, span]) => span.file === 1)
    .sort(([, a], [, b]) => a.start - b.start);
  return assumed.fills
    .toSorted((a, b) => a.span.start - b.span.start)
    .map(({ span, instead, part, scope }) => {
      const place = apart(border, span);
      return {
        text: wordsOf(assumed.spec.text, span),
        part,
        scope,
        span: place,
        ...(instead === undefined ? {} : { instead: apart(border, instead) }),
        items: within(items, place),
      };
    });
}
