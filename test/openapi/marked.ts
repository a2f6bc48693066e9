/** Descriptions with a marker in every member of every object, made of the tables of members. */
import { type Members, objectsOf } from "../../src/openapi/survey/members/objects.ts";
import { ASYNCAPI } from "./marked-async.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The way to a value: names of members and indices. */
export type Way = readonly (string | number)[];

/** A value that stands in a description to be found again. */
export interface Marker {
  /** The object's kind and the member: `Schema.title`. */
  readonly member: string;
  readonly way: Way;
  readonly value: Json;
}

/** A description in which all members of one object are marked. */
export interface Marked {
  /** Where the object stands: `Response.headers`. */
  readonly edge: string;
  readonly text: string;
  readonly markers: readonly Marker[];
}

/** What an object needs to be one of its kind. */
const NEEDED: Readonly<Record<string, { [name: string]: Json }>> = {
  Root: { info: { title: "T", version: "1" } },
  PathItem: { get: { responses: { "200": { description: "Fine" } } } },
  Operation: { responses: { "200": { description: "Fine" } } },
  Parameter: { name: "p", in: "query", schema: { type: "string" } },
  Response: { description: "Fine" },
  Body: { required: true, content: { "application/json": { schema: { type: "string" } } } },
  Scheme: { type: "apiKey", in: "header", name: "X-Key" },
  Header: { schema: { type: "string" } },
  Tag: { name: "t" },
  Server: { url: "/v1" },
};
const SWAGGER_NEEDED: typeof NEEDED = {
  ...NEEDED,
  Parameter: { name: "p", in: "query", type: "string" },
  Header: { type: "string" },
  Items: { type: "string" },
};

const ASYNCAPI_NEEDED: typeof NEEDED = {
  Root: {
    info: { title: "T", version: "1" },
    channels: { m: { address: "m" } },
  },
  Operation: { action: "send", channel: { $ref: "#/channels/m" } },
  Scheme: { type: "userPassword" },
  Server: { host: "a.example", protocol: "mqtt" },
  ServerTwo: { url: "mqtt://a.example", protocol: "mqtt" },
  Tag: { name: "t" },
};

/** Names under which objects of a kind stand. */
const NAMES: Readonly<Record<string, string>> = {
  PathItem: "/m",
  Response: "200",
  Media: "application/json",
  Encoding: "m",
  Callback: "onM",
  Header: "X-M",
  Operation: "PURGE",
};
const nameFor = (parent: string, kind: string): string =>
  parent === "Callback" ? "{$request.body#/url}" : (NAMES[kind] ?? "m");

/** Values of members that are no free text. */
const VALUES: Readonly<Record<string, Json>> = {
  type: "string",
  format: "marker-format",
  enum: ["marker enum", "b"],
  required: true,
  tags: ["marker tags"],
  security: [{ m: ["marker:scope"] }],
  scopes: { "marker:scopes": "Marker" },
  "Schema.required": ["marker required"],
  "Schema.type": "object",
  in: "query",
  pattern: "^marker",
  mapping: { "marker mapping": "#/components/schemas/m" },
  const: "marker const",
  $vocabulary: { "https://marker.example/vocabulary": true },
  dependencies: { marker: ["dependency"] },
  dependentRequired: { marker: ["dependentRequired"] },
  "Schema.examples": ["marker examples"],
  "Response.examples": { "application/json": { a: "marker examples" } },
  "Link.parameters": { p: "$response.body#/marker" },
  "Schema.discriminator": "marker",
  style: "form",
  "Header.style": "simple",
  host: "marker.example",
  basePath: "/marker",
  schemes: ["https", "marker"],
  consumes: ["application/x-marker"],
  produces: ["application/json"],
  url: "https://marker.example/url",
  additionalProperties: { type: "string", title: "marker additionalProperties" },
  collectionFormat: "pipes",
  nodeType: "marker",
  jsonSchemaDialect: "https://marker.example/dialect",
  $self: "https://marker.example/self",
  $id: "https://marker.example/id",
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $anchor: "marker",
  $dynamicAnchor: "marker2",
  $dynamicRef: "#marker2",
  "Example.value": { marker: "value" },
};
const FLAGS = new Set([
  ...["deprecated", "allowEmptyValue", "explode", "allowReserved", "uniqueItems", "nullable"],
  ...["readOnly", "writeOnly", "attribute", "wrapped", "exclusiveMinimum", "exclusiveMaximum"],
]);
const COUNTS = new Map(
  [
    ...["multipleOf", "maximum", "minimum", "maxLength", "minLength", "maxItems", "minItems"],
    ...["maxProperties", "minProperties", "maxContains", "minContains"],
  ].map((name, at) => [name, 7301 + at]),
);

/** Members that cannot stand beside one another: the second of each pair has a variant of its own. */
const APART = ["example", "content", "operationId", "externalValue", "serializedValue", "value"];

/** Members that decide how the rest is read: they are not marked. */
const FIXED = new Set([
  "$ref",
  "openapi",
  "swagger",
  "asyncapi",
  "info",
  "name",
  "in",
  "type",
  "paths",
  "action",
  "channel",
]);

interface Edge {
  readonly parent: string;
  readonly member: string;
  readonly kind: string;
  readonly as: "one" | "list" | "names" | "rest";
}

/** Makes the descriptions of one version. */
export class Marking {
  private readonly kind: string;
  private readonly version: string;
  private readonly objects: ReadonlyMap<string, Members>;

  constructor(kind: string, version: string) {
    this.kind = kind;
    this.version = version;
    this.objects = ASYNCAPI.get(`${kind} ${version}`) ?? objectsOf(kind, version);
  }

