/* data table */
/** What speaks of a thing all the same where a document says that there is none of it. */

/** Uses of things, in words. Beside `none` each of them is a finding. */
export const uses = {
  "version in the path": "`- Chosen by: path`",
  body: "a body that states no media type of its own",
  "start rows": "a block `json rows` for the resource",
  "late answer": "`- No answer in time:` at the call",
  "caller read": "`caller` in the steps of the endpoint",
  "caller's keys": "`- Key per: caller` at the endpoint",
  "body read": "`body` in the steps of the endpoint",
  "body row": "a `body` row of its input table",
  "format of a body": "`- Body format:` at the endpoint",
  "terms of keys": "the bullets that say how its keys are kept and compared",
  "subject read": "`claims.sub` at `- Caller:`, where the service issues the tokens itself",
  "listener read": "`caller` at `- Sees:`",
  "version chosen": "`- Chosen by:` a header or a query parameter",
  "version refused": "a failure row `no version` or `unknown version`",
  "data of an answer": "`said` with a name of such data",
  "retry time": "`Retry-After` at the limit",
  "error with values": "`with` values that only a body could show",
} as const;

export type Use = keyof typeof uses;

/**
 * What may stand beside `none`: the uses that contradict it, or in a sentence why nothing in a
 * document can use what there is none of.
 */
export type Denial = { readonly usedBy: readonly [Use, ...Use[]] } | { readonly unused: string };
