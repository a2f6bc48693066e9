/** The events of a document as AsyncAPI 3.0. What that cannot say stands under `x-lacuna-`. */
import { gapOf, statedOf } from "../../plan/index.ts";
import { gapsOf, infoOf } from "../openapi/index.ts";
import { PARTS, Sections } from "../openapi/sections.ts";
import { nameOf, schemeOf } from "../openapi/security.ts";
import { fileText, type Json, type JsonObject, membersOf } from "../schemas/json.ts";
import { namedSchemas, variantSchemas } from "../schemas/named.ts";
import { ownName, World } from "../schemas/world.ts";
import type { Exporter } from "../types.ts";
import {
  eventsByTarget,
  type Pen,
  SERVERS,
  streamOf,
  unsent,
  type Written,
  webhookOf,
} from "./channels.ts";
import { type Kept, keptOf, withKept } from "./kept.ts";
import { Lines } from "./said.ts";

/** A host that the document does not name: whoever runs the service does. */
function host(description: string): JsonObject {
  return { host: "{host}", protocol: "http", variables: { host: { description } } };
}

function serversOf(w: World): JsonObject | undefined {
  const { streams, webhooks, about } = w.plan;
  const gap = gapOf(about.basePath);
  const path = statedOf(about.basePath);
  return membersOf([
    [
      SERVERS.stream,
      streams.length === 0
        ? undefined
        : {
            ...host("where the service runs"),
            ...(path === undefined ? {} : { pathname: path }),
            ...(gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) }),
          },
    ],
    [SERVERS.webhook, webhooks.length === 0 ? undefined : host("the host of a receiver's address")],
  ]);
}

/** Security schemes: a name and value in HTTP is an `apiKey` to OpenAPI alone. */
function schemesOf(w: World, sections: Sections): JsonObject | undefined {
  return membersOf(
    w.plan.schemes.map((scheme) => {
      const found = schemeOf(scheme);
      const isKey = found?.["type"] === "apiKey";
      const own = found && { ...found, ...(isKey ? { type: "httpApiKey" } : {}) };
      return [nameOf(w, scheme), own && { ...own, ...sections.of(scheme.id) }];
    }),
  );
}

/** Names of the schemas that a value refers to, and those that these refer to. */
function reached(from: Json, schemas: ReadonlyMap<string, JsonObject>): Set<string> {
  const found = new Set<string>();
  const open: (Json | undefined)[] = [from];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const isRef = key === "$ref" && typeof inner === "string";
      const name = isRef ? inner.replace("#/components/schemas/", "") : undefined;
      if (name === undefined) open.push(inner as Json);
      else if (schemas.has(name) && !found.has(name)) {
        found.add(name);
        open.push(schemas.get(name));
      }
    }
  }
  return found;
}

/** The schemas that messages need, each with its section of the document. */
function schemasOf(
  { w, sections }: Pen,
  from: Json,
  kept: Kept | undefined,
): JsonObject | undefined {
  const all = new Map(namedSchemas(w));
  for (const [name, schema] of variantSchemas(w)) all.set(name, schema);
  const own = (kept?.schemas ?? []).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const wanted = reached([from, kept?.file ?? {}, own], all);
  const { resources, partTypes, shapes } = w.plan;
  const owners = new Map(
    [...resources, ...partTypes, ...shapes].map(({ name, id }) => [ownName(name), id]),
  );
  return membersOf(
    [...wanted].map((name) => {
      const id = owners.get(name);
      return [name, { ...all.get(name), ...(id === undefined ? {} : sections.of(id)) }];
    }),
  );
}

/**
 * Channels and operations. Where there are none and the document says so, there are none; where it
 * is not shown whether there are, nothing is written.
 */
function sendingOf(w: World, all: readonly Written[]): JsonObject {
  const part = w.plan.parts.find(({ name }) => name === "Events");
  const isHidden = part?.facets.some(({ status }) => status === "not shown" || status === "silent");
  if (all.length === 0 && isHidden === true) return {};
  return {
    channels: Object.fromEntries(all.map(({ name, channel }) => [name, channel])),
    operations: Object.fromEntries(all.map(({ name, operation }) => [name, operation])),
  };
}

/** Writes the document as JSON. */
export const asyncapi: Exporter = (from) => {
  const w = new World(from, "#/components/schemas/");
  const sections = new Sections(from.spec);
  const hooks = new Set(w.plan.webhooks.map(({ name }) => name));
  const pen: Pen = { w, sections, lines: new Lines(w), events: eventsByTarget(w), hooks };
  const all = [
    ...w.plan.webhooks.map((one) => webhookOf(pen, one)),
    ...w.plan.streams.map((one) => streamOf(pen, one)),
  ];
  const sending = sendingOf(w, all);
  const kept = keptOf(from.spec);
  const messages = membersOf(unsent(pen));
  const schemas = schemasOf(pen, { sending, messages: messages ?? {} }, kept);
  const schemes = schemesOf(w, sections);
  const servers = serversOf(w);
  const format = statedOf(w.plan.about.bodyFormat);
  const gaps = gapsOf(w);
  const file = {
    asyncapi: "3.0.0",
    info: infoOf(w),
    ...(format === undefined ? {} : { defaultContentType: format }),
    ...(servers === undefined ? {} : { servers }),
    ...sending,
    components: {
      ...(schemas === undefined ? {} : { schemas }),
      ...(messages === undefined ? {} : { messages }),
      ...(schemes === undefined ? {} : { securitySchemes: schemes }),
    },
    ...(gaps.length === 0 ? {} : { "x-lacuna-gaps": gaps }),
    [PARTS]: sections.rest(),
  };
  return fileText(kept === undefined ? file : withKept(file, kept));
};
