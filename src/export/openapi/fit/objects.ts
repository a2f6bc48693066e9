/** Objects of OpenAPI in which no operations and no bodies stand. */
import { isObject, type JsonObject } from "../../schemas/json.ts";
import { ownName } from "../../schemas/world.ts";
import type { ExportOptions } from "../../types.ts";
import { any, every, type Fit, flag, judged, list, map, object, text, word } from "./values.ts";

export type Version = ExportOptions["openapi"];

/** Objects by what they are called; they stand in one another. */
export type Objects = Record<string, Fit>;

/** What is found under that name when it is asked for. */
export const at =
  (objects: Objects, name: string): Fit =>
  (value) =>
    (objects[name] as Fit)(value);

/** What there is in 3.2 alone. */
export function since32(version: Version, members: Record<string, Fit>): Record<string, Fit> {
  return version === "3.2" ? members : {};
}

const texts = map(text);

export const externalDocs = object({ members: { description: text, url: text }, needs: [["url"]] });

export const info = object({
  members: {
    ...{ title: text, summary: text, description: text, termsOfService: text, version: text },
    contact: object({ members: { name: text, url: text, email: text } }),
    license: object({
      members: { name: text, identifier: text, url: text },
      needs: [["name"]],
      either: [["url", "identifier"]],
    }),
  },
  needs: [["title"], ["version"]],
});

const requirements = every(map(every(text)));

/** Who may ask: one alternative less would be another statement. */
export const security: Fit = (value) => {
  const { value: found, isWhole } = requirements(value);
  if (!Array.isArray(found)) return { isWhole };
  // Schemes stand under names that OpenAPI lets them have.
  const named = (found as readonly JsonObject[]).map((one) =>
    Object.fromEntries(Object.entries(one).map(([name, scopes]) => [ownName(name), scopes])),
  );
  return { value: named, isWhole };
};

/** A flow with these addresses. */
function flow(...addresses: readonly string[]): Fit {
  const own = Object.fromEntries(addresses.map((one) => [one, text]));
  return object({
    members: { ...own, refreshUrl: text, scopes: texts },
    needs: [...addresses, "scopes"].map((one) => [one]),
  });
}

/** Each type of scheme has members of its own. */
export function securityScheme(version: Version): Fit {
  const flows = object({
    members: {
      implicit: flow("authorizationUrl"),
      password: flow("tokenUrl"),
      clientCredentials: flow("tokenUrl"),
      authorizationCode: flow("authorizationUrl", "tokenUrl"),
      ...since32(version, { deviceAuthorization: flow("deviceAuthorizationUrl", "tokenUrl") }),
    },
  });
  const all = { type: text, description: text, ...since32(version, { deprecated: flag }) };
  const bearer = judged((value) => typeof value === "string" && /^bearer$/i.test(value));
  const ofType: Readonly<Record<string, Fit>> = {
    mutualTLS: object({ members: all }),
    apiKey: object({
      members: { ...all, name: text, in: word("query", "header", "cookie") },
      needs: [["name"], ["in"]],
    }),
    http: object({
      members: ({ scheme = null }) => ({
        ...{ ...all, scheme: text },
        ...(bearer(scheme).isWhole ? { bearerFormat: text } : {}),
      }),
      needs: [["scheme"]],
    }),
    oauth2: object({
      members: { ...all, flows, ...since32(version, { oauth2MetadataUrl: text }) },
      needs: [["flows"]],
    }),
    openIdConnect: object({
      members: { ...all, openIdConnectUrl: text },
      needs: [["openIdConnectUrl"]],
    }),
  };
  const reference = object({ members: {}, needs: [["$ref"]], refers: true });
  return (value) => {
    const type = isObject(value) ? value["type"] : undefined;
    const fit = typeof type === "string" && Object.hasOwn(ofType, type) ? ofType[type] : undefined;
    return (fit ?? reference)(value);
  };
}

/** Servers, tags, examples and links. */
export function general(version: Version): Objects {
  const variable = object({
    members: { enum: every(text, 1), default: text, description: text },
    needs: [["default"]],
  });
  const server = object({
    members: {
      ...{ url: text, description: text, variables: map(variable) },
      ...since32(version, { name: text }),
    },
    needs: [["url"]],
  });
  const tag = object({
    members: {
      ...{ name: text, description: text, externalDocs },
      ...since32(version, { summary: text, parent: text, kind: text }),
    },
    needs: [["name"]],
  });
  const example = object({
    members: {
      ...{ summary: text, description: text, value: any, externalValue: text },
      ...since32(version, { dataValue: any, serializedValue: text }),
    },
    either: [
      ["value", "externalValue"],
      ["value", "dataValue"],
      ["value", "serializedValue"],
      ["externalValue", "serializedValue"],
    ],
    refers: true,
  });
  const link = object({
    members: {
      ...{ operationRef: text, operationId: text, parameters: texts, requestBody: any },
      ...{ description: text, server },
    },
    needs: [["operationRef", "operationId"]],
    either: [["operationId", "operationRef"]],
    refers: true,
  });
  return { server, servers: list(server), tags: list(tag), example, link };
}
