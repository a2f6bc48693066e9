/** Tells what each of the 28 facets is, and records the gaps and sentences of the document. */
import type { Span } from "../../../base/index.ts";
import { type PartEntry, parts as partTable } from "../../../language/index.ts";
import {
  everyStep,
  isStated,
  type Service,
  type StatedAnswer,
  type Status,
} from "../../../plan/index.ts";
import { type SectionNode, type SentenceNode, statusOf } from "../../../spec/index.ts";
import type { FacetReport, PartReport } from "../../types.ts";
import { addGap, lineEnd, type Resolver, scopeName } from "../names/resolver.ts";

interface Found {
  readonly status: Status;
  readonly span: Span;
}

type Sections = readonly SectionNode[];

const firstHeading = (sections: Sections, scope: SectionNode["scope"]): Span | undefined =>
  sections.find((section) => section.scope === scope)?.heading;

const firstBullet = (
  sections: Sections,
  scope: SectionNode["scope"],
  ...keys: string[]
): Found | undefined => {
  const bullets = sections
    .filter((section) => section.scope === scope)
    .flatMap((section) => section.bullets)
    .filter((bullet) => keys.length === 0 || keys.includes(bullet.key));
  const best = bullets.find((bullet) => bullet.status === "stated") ?? bullets[0];
  return best === undefined ? undefined : { status: best.status, span: best };
};

const firstRow = (sections: Sections, table: string): Span | undefined =>
  sections.flatMap((section) => section.tables).find((one) => one.table === table)?.rows[0];

/** The best status among the cells of a column: stated, else what the first one says. */
function firstCell(sections: Sections, table: string, title: string): Found | undefined {
  const cells = sections
    .flatMap((section) => section.tables)
    .filter((one) => one.table === table)
    .flatMap((one) => {
      const at = one.columns.findIndex((column) => column.title === title);
      return at < 0 ? [] : one.rows.flatMap((row) => row.cells[at] ?? []);
    });
  const best = cells.find((cell) => statusOf(cell) === "stated") ?? cells[0];
  return best === undefined ? undefined : { status: statusOf(best), span: best };
}

const stated = (span: Span | undefined): Found | undefined =>
  span === undefined ? undefined : { status: "stated", span };

/** A keyword of JSON Schema that keeps values out besides their type. */
const CONSTRAINT =
  /"(required|enum|const|pattern|multipleOf|unique\w+|m(in|ax)\w+|exclusiveM(in|ax)imum)"\s*:/;

/** The first schema with a heading of its own in whose text that stands. */
function inSchema(sections: Sections, text: RegExp): Found | undefined {
  const fences = sections.flatMap((one) => one.fences.filter(({ block }) => block === "schema"));
  return stated(fences.find(({ content }) => text.test(content.text)));
}

const INVARIANTS = [
  "always",
  "unique",
  "missing",
  "rows",
  "changed",
  "deleted",
  "kept",
  "version tag",
];

/** Stated by a row of a table of answers. */
function answered(
  { endpoints }: Service,
  r: Resolver,
  status: RegExp,
  of: (each: StatedAnswer) => boolean = () => true,
): Found | undefined {
  for (const { answers = [] } of endpoints) {
    const row = answers.find((each) => status.test(each.status) && of(each));
    if (row !== undefined) return stated(r.origins.get(row.id));
  }
  return undefined;
}

type Finder = (sections: Sections, service: Service, r: Resolver) => Found | undefined;

/** A limit of which it is not shown what it counts may be of any of the facets. */
function limitFacet(facet: string): Finder {
  return (sections, service, r) => {
    const at = (wanted: string | undefined): Span | undefined =>
      service.limits
        .filter((limit) => limit.facet === wanted)
        .map((limit) => r.origins.get(limit.id))[0];
    // A limit of which it is not shown what it counts may be any that no sentence answers for.
    const said = sections.some((one) => one.sentences.some((each) => each.facet === facet));
    const unknown = said ? undefined : at(undefined);
    return stated(at(facet)) ?? (unknown && { status: "not shown", span: unknown });
  };
}

