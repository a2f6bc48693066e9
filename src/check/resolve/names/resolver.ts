/** What all resolvers share: findings, origins, gaps, declared names, and what nodes hold. */
import type { Finding, Span } from "../../../base/index.ts";
import { type Budget, nearestWithin, newBudget, report } from "../../../base/index.ts";
import type { Member, Type } from "../../../expr/index.ts";
import type { Expression, ItemId } from "../../../plan/index.ts";
import type {
  BulletNode,
  Match,
  PartNode,
  RowNode,
  SectionNode,
  Spec,
  TableNode,
  TextSlot,
  WrittenCell,
} from "../../../spec/index.ts";
import { unfolded } from "../../../spec/index.ts";
import type { ClassRow, GapReport, Use } from "../../types.ts";
import { type Effects, noEffects, type SchemaDraft, type Value } from "./known.ts";
import { wordAdvice } from "./words.ts";

export { report } from "../../../base/index.ts";

/** Kinds of declared names; each has a name space of its own but types, which share one. */
type NameKind =
  | "type"
  | "routine"
  | "value"
  | "call"
  | "scheme"
  | "actor"
  | "event"
  | "webhook"
  | "stream"
  | "error"
  | "setting"
  | "schema"
  | "machine"
  | "endpoint"
  | "limit"
  | "block";

interface Declaration {
  readonly name: TextSlot;
  readonly section: SectionNode;
}

/** What the resolvers read and fill while they go through one specification. */
export interface Resolver {
  readonly spec: Spec;
  readonly findings: Finding[];
  readonly origins: Map<ItemId, Span>;
  /** Where each expression is written; a plan knows no places. */
  readonly places: Map<Expression, Span>;
  /** Conditions whose outcome is always the same. */
  readonly settled: Map<Expression, boolean>;
  /** What is known of the values of expressions that may go to the ends of their type. */
  readonly wide: Map<Expression, Type>;
  readonly gaps: Map<ItemId, GapReport>;
  /** What the search for the names that were meant may still take. */
  readonly compared: Budget;
  /** Failure rows for a class of conditions, in the order of the document. */
  readonly classRows: ClassRow[];
  /** Kind -> name -> where it is declared. */
  readonly declared: Map<NameKind, Map<string, Declaration>>;
  /** Object types by name: `body:POST /orders`, `part:Line` ... and rows by resource name. */
  readonly objects: Map<string, Map<string, Member>>;
  readonly collections: Map<string, string>;
  /** Resource -> the field that names its rows, of those that are resolved and have one. */
  readonly keys: Map<string, string>;
  readonly settings: Map<string, Type>;
  /** Schemas by name: those with headings, and those that stand in types. */
  readonly schemas: Map<string, SchemaDraft>;
  /** Values that expressions use like functions. */
  readonly values: Map<string, Value>;
  /** Names that no document can write, of values that are not known. */
  readonly unknownNames: Map<string, Type>;
  /** Where an expression uses values, by its place. */
  readonly uses: Map<number, Use>;
  /** Error -> the `with` values of each refusal that sends it. */
  readonly given: Map<string, Map<string, Type>[]>;
  /** Resources of which some step makes, sets or deletes rows, and fields that steps set. */
  readonly effects: Effects;
  /** The resource that `caller` is, once authentication is resolved. */
  callerResource?: string;
  /** The first step that is not shown: it may do anything, also send any error with any value. */
  hiddenStep?: ItemId;
  /** Where it is not shown who the caller is. */
  callerGap?: ItemId;
  /** Resource -> whether all that make its rows surely have a caller. */
  readonly createdByCaller: Map<string, boolean>;
  /** Whether some request, timer or event runs without a caller. */
  anonymous: boolean;
}

/** An empty resolver of `spec`; its findings begin with those that reading gave. */
export function newResolver(spec: Spec, findings: readonly Finding[]): Resolver {
  return {
    spec,
    findings: [...findings],
    origins: new Map(),
    places: new Map(),
    settled: new Map(),
    wide: new Map(),
    gaps: new Map(),
    compared: newBudget(),
    classRows: [],
    declared: new Map(),
    objects: new Map(),
    collections: new Map(),
    keys: new Map(),
    settings: new Map(),
    schemas: new Map(),
    values: new Map(),
    unknownNames: new Map(),
    uses: new Map(),
    given: new Map(),
    anonymous: false,
    createdByCaller: new Map(),
    effects: noEffects(),
  };
}

/** Remembers where an item stands. Gives its name. */
export function origin(r: Resolver, id: ItemId, span: Span): ItemId {
  if (!r.origins.has(id)) r.origins.set(id, span);
  return id;
}

