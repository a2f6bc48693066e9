/** Stands for the reply of a request that has not begun under a document that is left. */
import type { Reply } from "./job.ts";

/** No reply: the request is to begin under the next document. Compared by identity. */
export const MOVED: Reply = { status: 0, headers: [], body: undefined };
