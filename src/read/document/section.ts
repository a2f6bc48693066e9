/** Reads the blocks under one heading into a section. */
import type { Finding, Span } from "../../base/index.ts";
import { nearest, packed } from "../../base/index.ts";
import type { HeadingForm } from "../../language/index.ts";
import {
  blocks as blockForms,
  headings,
  type PartEntry,
  type Scope,
  scopes,
  steps as stepTable,
} from "../../language/index.ts";
import type {
  FenceNode,
  Match,
  SectionNode,
  StepNode,
  TableNode,
  TextSlot,
} from "../../spec/index.ts";
import type { Block, Fence, Heading, Paragraph, Step } from "../blocks/index.ts";
import {
  type CompiledForm,
  clip,
  compileForms,
  matchForms,
  noForm,
  type Stretch,
} from "../forms/index.ts";
import { type Alike, readAlike, reportLeft } from "./alike.ts";
import { type Context, itemId, report, stretchOf } from "./context.ts";
import { failuresAt } from "./failures.ts";
import { type Place, readBullet, readSentence, type Statements } from "./statement.ts";
import { readSteps } from "./step.ts";
import { readTable } from "./table.ts";

/** Scopes in which numbered steps may stand. */
const STEPPED: ReadonlySet<Scope> = new Set(["endpoint", "group", "every endpoint", "routine"]);

/** The scope above the first heading of each part. */
const topScopes: Readonly<Record<string, Scope>> = {
  service: "service",
  resources: "resources",
  states: "states",
  endpoints: "endpoints",
  authentication: "authentication",
  events: "events",
  errors: "errors",
  limits: "limits",
  versioning: "versioning",
};

const headingForms = new Map<string, readonly CompiledForm<HeadingForm>[]>();

function headingFormsOf(part: PartEntry): readonly CompiledForm<HeadingForm>[] {
  const known = headingForms.get(part.title);
  if (known !== undefined) return known;
  const forms = compileForms(headings.filter((entry) => entry.parts.includes(part.title)));
  headingForms.set(part.title, forms);
  return forms;
}

/** Every item below a heading repeats its name in its id: what is longer would take much memory. */
const NAME_MAX = 400;

/** What stands before the name of a heading in its id, where it may have another one's name. */
const BEFORE: Partial<Record<Scope, string>> = {
  group: "every endpoint below ",
  schema: "schema ",
};

const allHeadings = compileForms(headings);

const ENDPOINT = /^(GET|HEAD|POST|PUT|PATCH|DELETE) \//;
const asEndpoint = headings.find(({ id }) => id === "endpoint");

/**
 * The form of another part that a heading has. A name alone may also lack what a heading of this
 * part has behind it.
 */
function formElsewhere(stretch: Stretch, part: PartEntry): HeadingForm | undefined {
  const { text, start, end, tokens } = stretch;
  if (ENDPOINT.test(text.slice(start, end))) {
    return asEndpoint?.parts.includes(part.title) ? undefined : asEndpoint;
  }
  const { entry } = matchForms(stretch, allHeadings);
  const isName = tokens.length === 1 && entry !== asEndpoint;
  return isName ? undefined : entry;
}

/** The finding for a heading that is one of another part. */
function misplaced(stretch: Stretch, part: PartEntry): Finding | undefined {
  const entry = formElsewhere(stretch, part);
  if (entry === undefined) return undefined;
  const where = entry.parts.map((one) => `\`## ${one}\``).join(", ");
  return {
    code: "unknown-heading",
    severity: "error",
    span: { start: stretch.start, end: stretch.end },
    message: "This heading cannot stand in this part.",
    hint: `It stands in: ${where}, as in: ${entry.example}. Move it there.`,
  };
}

/** The finding for a heading in a part that has none. */
function noHeading({ start, end }: Stretch, { title }: PartEntry): Finding {
  return {
    code: "unknown-heading",
    severity: "error",
    span: { start, end },
    message: `No heading may stand in the part '${title}'.`,
    hint: `Take it away: what it is over stands directly below \`## ${title}\`.`,
  };
}

/** What to do with a heading over what has no name of its own, such as a table of actors. */
function advised(stretch: Stretch, part: PartEntry): string | undefined {
  if (stretch.tokens.some(({ kind }) => kind === "code")) return undefined;
  const examples = headingFormsOf(part).map(({ entry }) => entry.example);
  return (
    `A heading names one thing, as in: ${examples.find((one) => one.startsWith("`"))}. Take this ` +
    `one away: what it is over stands directly below \`## ${part.title}\`.`
  );
}

interface Opened {
  readonly scope: Scope;
  readonly match?: Match;
  readonly id: string;
}

function open(context: Context, part: PartEntry, heading: Heading | undefined): Opened | undefined {
  if (heading === undefined) {
    return { scope: topScopes[part.id] as Scope, id: part.id };
  }
  const stretch = stretchOf(context, heading.inline);
  const forms = headingFormsOf(part);
  const attempt = matchForms(stretch, forms);
  if (attempt.match === undefined || attempt.entry === undefined) {
    context.findings.push(
      misplaced(stretch, part) ??
        (forms.length === 0
          ? noHeading(stretch, part)
          : noForm(stretch, { ...attempt, otherwise: advised(stretch, part) }, "heading", forms)),
    );
    return undefined;
  }
  const code = stretch.tokens.find((token) => token.kind === "code");
  const said = code?.text ?? attempt.entry.form.toLowerCase();
  const before = BEFORE[attempt.entry.opens] ?? "";
  const name = (before + said).replaceAll(/\s+/g, " ");
  return {
    scope: attempt.entry.opens,
    match: attempt.match,
    id: itemId(context, part.id, name.slice(0, NAME_MAX)),
  };
}