/** A gap without its place. */
interface GapText {
  readonly id: ItemId;
  readonly part: string;
  readonly scope: string;
  readonly subject: string;
  readonly sentence: string;
  readonly blocking: boolean;
  readonly silent: boolean;
  readonly cell?: GapReport["cell"];
}

/** Records a gap under its name, the first time alone. Gives the name. */
export function addGap(r: Resolver, gap: GapText, span: Span): ItemId {
  if (!r.gaps.has(gap.id)) {
    const at = { start: span.start, end: span.end };
    const { id, cell, ...said } = gap;
    r.gaps.set(id, { id, ...said, span: at, ...(cell === undefined ? {} : { cell }) });
    origin(r, id, at);
  }
  return gap.id;
}

/** The part that an item's name begins with. */
export function partTitle(r: Resolver, id: ItemId): string {
  const slash = id.indexOf("/");
  const head = slash < 0 ? id : id.slice(0, slash);
  return r.spec.parts.find((part) => part.id === head)?.title ?? head;
}

const scopeNames = new WeakMap<SectionNode, string>();

/** The words of a heading as a scope name. */
export function scopeName(r: Resolver, section: SectionNode): string {
  if (section.heading === undefined) return partTitle(r, section.id);
  let name = scopeNames.get(section);
  if (name === undefined) {
    name = section.id.slice(section.id.indexOf("/") + 1);
    scopeNames.set(section, name);
  }
  return name;
}

/** Sections of each specification by scope: asked for at every endpoint, so found once. */
const byScope = new WeakMap<Spec, ReadonlyMap<string, readonly SectionNode[]>>();

/** All sections of a scope, in the order of the document. */
export function sectionsOf(r: Resolver, scope: SectionNode["scope"]): readonly SectionNode[] {
  let scopes = byScope.get(r.spec);
  if (scopes === undefined) {
    scopes = Map.groupBy(
      r.spec.parts.flatMap((part) => part.sections),
      (section) => section.scope,
    );
    byScope.set(r.spec, scopes);
  }
  return scopes.get(scope) ?? [];
}

/** Where a section can be pointed at: its heading, or its part's. */
export function headSpan(r: Resolver, section: SectionNode): Span {
  if (section.heading !== undefined) return section.heading;
  return partOf(r, section) ?? section;
}

function partOf(r: Resolver, section: SectionNode): PartNode | undefined {
  return r.spec.parts.find((part) => part.sections.includes(section));
}

/** The offset at which the line with `offset` ends, in front of its line break. */
export function lineEnd(r: Resolver, offset: number): number {
  const { text } = r.spec;
  let at = offset;
  while (at < text.length && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}

/** Where a gap stands and its name; some answer depends on it unless `blocking` is false. */
interface GapNode extends Span {
  readonly id: ItemId;
  readonly blocking?: boolean;
}

/** What stands from `node` to the end of its line, or in words which cell of which row it is. */
function sentenceAt(r: Resolver, node: Span): Pick<GapText, "sentence" | "cell"> {
  const { text } = r.spec;
  const line = text.slice(node.start, lineEnd(r, node.end)).slice(0, 300);
  let from = node.start;
  while (from > 0 && text[from - 1] !== "\n" && text[from - 1] !== "\r") from--;
  const plain = (one: string): string => one.replaceAll(/[ \t]+/g, " ").trim();
  if (text[from] !== "|") return { sentence: plain(line) };
  const cell = plain(line.split(PIPE)[0] ?? "");
  const before = text.slice(from, node.start).split(PIPE);
  const [, first = "", ...others] = text.slice(from, lineEnd(r, from)).split(PIPE);
  const title = titleOver(text, from, before.length - 1);
  if (title === undefined || before.length < 3) return { sentence: cell };
  // Beside other rules stands the subject of what is not shown.
  const [own = cell] = cell.split(";");
  const said = own.endsWith("not shown") ? own : `${own} is not shown`;
  const row = plain(first).slice(0, 120);
  const isWhole = others.slice(0, -1).every((one) => plain(one) === "not shown");
  return {
    sentence: `${title} of ${row}: ${said}`,
    ...(own === cell ? { cell: { column: title, row, isWhole } } : {}),
  };
}

const PIPE = /(?<!\\)\|/;
const ROWS_MAX = 2_000;

/** The title of a column above a row of a table that begins at `from`; undefined: not found. */
function titleOver(text: string, from: number, column: number): string | undefined {
  let end = from - 1;
  for (let i = 0; i < ROWS_MAX && end > 0; i++) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end);
    if (!line.startsWith("|")) return undefined;
    if (/^\|[\s:|-]+$/.test(line)) {
      const head = text.slice(text.lastIndexOf("\n", start - 2) + 1, start - 1);
      return head.split(PIPE)[column]?.trim();
    }
    end = start - 1;
  }
  return undefined;
}

