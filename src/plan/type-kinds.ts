/** Which types hold others or name a row; all the rest are scalars, and most of those are texts. */
import type { BaseType } from "./types/index.ts";

/** A type made of other types, or that names a row. */
export type CompoundType = Extract<BaseType, { kind: "list" | "map" | "structure" | "reference" }>;
export type ScalarType = Exclude<BaseType, CompoundType>;

const SCALAR: {
  readonly [K in BaseType["kind"]]: K extends CompoundType["kind"] ? false : true;
} = {
  string: true,
  boolean: true,
  number: true,
  date: true,
  duration: true,
  "time zone": true,
  email: true,
  uri: true,
  uuid: true,
  json: true,
  schema: true,
  file: true,
  secret: true,
  state: true,
  "event name": true,
  "error name": true,
  integer: true,
  decimal: true,
  timestamp: true,
  id: true,
  "one of": true,
  list: false,
  map: false,
  structure: false,
  reference: false,
};

const TEXTS = [
  "string",
  "date",
  "time zone",
  "email",
  "uri",
  "uuid",
  "file",
  "secret",
  "state",
  "event name",
  "error name",
  "id",
  "one of",
] as const satisfies readonly ScalarType["kind"][];

/** A type whose values are texts: in expressions, in a store and as they are sent. */
export type TextType = Extract<BaseType, { kind: (typeof TEXTS)[number] }>;

const texts: ReadonlySet<BaseType["kind"]> = new Set(TEXTS);

/** Whether a value of the type is a text. */
export function isText(type: BaseType): type is TextType {
  return texts.has(type.kind);
}

/** Whether a value of the type is one value: no items, no members, no row. */
export function isScalar(type: BaseType): type is ScalarType {
  return SCALAR[type.kind];
}
