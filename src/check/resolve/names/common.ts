/** Names that every expression sees, and names of items that a cell holds. */
import { contentName, type Span } from "../../../base/index.ts";
import { type Member, noFacts, type Type } from "../../../expr/index.ts";
import type { ItemId } from "../../../plan/index.ts";
import { type View, withNames } from "./expression.ts";
import type { Resolver } from "./resolver.ts";
import { hiddenType } from "./types.ts";

/** Whether a place has a caller: surely, perhaps, or never. */
export type CallerState = "sure" | "maybe" | "none";

/** `now`, `setting` and `caller`. Where a place serves several requests, the caller may be null. */
export function commonNames(r: Resolver, caller?: CallerState): View {
  const names = new Map<string, Type>([
    ["now", { kind: "timestamp" }],
    ["setting", { kind: "object", name: "setting" }],
  ]);
  const state = caller ?? (r.anonymous ? "maybe" : "sure");
  if (r.callerResource !== undefined && state !== "none") {
    const row: Type = { kind: "row", resource: r.callerResource };
    names.set("caller", state === "sure" ? row : { kind: "nullable", of: row });
  } else if (r.callerGap !== undefined && state !== "none") {
    names.set("caller", hiddenType(r.callerGap));
  }
  return { names, facts: noFacts() };
}

/** What is shown, done or sent sees the document as well: `service.version`. */
export function withService(r: Resolver, view: View): View {
  // A collection of that name was there before.
  if (r.collections.has("service") || !r.objects.has("service")) return view;
  return withNames(view, [["service", { kind: "object", name: "service" }]]);
}

const REQUEST: Type = { kind: "object", name: "request" };

const REQUEST_MEMBERS: ReadonlyMap<string, Member> = new Map(
  ["id", "method", "url"].map((name) => [name, { type: { kind: "string" }, absent: false }]),
);

/** What a request is answered by sees how it was sent. */
export function withRequest(r: Resolver, view: View): View {
  if (r.collections.has("request")) return view;
  r.objects.set("request", new Map(REQUEST_MEMBERS));
  return withNames(view, [["request", REQUEST]]);
}

/** The name of what a cell of a row answers. */
export function cellAnswerId(rowId: string, what: string): string {
  return `${rowId}/${what}`;
}

/** The names of what stands in one cell, by its words: what comes before changes none of them. */
export function contentIds(
  r: Resolver,
  owner: ItemId,
  kind: string,
  spans: readonly Span[],
): ItemId[] {
  const taken = new Map<ItemId, number>();
  return spans.map(({ start, end }) => {
    const id = [owner, `${kind} ${contentName(r.spec.text.slice(start, end))}`].join("/");
    const count = (taken.get(id) ?? 0) + 1;
    taken.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}