/** The group in which something of an endpoint stands; undefined: it is the endpoint's own. */
export function groupOf(section: SectionNode, { start, end }: Span): SectionNode | undefined {
  return section.groups?.find((one) => one.start <= start && end <= one.end);
}

/** Records the gap of a bullet, cell or word that says `not shown`. Gives its name. */
export function shownGap(
  r: Resolver,
  section: SectionNode,
  node: GapNode,
  subject: string,
): ItemId {
  const owner = groupOf(section, node) ?? section;
  return addGap(
    r,
    {
      id: node.id,
      part: partTitle(r, owner.id),
      scope: scopeName(r, owner),
      subject,
      ...sentenceAt(r, node),
      blocking: node.blocking ?? true,
      silent: false,
    },
    node,
  );
}

/** The bullets with a key in the first of the sections that has one. */
export function bulletsOf(
  sections: readonly (SectionNode | undefined)[],
  key: string,
): BulletNode[] {
  for (const section of sections) {
    const found = section?.bullets.filter((bullet) => bullet.key === key) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

/** Declares a name; reports where it is declared already. */
export function declare(
  r: Resolver,
  kind: NameKind,
  name: TextSlot,
  section: SectionNode,
): boolean {
  let names = r.declared.get(kind);
  if (names === undefined) {
    names = new Map();
    r.declared.set(kind, names);
  }
  const before = names.get(name.text);
  if (before !== undefined) {
    r.findings.push({
      code: "second-name",
      severity: "error",
      span: { start: name.start, end: name.end },
      message: `The ${kind} \`${name.text}\` stands here again.`,
      hint: "Give one of the two another name, or put what belongs together under one heading.",
      related: [
        { span: { start: before.name.start, end: before.name.end }, message: "first stated here" },
      ],
    });
    return false;
  }
  names.set(name.text, { name, section });
  return true;
}

/** Whether a name of that kind is declared; reports an unknown one with the nearest. */
export function known(r: Resolver, kind: NameKind, name: TextSlot, what: string = kind): boolean {
  return isAmong(r, name, what, r.declared.get(kind));
}

/** Whether a name is one of those; reports one that is not with the nearest. */
export function isAmong(
  r: Resolver,
  name: TextSlot,
  what: string,
  names: ReadonlyMap<string, unknown> | ReadonlySet<string> | undefined,
): boolean {
  if (names?.has(name.text)) return true;
  unknownName(r, name, what, names?.keys() ?? []);
  return false;
}

/** Reports that there is no `what` of that name, with the nearest candidate. */
export function unknownName(
  r: Resolver,
  name: TextSlot,
  what: string,
  candidates: Iterable<string>,
): void {
  const word = wordAdvice(what, name.text);
  const best = word === undefined ? nearestWithin(r.compared, name.text, candidates) : undefined;
  report(r, "unknown-name", name, {
    // Joined into one text: a template keeps its pieces, and there can be many of these.
    message: ["There is no ", what, " `", name.text, "`."].join(""),
    hint: word ?? (best === undefined ? undefined : `Nearest: \`${best}\`.`),
  });
}

/** The cell of a row at an index. */
export function cellAt(row: RowNode, at: number): WrittenCell | undefined {
  const cell = row.cells[at];
  return cell === undefined ? undefined : unfolded(cell);
}

/** The cell of a row under a column's title. */
export function cellOf(table: TableNode, row: RowNode, title: string): WrittenCell | undefined {
  const at = table.columns.findIndex((column) => column.title === title);
  return at < 0 ? undefined : cellAt(row, at);
}

/** What the first cell of a row states, which names the row in most tables. */
export function firstMatch(row: RowNode): Match | undefined {
  return cellAt(row, 0)?.matches[0];
}

/** The tables of one kind in a section; none where there is no section. */
export function tablesOf(section: SectionNode | undefined, table: string): TableNode[] {
  return section?.tables.filter((one) => one.table === table) ?? [];
}

/** The text of a slot that holds text; empty where it has none. */
export function textOf(match: Match | undefined, slot: string): string {
  const value = match?.slots[slot];
  return value?.kind === "text" ? value.text : "";
}

/** A slot that holds text; undefined where it has none. */
export function slotOf(match: Match | undefined, slot: string): TextSlot | undefined {
  const value = match?.slots[slot];
  return value?.kind === "text" ? value : undefined;
}

/** The texts of a slot that holds several; none where it has none. */
export function textsOf(match: Match | undefined, slot: string): readonly TextSlot[] {
  const value = match?.slots[slot];
  return value?.kind === "texts" ? value.items : [];
}
