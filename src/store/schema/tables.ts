/** Tables of a store that no resource has: events, messages and calls. */

/** Statement that makes the table of events. */
export const EVENT_TABLE =
  "CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, " +
  "event TEXT NOT NULL, at INTEGER NOT NULL, content TEXT NOT NULL) STRICT";

/** Statements that make the table of messages. */
export const MESSAGE_TABLE: readonly string[] = [
  "CREATE TABLE messages (number INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, " +
    "receiver INTEGER NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, " +
    "attempts INTEGER NOT NULL, due INTEGER NOT NULL, event TEXT NOT NULL DEFAULT '', " +
    "sent INTEGER NOT NULL DEFAULT 0) STRICT",
  "CREATE INDEX x_messages_receiver ON messages (webhook, receiver, due)",
  "CREATE INDEX x_messages_order ON messages (webhook, receiver, number)",
  "CREATE INDEX x_messages_due ON messages (due)",
];

/** Columns of messages that stores written earlier lack: of what waits there they are empty. */
export const LATER_MESSAGE_COLUMNS: Readonly<Record<string, string>> = {
  event: "ALTER TABLE messages ADD COLUMN event TEXT NOT NULL DEFAULT ''",
  sent: "ALTER TABLE messages ADD COLUMN sent INTEGER NOT NULL DEFAULT 0",
};

/** Statements that make the table of calls. */
export const CALL_TABLE: readonly string[] = [
  "CREATE TABLE calls (key TEXT PRIMARY KEY, work TEXT NOT NULL, call TEXT NOT NULL, " +
    "given TEXT NOT NULL, rows TEXT NOT NULL, state TEXT NOT NULL, undoes TEXT, " +
    "since INTEGER NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL) STRICT",
  "CREATE INDEX x_calls_work ON calls (state, work)",
  "CREATE INDEX x_calls_state_due ON calls (state, due)",
  "CREATE INDEX x_calls_due ON calls (due) WHERE state <> 'asked'",
];
