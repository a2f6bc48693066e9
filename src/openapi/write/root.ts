/** The values of a description's first file, without their places. */
import type { Description } from "../model/index.ts";
import { type Json, jsonOf } from "./json.ts";

/** The root as plain JSON. */
export function plainRoot({ root, files }: Pick<Description, "root" | "files">): Json {
  return jsonOf(root, files);
}
