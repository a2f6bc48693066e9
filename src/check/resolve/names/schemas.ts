/** Reads the schemas of a document, judges them, and gives them to the plan. */
import type { Span } from "../../../base/index.ts";
import { nearestWithin } from "../../../base/index.ts";
import type { ItemId, Schema } from "../../../plan/index.ts";
import { jsonText, judgeSchemas, readJson, type SchemaProblem } from "../../../schema/index.ts";
import { offsetIn, type SectionNode, type TextSlot } from "../../../spec/index.ts";
import { answer, silent, text } from "./asking.ts";
import type { SchemaDraft } from "./known.ts";
import { nameOf } from "./name-of.ts";
import {
  declare,
  origin,
  type Resolver,
  report,
  sectionsOf,
  slotOf,
  unknownName,
} from "./resolver.ts";

const QUESTION = "schema";

/** A schema from its text; what states it is the item `by`. */
function draftOf({ id, name }: Named, by: ItemId, slot: TextSlot): SchemaDraft {
  const read = readJson(slot.text);
  const value = read.ok ? jsonText(read.value) : "true";
  return { id, name, schema: { is: "stated", id: by, value }, read, text: slot };
}

type Named = Pick<SchemaDraft, "id" | "name">;

/** A schema with a heading of its own: a block, a bullet with its text, or `not shown`. */
function ofSection(r: Resolver, section: SectionNode): SchemaDraft {
  const id = origin(r, section.id, section.heading ?? section);
  const name = nameOf(section).text;
  const [first, second] = section.fences.filter((one) => one.block === "schema");
  const bullet = section.bullets.find((one) => one.key === QUESTION);
  const again = second ?? (first === undefined ? undefined : bullet);
  if (again !== undefined) {
    report(r, "contradiction", again, {
      message: `The schema \`${name}\` stands above already.`,
      hint: "A heading has one schema: give this one a heading of its own.",
    });
  }
  if (first !== undefined) {
    return draftOf({ id, name }, origin(r, first.id, first), first.content);
  }
  const slot = slotOf(bullet?.match, "schema");
  if (bullet?.status === "stated" && slot !== undefined) {
    return draftOf({ id, name }, origin(r, bullet.id, bullet), slot);
  }
  if (bullet !== undefined) {
    return {
      id,
      name,
      read: undefined,
      schema: answer({ r, section }, QUESTION, text<string>("schema")),
    };
  }
  const gap = silent(r, { question: QUESTION, section, id: `${section.id}/${QUESTION}` });
  return { id, name, read: undefined, schema: { is: "gap", gap } };
}

/** Reads the schemas that have headings; those in types come as types are read. */
export function collectSchemas(r: Resolver): void {
  for (const section of sectionsOf(r, "schema")) {
    const slot = nameOf(section);
    if (slot.text.startsWith("{")) {
      report(r, "unknown-heading", slot, {
        message: "The name of a schema does not begin with `{`: that is a schema itself.",
        hint: "Name it by a word: ``### `Pet`, a schema``.",
      });
    } else if (declare(r, "schema", slot, section)) r.schemas.set(slot.text, ofSection(r, section));
  }
}

/** The name of the schema that a type states: one with a heading, or its own text. */
export function schemaName(r: Resolver, slot: TextSlot): string | undefined {
  if (!slot.text.startsWith("{")) {
    if (r.schemas.has(slot.text)) return slot.text;
    unknownName(r, slot, "schema", namesOf(r));
    return undefined;
  }
  const read = readJson(slot.text);
  const name = read.ok ? jsonText(read.value) : slot.text;
  if (!r.schemas.has(name)) {
    const id = origin(r, `resources/schema ${name}`, slot);
    r.schemas.set(name, { id, name, schema: { is: "stated", id, value: name }, read, text: slot });
  }
  return name;
}

/** The names in headings. */
function* namesOf(r: Resolver): Generator<string> {
  for (const name of r.schemas.keys()) if (!name.startsWith("{")) yield name;
}

/** The code of each kind of problem. */
const FOUND: Readonly<Record<SchemaProblem["kind"], { readonly code: string }>> = {
  invalid: { code: "schema-invalid" },
  refused: { code: "schema-refused" },
  reference: { code: "schema-reference" },
  endless: { code: "schema-endless" },
  pattern: { code: "pattern" },
};

function spanIn(slot: TextSlot, { start, end }: Span): Span {
  const from = Math.min(start, slot.text.length);
  return { start: offsetIn(slot, from), end: offsetIn(slot, Math.min(end, slot.text.length)) };
}

/** Reports what is wrong with the schemas, and gives them as a plan has them. */
export function resolveSchemas(r: Resolver): Schema[] {
  const drafts = [...r.schemas.values()];
  const near = (word: string, words: Iterable<string>): string | undefined =>
    nearestWithin(r.compared, word, words);
  for (const problem of judgeSchemas(drafts, near)) {
    const slot = r.schemas.get(problem.schema)?.text;
    if (slot === undefined) continue;
    const { kind, message, hint } = problem;
    report(r, FOUND[kind].code, spanIn(slot, problem.span), { message, hint });
  }
  return drafts.map(({ id, name, schema }) => ({ id, name, schema }));
}
