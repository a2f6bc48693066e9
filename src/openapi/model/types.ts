/** A description of an HTTP interface: what a file states, by operation, whatever its dialect. */
import type { MapNode, Node, Place, Problem } from "../tree/index.ts";
import type { AsyncModel } from "./async-types.ts";
import type { Files } from "./files.ts";
import type { Named } from "./named.ts";
import type { Refs } from "./refs.ts";

/** The language of a file. `swagger` is OpenAPI 2.0. */
export type Kind = "openapi" | "swagger" | "asyncapi";

export interface NamedSchema {
  readonly name: string;
  /** The schema as it stands: an object, `true` or `false`; a reference is not followed. */
  readonly node: Node;
  readonly place: Place;
}

/** A way to write a body: a media type and what it holds. */
export interface Media {
  /** Undefined: the file does not say which media type. */
  readonly type: string | undefined;
  readonly place: Place;
  readonly schema?: Node;
  /** The media type object; Swagger has none. */
  readonly node?: MapNode;
}

export interface Parameter {
  readonly name: string;
  /** `path`, `query`, `header`, `cookie`, `querystring`; Swagger: `body` and `formData`, too. */
  readonly in: string;
  readonly required: boolean;
  readonly node: MapNode;
  readonly place: Place;
  /** Swagger: the parameter object itself. */
  readonly schema?: Node;
  readonly content: readonly Media[];
}

export interface Body {
  readonly required: boolean;
  /** Undefined: the body is Swagger's form parameters. */
  readonly node?: MapNode;
  readonly place: Place;
  readonly content: readonly Media[];
  /** Swagger: the parameters that make up a form. */
  readonly form: readonly Parameter[];
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly node: MapNode;
  readonly place: Place;
  readonly headers: readonly Named[];
  readonly content: readonly Media[];
  readonly links: readonly Named[];
}

/** One alternative of who may ask: all of these schemes, with these scopes. */
export type Requirement = readonly {
  readonly scheme: string;
  readonly scopes: readonly string[];
  readonly place: Place;
}[];

export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** The path as written; for a callback its expression; for a webhook its name. */
  readonly path: string;
  readonly node: MapNode;
  readonly place: Place;
  readonly item: MapNode;
  /** Those of the path taken in, references followed. */
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: readonly Response[];
  /** What holds for it, its own or that of the file; undefined: nothing is said. */
  readonly security?: readonly Requirement[];
  readonly callbacks: readonly {
    readonly name: string;
    readonly operations: readonly Operation[];
  }[];
}

/**
 * How many of each there are; the same that an independent count gives. Of AsyncAPI: operations,
 * the parameters of their channels, and replies as responses.
 */
export interface Source {
  readonly kind: Kind;
  readonly version: string;
  /** Pairs of path and method. */
  readonly operations: number;
  /** Those of each operation, with the path's own, summed. */
  readonly parameters: number;
  /** Named ones. */
  readonly schemas: number;
  /** Pairs of operation and status key. */
  readonly responses: number;
  readonly securitySchemes: number;
  readonly webhooks: number;
  readonly callbacks: number;
}

export interface Description {
  readonly kind: Kind;
  readonly version: string;
  readonly files: Files;
  readonly refs: Refs;
  readonly root: MapNode;
  readonly operations: readonly Operation[];
  readonly webhooks: readonly Operation[];
  readonly schemas: readonly NamedSchema[];
  readonly securitySchemes: readonly Named[];
  /** What a file in AsyncAPI states; other files have none. */
  readonly async?: AsyncModel;
  /** What is formed wrongly, and references that lead nowhere, as far as they were followed. */
  problems(): readonly Problem[];
  readonly source: Source;
}
