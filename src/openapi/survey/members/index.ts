/** The door of `members`: what no part of the survey reads, and what is for clients alone. */
import { nearest } from "../../../base/index.ts";
import type { Description } from "../../model/index.ts";
import type { MapNode, Place } from "../../tree/index.ts";
import { misfit } from "../fits.ts";
import { decoded, escaped } from "../pointers.ts";
import type { Counted } from "../types.ts";
import { objectsOf } from "./objects.ts";
import { FOR_CLIENTS, type ForClients, type Unknown, Walk } from "./walk.ts";

const thousands = new Intl.NumberFormat("en-US");
const NAMED_MAX = 3;

const NAMES: Readonly<Record<string, string>> = { openapi: "OpenAPI", swagger: "Swagger" };

/** `OpenAPI 3.0` of version 3.0.3. */
const languageOf = ({ kind, version }: Description): string =>
  `${NAMES[kind] ?? kind} ${version.split(".").slice(0, 2).join(".")}`;

/** Names of other versions whose sense this one says in another way. */
const SAID: Readonly<Record<string, string>> = {
  nullable: 'Since 3.1 `type: [string, "null"]` says that a value may be null.',
  const: "`enum` with one value says the same.",
  examples: "`example` is there in this version.",
  webhooks: "Webhooks are there since 3.1.",
};

function hintOf(description: Description, { name, kind }: Unknown): string | undefined {
  const said = SAID[name];
  if (said !== undefined) return said;
  const members = objectsOf(description.kind, description.version).get(kind)?.own;
  const near = members && nearest(name, [...members.keys()]);
  return near === undefined ? undefined : `Did you mean \`${near}\`?`;
}

type Told = Pick<Counted, "code" | "severity" | "message" | "places"> & {
  readonly of: number;
  readonly part?: string;
  readonly hint?: string | undefined;
};

function causeOf({ part = "Endpoints", hint, ...told }: Told): Counted[] {
  const count = told.places.length;
  if (count === 0) return [];
  const places = told.places.toSorted((a, b) => a.file - b.file || a.start - b.start);
  return [{ ...told, places, part, count, blocks: 0, ...(hint === undefined ? {} : { hint }) }];
}

/** `12 of 34` */
const share = (count: number, of: number): string =>
  `${thousands.format(count)} of ${thousands.format(of)}`;

function unknownCause(description: Description, walk: Walk): Counted[] {
  const { members } = walk;
  const unknown = walk.unknown.toSorted((a, b) => a.place.start - b.place.start);
  const [first] = unknown;
  if (first === undefined) return [];
  const names = [...new Set(unknown.map((each) => each.name))];
  const shown = names.slice(0, NAMED_MAX).map((each) => `\`${each}\``);
  const more = names.length - shown.length;
  const rest = more === 0 ? "" : ` and ${thousands.format(more)} other names`;
  const hint = hintOf(description, first);
  return causeOf({
    code: "member-unknown",
    severity: "warning",
    message:
      `${share(unknown.length, members)} members are none of ${languageOf(description)}'s: ` +
      `nobody reads them (${shown.join(", ")}${rest}).`,
    places: unknown.map((each) => each.place),
    of: members,
    hint: hint ?? "A name of your own begins with `x-`.",
  });
}

const WHAT: Readonly<Record<ForClients, readonly [name: string, says: string]>> = {
  extensions: ["Extensions (`x-`)", "they have a meaning for those who made them"],
  links: ["Links", "they are stated for clients, not for the service"],
  "callbacks-stated": ["Callbacks", "they say what is sent, not when, nor what a failure does"],
  "examples-stated": ["Examples", "they are stated for readers, and bind nobody"],
  styles: ["Ways to write parameters (`style`, `explode`)", "kept for export"],
  discriminators: ["Discriminators", "they tell clients which schema a body has"],
  xml: ["Ways to write bodies in XML", "kept for export"],
  "servers-stated": ["Servers", "they say where the service is: for clients, not for the service"],
};

function forClients({ counted, members }: Walk): Counted[] {
  return (Object.keys(FOR_CLIENTS) as ForClients[]).flatMap((code) => {
    const places = counted.get(code) ?? [];
    const [name, says] = WHAT[code];
    const message = `${name}: ${thousands.format(places.length)}; ${says}.`;
    return causeOf({ code, severity: "note", message, places, of: members });
  });
}

function sampleCause({ refs }: Description, { samples }: Walk): Counted[] {
  const places = samples.flatMap(({ value, schema }) => misfit(refs, value, schema) ?? []);
  return causeOf({
    code: "example-outside",
    severity: "warning",
    message:
      `${share(places.length, samples.length)} examples are no value that their schema ` +
      "allows.",
    places,
    of: samples.length,
  });
}

/** Named things by the pointer that a reference to each has. */
function componentsOf({ kind, root }: Description): [pointer: string, place: Place][] {
  const components = root.get("components");
  const owner = kind === "swagger" ? root : components;
  if (owner?.kind !== "map") return [];
  const base = kind === "swagger" ? "#" : "#/components";
  const sections =
    kind === "swagger"
      ? ["definitions", "parameters", "responses"]
      : owner.keys.filter((key) => key !== "securitySchemes" && !key.startsWith("x-"));
  return sections.flatMap((section) => {
    const all = owner.get(section);
    if (all?.kind !== "map") return [];
    return all.keys.flatMap((name, at): [string, Place][] => {
      // A schema that is made of another may be meant by that one's discriminator.
      const value = all.values[at];
      const isMade = value?.kind === "map" && value.indexOf("allOf") >= 0;
      return isMade ? [] : [[`${base}/${section}/${escaped(name)}`, all.keyPlace(name)]];
    });
  });
}

/** Schemes that no requirement names. */
function schemesUnused({ root, operations, securitySchemes }: Description): Place[] {
  // Operations without one of their own share a list.
  const lists = new Set(operations.flatMap(({ security }) => (security ? [security] : [])));
  const asked = new Set([...lists].flatMap((each) => each.flat().map(({ scheme }) => scheme)));
  const top = root.get("security");
  for (const each of top?.kind === "list" ? top.items : []) {
    for (const name of (each as Partial<MapNode>).keys ?? []) asked.add(name);
  }
  return securitySchemes.flatMap((each) => (asked.has(each.name) ? [] : [each.place]));
}

function unusedCause(description: Description, { pointers }: Walk): Counted[] {
  const used = new Set([...pointers].map(decoded));
  const all = componentsOf(description);
  const unused = all.flatMap(([pointer, place]) => (used.has(decoded(pointer)) ? [] : [place]));
  const places = [...unused, ...schemesUnused(description)];
  const of = all.length + description.securitySchemes.length;
  return causeOf({
    code: "component-unused",
    severity: "note",
    message: `${share(places.length, of)} named components are used nowhere in the file.`,
    places,
    of,
    part: "Resources and their fields",
  });
}

/** Causes about members of all objects; a file in AsyncAPI has none of these. */
export function memberCauses(description: Description): Counted[] {
  if (description.kind === "asyncapi") return [];
  const walk = new Walk(description);
  return [
    ...unknownCause(description, walk),
    ...causeOf({
      code: "ref-kind",
      severity: "error",
      message:
        `${share(walk.wrongKinds.length, walk.references)} references lead to something of ` +
        `another kind than what stands there: a parameter for a schema, and the like.`,
      places: walk.wrongKinds,
      of: walk.references,
    }),
    ...sampleCause(description, walk),
    ...unusedCause(description, walk),
    ...forClients(walk),
  ];
}