  private edgesOf(parent: string): Edge[] {
    const { own, rest } = this.objects.get(parent) ?? { own: new Map() };
    const inner = [...own].flatMap(([member, one]): Edge[] =>
      one === undefined ? [] : [{ parent, member, kind: one.kind, as: one.as }],
    );
    return rest === undefined
      ? inner
      : [...inner, { parent, member: "*", kind: rest.kind, as: "rest" }];
  }

  /** The steps to each object that is reached from the end of `start`, by the shortest way. */
  private places(start: readonly Edge[]): Edge[][] {
    const first = start.at(-1)?.kind ?? "Root";
    const ways = new Map<string, readonly Edge[]>([[first, start]]);
    const found: Edge[][] = [];
    for (const [parent, way] of ways) {
      for (const edge of this.edgesOf(parent)) {
        found.push([...way, edge]);
        const isWay = edge.parent !== "PathItem" || edge.kind === "Operation";
        if (isWay && !ways.has(edge.kind)) ways.set(edge.kind, [...way, edge]);
      }
    }
    return found;
  }

  /** The steps of the members of these names, one below the other. */
  private steps(...members: readonly string[]): Edge[] {
    const found: Edge[] = [];
    for (const member of members) {
      const parent = found.at(-1)?.kind ?? "Root";
      const edge = this.edgesOf(parent).find((each) => each.member === member);
      if (edge !== undefined) found.push(edge);
    }
    return found.length < members.length ? [] : found;
  }

  private needed(kind: string): { [name: string]: Json } {
    const later = this.kind === "asyncapi" ? ASYNCAPI_NEEDED : NEEDED;
    const all = this.kind === "swagger" ? SWAGGER_NEEDED : later;
    return structuredClone(all[kind] ?? {});
  }

  /** The value of a member that is no object of a kind. */
  private value(kind: string, member: string): Json {
    const isNumeric = kind === "Schema" && /^exclusiveM/.test(member) && this.kind === "openapi";
    if (isNumeric && !this.version.startsWith("3.0")) return member.length + 7400;
    const given = VALUES[`${kind}.${member}`] ?? VALUES[member];
    if (given !== undefined) return structuredClone(given);
    if (FLAGS.has(member)) return true;
    return COUNTS.get(member) ?? `marker ${kind} ${member}`;
  }

  /**
   * All descriptions: one for each place where an object may stand, and its variants. What stands
   * below `components`, below `paths`, in a callback and in a webhook is reached apart.
   */
  all(): Marked[] {
    const starts = [
      this.steps("paths"),
      this.steps("paths", "*", "get", "callbacks", "*"),
      this.steps("webhooks"),
    ];
    const places = starts.filter((each) => each.length > 0).flatMap((each) => this.places(each));
    const unique = new Map(
      [[], ...this.places([]), ...places].map((way) => [
        way.map(({ parent, member }) => `${parent}.${member}`).join(" "),
        way,
      ]),
    );
    return [...unique.values()].flatMap((way) => {
      const members = this.objects.get(way.at(-1)?.kind ?? "Root")?.own;
      const apart = APART.filter((name) => members?.has(name) === true);
      const own = (name: string): boolean => !APART.includes(name);
      const variants = [
        this.marked(way, own),
        ...apart.map((one) => this.marked(way, (name) => name === one)),
        ...this.placesOf(way).map((place) => this.marked(way, own, place)),
      ];
      return variants.filter(({ markers }) => markers.length > 0);
    });
  }

  /** Where a parameter may stand besides the query. */
  private placesOf(way: readonly Edge[]): readonly string[] {
    if (way.at(-1)?.kind !== "Parameter") return [];
    const own = this.kind === "swagger" ? ["formData", "body"] : ["cookie"];
    return ["header", "path", ...own];
  }

  private marked(
    steps: readonly Edge[],
    isWanted: (member: string) => boolean,
    place?: string,
  ): Marked {
    const root: { [name: string]: Json } = { [this.kind]: this.version, ...this.needed("Root") };
    let at = root;
    const way: (string | number)[] = [];
    for (const step of steps) {
      const inner = this.needed(step.kind);
      const isInPath = step.kind === "PathItem" && step.parent === "Paths" && place === "path";
      const name = isInPath ? "/m/{p}" : nameFor(step.parent, step.kind);
      if (step.as === "rest") at[name] = inner;
      else if (step.as === "list") at[step.member] = [inner];
      else at[step.member] = step.as === "names" ? { [name]: inner } : inner;
      if (step.parent === "Parameter" && step.member === "content") delete at["schema"];
      if (step.parent === "Parameter" && step.member === "items") at["type"] = "array";
      if (this.kind === "swagger" && step.member === "schema") {
        if (step.parent === "Parameter") at["in"] = "body";
        delete at["type"];
      }
      if (step.kind === "Flows") Object.assign(at, { type: "oauth2" });
      way.push(...(step.as === "rest" ? [name] : [step.member]));
      if (step.as === "list") way.push(0);
      if (step.as === "names") way.push(name);
      at = inner;
    }
    if (place !== undefined) at["in"] = place;
    const kind = steps.at(-1)?.kind ?? "Root";
    const markers: Marker[] = [];
    const mark = (member: string, value: Json): void => {
      at[member] = value;
      markers.push({ member: `${kind}.${member}`, way: [...way, member], value });
    };
    for (const [member, inner] of this.objects.get(kind)?.own ?? []) {
      if (inner !== undefined || FIXED.has(member) || !isWanted(member)) continue;
      mark(member, this.value(kind, member));
    }
    if (isWanted("x-marker")) mark("x-marker", { a: ["marker of its own"] });
    if (this.kind !== "asyncapi") root["paths"] ??= {};
    return {
      edge: [...way, ...(place === undefined ? [] : [place])].join(" "),
      text: JSON.stringify(root),
      markers,
    };
  }
}