const finders: Readonly<Record<string, Finder>> = {
  purpose: (sections) => stated(sections[0]?.prose[0]),
  behaviour: (sections) => firstBullet(sections, "service"),
  resources: (sections) => stated(firstHeading(sections, "resource")),
  fields: (sections) =>
    stated(firstRow(sections, "fields")) ?? inSchema(sections, /"properties"\s*:/),
  types: (sections) => firstCell(sections, "fields", "Type") ?? inSchema(sections, /"/),
  constraints: (sections) => {
    const cell = firstCell(sections, "fields", "Rules");
    const invariant = firstBullet(sections, "resource", ...INVARIANTS);
    const found = cell?.status === "stated" ? cell : (invariant ?? cell);
    return found ?? inSchema(sections, CONSTRAINT);
  },
  states: (sections) => firstBullet(sections, "machine", "states"),
  transitions: (sections) => stated(firstRow(sections, "transitions")),
  methods: (sections) => stated(firstHeading(sections, "endpoint")),
  paths: (sections) => stated(firstHeading(sections, "endpoint")),
  "request payloads": (sections) => {
    const endpoint = firstBullet(sections, "endpoint", "body");
    const row = stated(firstRow(sections, "inputs"));
    return endpoint?.status === "stated" ? endpoint : (row ?? endpoint);
  },
  "response payloads": (_sections, service, r) => {
    const steps = service.endpoints
      .flatMap((endpoint) => everyStep(endpoint.steps))
      .filter((step) => step.kind === "respond");
    const span = r.origins.get(steps[0]?.id ?? "");
    if (span === undefined) {
      return answered(service, r, /^(2|any)/, (each) => isStated(each.body));
    }
    const bodies = steps.some((step) => step.kind === "respond" && step.body.is !== "none");
    return { status: bodies ? "stated" : "none", span };
  },
  scheme: (sections) => stated(firstHeading(sections, "scheme")),
  credentials: (sections) => firstBullet(sections, "scheme", "credential"),
  headers: (sections) => firstBullet(sections, "scheme", "sent in"),
  "token handling": (sections) =>
    firstBullet(sections, "scheme", "lifetime", "revocation", "rotation"),
  events: (sections) => stated(firstRow(sections, "events")),
  notifications: (sections) => stated(firstHeading(sections, "stream")),
  callbacks: (sections) => stated(firstHeading(sections, "webhook")),
  "error codes": (sections) => stated(firstRow(sections, "errors")),
  "status codes": (sections, service, r) =>
    firstCell(sections, "errors", "Status") ?? answered(service, r, /^[45]/),
  "error payloads": (sections, service, r) =>
    firstCell(sections, "errors", "Body") ??
    answered(service, r, /^([45]|any)/, (each) => isStated(each.body)),
  "rate limits": limitFacet("rate limits"),
  "size limits": limitFacet("size limits"),
  "time-outs": limitFacet("time-outs"),
  quotas: limitFacet("quotas"),
  "versioning scheme": (sections) => firstBullet(sections, "versioning"),
  "compatibility rules": (sections) => firstCell(sections, "compatibility", "Compatible"),
};

function recordGap(
  r: Resolver,
  entry: PartEntry,
  section: SectionNode,
  sentence: SentenceNode,
): void {
  if (sentence.status !== "not shown") return;
  addGap(
    r,
    {
      id: sentence.id,
      part: entry.title,
      scope: scopeName(r, section),
      subject: sentence.facet ?? sentence.subject.text,
      sentence: sentence.sentence,
      blocking: sentence.facet !== undefined && BLOCKING.has(sentence.facet),
      silent: false,
    },
    sentence,
  );
}

/** Facets that, not shown, keep the service from answering anything. */
const BLOCKING = new Set(["methods", "paths", "request payloads", "response payloads"]);

function facet(r: Resolver, entry: PartEntry, name: string, service: Service): FacetReport {
  const part = r.spec.parts.find((one) => one.title === entry.title);
  const sections = part?.sections ?? [];
  const found = finders[name]?.(sections, service, r);
  const said = sections
    .flatMap((section) => section.sentences)
    .find((sentence) => sentence.facet === name);
  if (said !== undefined) {
    if (found !== undefined && found.status === "stated") contradiction(r, name, said, found.span);
    else {
      const { status, sentence, start, end } = said;
      return { name, status, sentence, start, end };
    }
  }
  if (found !== undefined) {
    return { name, status: found.status, start: found.span.start, end: found.span.end };
  }
  const span = silentFacet(r, entry, name);
  return { name, status: "silent", ...span };
}

function contradiction(r: Resolver, name: string, said: SentenceNode, span: Span): void {
  r.findings.push({
    code: "contradiction",
    severity: "error",
    span: { start: said.start, end: said.end },
    message: `'${name}' is ${said.status} here, and stated elsewhere in this part.`,
    hint: "Take one of the two away. A gap in a single item stands at that item.",
    related: [{ span: { start: span.start, end: span.end }, message: "stated here" }],
  });
}

/** Where a missing part's heading can be inserted: before the next part that is there. */
function partPlace(r: Resolver, entry: PartEntry): { at: number; lead: string; tail: string } {
  const part = r.spec.parts.find((one) => one.title === entry.title);
  if (part !== undefined) return { at: lineEnd(r, part.end), lead: "\n\n", tail: "" };
  const index = partTable.indexOf(entry);
  const next = r.spec.parts.find(
    (one) => partTable.findIndex((other) => other.title === one.title) > index,
  );
  const at = next === undefined ? r.spec.text.length : r.spec.text.lastIndexOf("##", next.start);
  return next === undefined ? { at, lead: "\n", tail: "\n" } : { at, lead: "", tail: "\n\n" };
}

function silentFacet(r: Resolver, entry: PartEntry, name: string): Span {
  const part = r.spec.parts.find((one) => one.title === entry.title);
  const place = partPlace(r, entry);
  const first = part === undefined && entry.facets[0]?.name === name;
  const heading = first ? `## ${entry.title}\n\n` : "";
  const text = `${name.charAt(0).toUpperCase()}${name.slice(1)}: not shown.`;
  const span =
    part === undefined ? { start: place.at, end: place.at } : { start: part.start, end: part.end };
  r.findings.push({
    code: "silent",
    severity: "error",
    question: `${entry.id}/${name}`,
    span,
    message: `${entry.title}: nothing is said of '${name}'.`,
    hint:
      `State it (${entry.facets.find((one) => one.name === name)?.statedBy ?? ""}), or write ` +
      `\`${text}\``,
    fix: { at: place.at, insert: `${place.lead}${heading}${text}${place.tail}` },
  });
  addGap(
    r,
    {
      id: `${entry.id}/${name}`,
      part: entry.title,
      scope: entry.title,
      subject: name,
      sentence: `${entry.title}: nothing is said of '${name}'.`,
      blocking: BLOCKING.has(name),
      silent: true,
    },
    span,
  );
  return span;
}

/** The nine parts with their facets; records every gap sentence on the way. */
export function reportParts(r: Resolver, service: Service): PartReport[] {
  for (const part of r.spec.parts) {
    const entry = partTable.find((one) => one.title === part.title);
    if (entry === undefined) continue;
    for (const section of part.sections) {
      for (const sentence of section.sentences) recordGap(r, entry, section, sentence);
    }
  }
  return partTable.map((entry) => {
    const part = r.spec.parts.find((one) => one.title === entry.title);
    const span = part ?? { start: r.spec.text.length, end: r.spec.text.length };
    return {
      name: entry.title,
      start: span.start,
      end: span.end,
      facets: entry.facets.map((one) => facet(r, entry, one.name, service)),
    };
  });
}
