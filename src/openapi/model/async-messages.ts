/** Messages of AsyncAPI: what they carry, and in which language that is said. */
import { type MapNode, type Node, textAt } from "../tree/index.ts";
import { type AsyncAbout, nameOfRef, traitsInto } from "./async-reader.ts";
import type {
  AsyncMessage,
  AsyncSchema,
  CorrelationId,
  MaybeNamed,
  SchemaLanguage,
} from "./async-types.ts";

/** The language that a `schemaFormat` names. */
export function languageOf(format: string | undefined): SchemaLanguage {
  if (format === undefined) return "schema";
  const type = format.replace(/;.*/s, "").trim().toLowerCase();
  if (/^application\/(vnd\.aai\.asyncapi|schema)(\+(json|yaml))?$/.test(type)) return "schema";
  return /^application\/vnd\.oai\.openapi(\+(json|yaml))?$/.test(type) ? "openapi" : "other";
}

/** A payload, or headers: 3.x may wrap the schema with its language, 2.x names it beside. */
function schemaOf(about: AsyncAbout, owner: MapNode, key: string): AsyncSchema | undefined {
  const member = owner.get(key);
  if (member === undefined) return undefined;
  const place = owner.keyPlace(key);
  const made = (node: Node, format: string | undefined): AsyncSchema => ({
    language: languageOf(format),
    ...(format !== undefined && { format }),
    node,
    place,
  });
  if (about.version.startsWith("2")) {
    return made(member, key === "payload" ? textAt(owner, "schemaFormat") : undefined);
  }
  // What the reference leads to is looked at only to tell a wrapped schema from a plain one.
  const wrapped = about.reader.refs.map(member);
  const inner = wrapped?.get("schema");
  const format = textAt(wrapped, "schemaFormat");
  return inner === undefined || format === undefined
    ? made(member, undefined)
    : made(inner, format);
}

function correlationOf({ reader }: AsyncAbout, message: MapNode): CorrelationId | undefined {
  const node = reader.map(message, "correlationId");
  if (node === undefined) return undefined;
  const location = textAt(node, "location");
  return { place: message.keyPlace("correlationId"), ...(location !== undefined && { location }) };
}

/** A message under a name; what it holds is read once. */
export function messageOf(about: AsyncAbout, named: MaybeNamed): AsyncMessage {
  const { node: own } = named;
  const known = own && about.messages.get(own);
  if (known !== undefined) return { ...known, name: named.name, place: named.place };
  if (own === undefined) return { ...named, bindings: [], traits: 0 };
  const { reader, defaultContentType } = about;
  const { node, traits } = traitsInto(about, own);
  const payload = schemaOf(about, node, "payload");
  const headers = schemaOf(about, node, "headers");
  const correlationId = correlationOf(about, node);
  const contentType = textAt(node, "contentType") ?? defaultContentType;
  const examples = reader.list(node, "examples");
  const message: AsyncMessage = {
    ...named,
    node,
    ...(payload && { payload }),
    ...(headers && { headers }),
    ...(correlationId && { correlationId }),
    ...(contentType !== undefined && { contentType }),
    bindings: reader.named(reader.map(node, "bindings"), "fixed"),
    ...(examples && { examples }),
    traits,
  };
  about.messages.set(own, message);
  return message;
}

/** The message of an operation of 2.x, or each of those between which it chooses. */
export function messagesOf(about: AsyncAbout, operation: MapNode, owner: string): AsyncMessage[] {
  const member = operation.get("message");
  if (member === undefined) return [];
  const node = about.reader.map(operation, "message");
  const choice = node === undefined ? undefined : about.reader.list(node, "oneOf")?.items;
  const items = choice ?? [member];
  return items.map((item, index) => {
    const own = about.reader.refs.map(item);
    const said = textAt(own, "messageId") ?? textAt(own, "name") ?? nameOfRef(item);
    const name = said ?? (items.length === 1 ? owner : `${owner} ${index + 1}`);
    const place = choice === undefined ? operation.keyPlace("message") : item;
    return messageOf(about, { name, place, ...(own && { node: own }) });
  });
}
