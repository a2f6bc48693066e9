/** Items: what a document can state, and the five values that each can have. */

/**
 * Stable name of an item, made of its place in the document's structure and not of its line, such
 * as `endpoints/POST /orders/step 3`. Origins map it to a span.
 */
export type ItemId = string;

export type Status = "stated" | "none" | "free" | "not shown" | "silent";
