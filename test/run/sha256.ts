/** SHA-256 as a host supplies it to a run. */
import { createHash } from "node:crypto";

/** SHA-256 of the text in UTF-8, as 64 hexadecimal digits in lower case. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
