/**
 * What a session is to be set to, whatever the server, the database or the user have been set to:
 * else numbers would lose digits, a statement would see another moment, or what was acknowledged
 * would not be durable.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // One writes at a time, and sees what was written before it was its turn.
  default_transaction_isolation: "read committed",
  default_transaction_read_only: "off",
  // A wait for the standby that is ended by a time looks like one that was granted.
  statement_timeout: "0",
  idle_session_timeout: "0",
  // Numbers as texts have all their digits, and texts are what they are.
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  array_nulls: "on",
  transform_null_equals: "off",
};

/** Sets them; where commits are not durable at all, they are made so. */
export const OWN_SETTINGS = [
  `SELECT ${Object.entries(SETTINGS)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(", ")}`,
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') " +
    "WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)",
].join(", ");
