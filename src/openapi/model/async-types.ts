/** What a file in AsyncAPI states of channels, and of the messages that go over them. */
import type { ListNode, MapNode, Node, Place } from "../tree/index.ts";
import type { Named } from "./named.ts";

/** Something with a name whose reference may lead nowhere. */
export interface MaybeNamed {
  readonly name: string;
  readonly place: Place;
  /** Undefined: its reference leads to nothing that is read; the problems say so. */
  readonly node?: MapNode;
}

/** A scheme that must be satisfied; several stand for a choice. */
export interface AsyncSecurity {
  /** The name among the components; undefined: it is defined where it is asked for. */
  readonly name?: string;
  readonly node?: MapNode;
  readonly scopes: readonly string[];
  readonly place: Place;
}

export interface AsyncServer extends Named {
  readonly protocol?: string;
  /** The address as written: `url` of 2.x, `host` and `pathname` of 3.x in one. */
  readonly address?: string;
  /** Undefined: nothing is said. */
  readonly security?: readonly AsyncSecurity[];
  readonly bindings: readonly Named[];
}

/**
 * The language of a schema. `schema`: JSON Schema, or AsyncAPI's superset of it. `openapi`: the
 * schema object of OpenAPI 3.0. `other`: Avro, Protobuf, RAML and so on, which is named and not
 * taken apart.
 */
export type SchemaLanguage = "schema" | "openapi" | "other";

export interface AsyncSchema {
  readonly language: SchemaLanguage;
  /** The media type of the schema's language, as written; undefined: none is. */
  readonly format?: string;
  /** As it stands: a reference is not followed. */
  readonly node: Node;
  readonly place: Place;
}

export interface CorrelationId {
  /** A runtime expression: `$message.header#/id`. */
  readonly location?: string;
  readonly place: Place;
}

/** A message with its traits merged in. */
export interface AsyncMessage extends MaybeNamed {
  readonly payload?: AsyncSchema;
  readonly headers?: AsyncSchema;
  readonly correlationId?: CorrelationId;
  /** Its own, or that of the file. */
  readonly contentType?: string;
  readonly bindings: readonly Named[];
  readonly examples?: ListNode;
  readonly traits: number;
}

export interface AsyncChannel extends MaybeNamed {
  /** `null`: the file says that it is not known before the service runs. Undefined: nothing. */
  readonly address?: string | null;
  /** By their names among the parameters. */
  readonly parameters: readonly MaybeNamed[];
  /** Names of the servers that have it; undefined: all of them. */
  readonly servers?: readonly string[];
  /** In 2.x those of its operations. */
  readonly messages: readonly AsyncMessage[];
  readonly bindings: readonly Named[];
}

export interface AsyncReply {
  readonly place: Place;
  readonly node: MapNode;
  readonly channel?: AsyncChannel;
  /** A runtime expression that gives the address. */
  readonly address?: string;
  readonly messages: readonly AsyncMessage[];
}

export interface AsyncOperation {
  /** The name in 3.x, `operationId` in 2.x; undefined: 2.x names none. */
  readonly name?: string;
  /** What the application does that the file describes. */
  readonly action: "send" | "receive";
  /** The word of the file: 2.x calls it from the other side. */
  readonly word: "send" | "receive" | "publish" | "subscribe";
  readonly place: Place;
  /** Its traits merged in. */
  readonly node: MapNode;
  readonly channel?: AsyncChannel;
  readonly messages: readonly AsyncMessage[];
  readonly reply?: AsyncReply;
  /** Undefined: nothing is said. */
  readonly security?: readonly AsyncSecurity[];
  readonly bindings: readonly Named[];
  readonly traits: number;
}

/** Everything that a file in AsyncAPI states of messages. */
export interface AsyncModel {
  readonly defaultContentType?: string;
  readonly servers: readonly AsyncServer[];
  readonly channels: readonly AsyncChannel[];
  readonly operations: readonly AsyncOperation[];
  /** Each once: those of channels, then those that only the components name. */
  readonly messages: readonly AsyncMessage[];
}
