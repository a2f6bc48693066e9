/** Items: what a document can state, and the five values that each can have. */

/**
 * Stable name of an item, made of its owners' names and its own words, never of its line or of what
 * stands before it, such as `endpoints/POST /orders/step Check the inputs`. Of two with the same
 * words the second has `#2` behind it. Origins map it to a span.
 */
export type ItemId = string;

export type Status = "stated" | "none" | "free" | "not shown" | "silent";