function readProse(
  context: Context,
  place: Place,
  paragraph: Paragraph,
  into: Statements,
): TextSlot[] {
  const prose: TextSlot[] = [];
  for (const line of paragraph.lines) {
    if (readSentence(context, place, line, into)) continue;
    const text = context.text.slice(line.start, line.end);
    if (place.scope === "service") {
      prose.push({ kind: "text", text, start: line.start, end: line.end });
      continue;
    }
    const near = nearest(text.slice(0, text.indexOf(":") + 1), ["not shown:"]);
    report(context, "prose", line, {
      message: `This sentence is no statement: ${clip(text)}`,
      hint: near ?? "Write it in one of the forms of the notation, or as a note: `> ...`.",
    });
  }
  return prose;
}

/** The words of an info string in front of its name; all of them where it has none. */
const fixedWords = (form: string): string => form.split("{")[0] ?? form;

const fenceForms = blockForms.map((entry) => ({
  entry,
  words: fixedWords(entry.form).trim().split(" "),
  isNamed: entry.form.includes("{"),
}));

function readFence(context: Context, place: Place, fence: Fence): FenceNode | undefined {
  const words = fence.info.split(/\s+/);
  const form = fenceForms.find(
    ({ entry, words: fixed }) =>
      fixed.every((word, i) => words[i] === word) &&
      (entry.in === "any" || entry.in.includes(place.scope)),
  );
  const name = words.slice(form?.words.length ?? 0).join(" ");
  if (form === undefined || (name !== "") !== form.isNamed) {
    const near = nearest(
      fence.info,
      blockForms.map((entry) => entry.example),
    );
    const elsewhere = blockForms.find(
      ({ form: pattern, in: where }) =>
        where !== "any" && fence.info.startsWith(fixedWords(pattern)),
    );
    report(context, "unknown-block", fence.infoSpan, {
      message: `No block with the info string '${clip(fence.info)}' may stand here.`,
      hint:
        elsewhere !== undefined && elsewhere.in !== "any"
          ? `It stands under the heading of ${elsewhere.in.map((one) => scopes[one]).join(", ")}.`
          : `Known: ${blockForms.map((entry) => `\`${entry.example}\``).join(", ")}.` +
            `${near === undefined ? "" : ` Nearest: ${near}.`}`,
    });
    return undefined;
  }
  const { start, end } = fence.content;
  const at = fence.infoSpan.end - name.length;
  return {
    id: itemId(context, place.sectionId, `${form.entry.id} ${name}`.trim()),
    block: form.entry.id,
    name: { kind: "text", text: name, start: at, end: fence.infoSpan.end },
    content: { kind: "text", text: context.text.slice(start, end), start, end },
    start: fence.start,
    end: fence.end,
  };
}

function stepsHere(context: Context, place: Place, steps: readonly Step[]): StepNode[] {
  if (steps.length > 0 && !STEPPED.has(place.scope)) {
    report(context, "no-steps-here", steps[0]?.inline as Span, {
      message:
        "Numbered steps stand under an endpoint, under 'Every endpoint', under 'Every endpoint " +
        "below' a path, and under named steps.",
      hint: `Known steps begin like: ${stepTable[2]?.example ?? ""}`,
    });
    return [];
  }
  return readSteps(context, steps, place.sectionId);
}

/** Reads one section: the blocks from a `### ` heading (or a part's beginning) to the next. */
export function readSection(
  context: Context,
  part: PartEntry,
  heading: Heading | undefined,
  blocks: readonly Block[],
): SectionNode | undefined {
  const opened = open(context, part, heading);
  if (opened === undefined) return undefined;
  const place: Place = {
    scope: opened.scope,
    sectionId: opened.id,
    part,
    top: heading === undefined,
  };
  const into: Statements = { bullets: [], sentences: [] };
  const found = { tables: [] as TableNode[], fences: [] as FenceNode[], prose: [] as TextSlot[] };
  const steps: Step[] = [];
  const said: Alike[] = [];
  for (const block of blocks) {
    if (block.kind === "bullet") {
      const one = readAlike(context, place.scope, block);
      if (one === undefined) readBullet(context, place, block, into);
      else said.push(one);
    } else if (block.kind === "paragraph") {
      for (const line of readProse(context, place, block, into)) found.prose.push(line);
    } else if (block.kind === "table") {
      const table = readTable(context, block, place, said.splice(0));
      if (table !== undefined) {
        const failures = failuresAt(context, table, opened.id);
        found.tables.push(table, ...(failures === undefined ? [] : [failures]));
      }
    } else if (block.kind === "fence") {
      const fence = readFence(context, place, block);
      if (fence !== undefined) found.fences.push(fence);
    } else if (block.kind === "step") steps.push(block);
    else if (block.kind === "heading") {
      report(context, "heading-level", block, {
        message: "The notation has three levels of headings: `# `, `## ` and `### `.",
      });
    }
  }
  reportLeft(context, said);
  const first = heading ?? blocks[0];
  return {
    id: opened.id,
    scope: opened.scope,
    bullets: packed(into.bullets),
    tables: packed(found.tables),
    steps: packed(stepsHere(context, place, steps)),
    sentences: packed(into.sentences),
    fences: packed(found.fences),
    prose: packed(found.prose),
    ...(opened.match === undefined ? {} : { heading: opened.match }),
    start: first?.start ?? 0,
    end: blocks.at(-1)?.end ?? heading?.end ?? 0,
  };
}
