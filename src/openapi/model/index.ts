/** The door of `model`: a file to a description of what it states. */

export { languageOf } from "./async-messages.ts";
export { reachIn } from "./async-servers.ts";
export type {
  AsyncChannel,
  AsyncMessage,
  AsyncModel,
  AsyncOperation,
  AsyncSchema,
  AsyncSecurity,
} from "./async-types.ts";
export { describe, kindOf } from "./description.ts";
export type { Files, Load } from "./files.ts";
export type { Named } from "./named.ts";
export { methodsOf } from "./operations.ts";
export type {
  Body,
  Description,
  Kind,
  Media,
  NamedSchema,
  Operation,
  Parameter,
  Requirement,
  Response,
  Source,
} from "./types.ts";
