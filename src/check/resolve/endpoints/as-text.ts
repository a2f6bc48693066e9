/** Finds schemas whose values are to stand in texts, and that do not say how: that is a gap. */
import type {
  About,
  Endpoint,
  Field,
  Part,
  Resource,
  Schema,
  ValueType,
} from "../../../plan/index.ts";
import { isStated, statedOf } from "../../../plan/index.ts";
import { Schemas } from "../../../schema/index.ts";
import { addGap, partTitle, type Resolver } from "../names/resolver.ts";

interface Read {
  readonly about: About;
  readonly endpoints: readonly Endpoint[];
  readonly resources: readonly Resource[];
  readonly partTypes: readonly Part[];
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Gathers the schemas in types; a part is followed once. */
class Used {
  readonly names = new Set<string>();
  private readonly parts: ReadonlyMap<string, readonly Field[]>;
  private readonly done = new Set<string>();

  constructor({ resources, partTypes }: Read) {
    this.parts = new Map([...resources, ...partTypes].map((one) => [one.name, one.fields]));
  }

  type({ type }: ValueType): void {
    if (type.kind === "schema") this.names.add(type.name);
    if (type.kind === "list" || type.kind === "map") this.type(type.of);
    if (type.kind === "structure") this.fields(type.name);
  }

  fields(name: string): void {
    if (this.done.has(name)) return;
    this.done.add(name);
    for (const field of this.parts.get(name) ?? []) this.type(field.type);
  }
}

/** The schemas of values that some endpoint reads from texts. */
function inTexts(read: Read): ReadonlySet<string> {
  const used = new Used(read);
  const general = statedOf(read.about.bodyFormat);
  for (const { inputs, body, format = general } of read.endpoints) {
    const isForm = format !== undefined && FORM.test(format);
    for (const input of inputs) if (isForm || input.in !== "body") used.type(input.type);
    const content = isForm ? statedOf(body)?.content : undefined;
    if (content?.is === "type") used.type(content.type);
    else if (content !== undefined) used.fields(content.resource);
  }
  return used.names;
}

/** The schemas of a plan, with the gaps of those whose values are to stand in texts. */
export function withTexts(
  r: Resolver,
  all: readonly Schema[],
  read: Read,
): { readonly schemas?: readonly Schema[] } {
  const wanted = inTexts(read);
  if (all.length === 0) return {};
  const compiled = new Schemas(all.map(({ name, schema }) => ({ name, text: statedOf(schema) })));
  const schemas = all.map((one) => {
    const { id, name, schema } = one;
    if (!wanted.has(name) || !isStated(schema) || compiled.saysTexts(name)) return one;
    const sentence = `How a text stands for a value of the schema \`${name}\`: not shown.`;
    const gap = { id: `${id}/as text`, part: partTitle(r, id), scope: `schema \`${name}\`` };
    const said = { subject: "as text", sentence, blocking: true, silent: false };
    const span = r.origins.get(id) ?? { start: 0, end: 1 };
    return { ...one, asText: addGap(r, { ...gap, ...said }, span) };
  });
  return { schemas };
}
