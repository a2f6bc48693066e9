/* data table */
/** Pages of what is counted of files in AsyncAPI. */
import { error, gap, note, warning } from "./page.ts";

const HEAD = 'asyncapi: 3.0.0\ninfo: { title: Notes, version: "1" }\n';

const file = (action: string, message = "{}", more = ""): string =>
  `${HEAD}channels:\n  notes: { address: notes, messages: { note: ${message} } }\noperations:\n  noted: { action: ${action}, channel: { $ref: "#/channels/notes" }${more} }`;

const channel = (text: string): string => `${HEAD}channels:\n  notes: ${text}`;

const NONE = channel("{ address: notes }");
const REPLY = ', reply: { channel: { $ref: "#/channels/notes" } }';

export const messagePages = {
  "sent-when": gap(
    "When a message is sent is not said",
    "An operation that sends names its channel and its messages. What happens before, so that one is sent, and about which thing it is, AsyncAPI has no words for.",
    "Import the file, and state the causes in the part Events.",
    file("send"),
    "- Emits: `note.written` when a `Note` is created",
  ),
  guarantee: gap(
    "How often a message arrives is not said",
    "Neither a binding nor an extension says at least once, at most once or exactly once. A receiver cannot tell whether it must expect the same message twice, or miss one.",
    "State the binding of the protocol (MQTT's `qos`, for example), or import the file and say it there.",
    file("send"),
    "- Attempts: at once, then after 5 s, 5 min, 30 min",
  ),
  order: gap(
    "The order of messages is not said",
    "Messages may overtake one another. Whether they arrive in the order in which things happened, and for which key, is open.",
    "Import the file, and state the order of arrival.",
    file("send"),
    "- Order of arrival: as they happened",
  ),
  attempts: gap(
    "What is done with a message that cannot be delivered is not said",
    "Sending may fail. How often it is tried again, and where the message goes behind the last time, is open.",
    "Import the file, and state the attempts.",
    file("send"),
    "- Attempts: at once, then after 5 s, 5 min, 30 min",
  ),
  "wrong-message": gap(
    "What becomes of a wrong message is not said",
    "A message may not fit its schema, or may ask for what cannot be done. Whether it is dropped, answered or kept aside is open.",
    "Import the file, and state the failures.",
    file("receive"),
    "| wrong type | `invalid` on its name |",
  ),
  "message-twice": gap(
    "What the same message does twice is not said",
    "Most protocols may deliver a message again. Whether the second one does its work again is open.",
    "Name what makes two messages the same, an id for example, and what the second one does.",
    file("receive"),
    "- Idempotency key: header `Idempotency-Key`",
  ),
  "reply-time": gap(
    "How long a reply may take is not said",
    "The operation has a reply. Until when it comes, and what comes when there is none in time, is open.",
    "Say in the description how long a reply may take.",
    file("receive", "{}", REPLY),
    file("receive"),
  ),
  "reply-of": gap(
    "Which message a reply belongs to is not said",
    "The operation has a reply, and its messages have no correlation id. Who has sent two cannot tell which reply is for which.",
    "State `correlationId` at the messages.",
    file("receive", "{}", REPLY),
    file("receive"),
  ),
  "no-message": gap(
    "An operation names no message",
    "Neither the operation nor its channel names a message, so what is sent or received is open.",
    "State the messages of the channel.",
    `${channel("{ address: notes }")}\noperations:\n  noted: { action: send, channel: { $ref: "#/channels/notes" } }`,
    file("send"),
  ),
  "no-channel": error(
    "An operation names no channel",
    "The channel of the operation is missing, or its reference leads nowhere. Where messages go cannot be told.",
    "Refer to a channel of the file.",
    `${NONE}\noperations:\n  noted: { action: send }`,
    file("send"),
  ),
  address: gap(
    "A channel does not say its address",
    "The channel has no `address`, or one that is `null`: it is known when the service runs. Who reads the file cannot find it.",
    "State the address, or say where it is learnt.",
    channel("{}"),
    NONE,
  ),
  "parameter-undeclared": error(
    "A parameter of an address is not declared",
    "The address has a name in braces that is not among the parameters of the channel, so its values are unknown.",
    "Declare it under `parameters`.",
    channel('{ address: "notes/{id}" }'),
    channel('{ address: "notes/{id}", parameters: { id: {} } }'),
  ),
  "parameter-unused": warning(
    "A declared parameter is not in the address",
    "A channel declares a parameter that its address does not have, so it never has a value. Often one of the names has a typo.",
    "Take it away, or mend the name.",
    channel("{ address: notes, parameters: { id: {} } }"),
    channel('{ address: "notes/{id}", parameters: { id: {} } }'),
  ),
  payload: gap(
    "What a message carries is not said",
    "The message has no `payload`, so a receiver knows that something comes, and not what.",
    "State the schema of the payload.",
    channel("{ address: notes, messages: { note: {} } }"),
    channel("{ address: notes, messages: { note: { payload: { type: string } } } }"),
  ),
  "payload-language": note(
    "A payload in another language",
    "The schema of the payload is in Avro, Protobuf or another language than JSON Schema. It is named, and nothing is read of it.",
    "Nothing is wrong.",
    channel(
      "{ address: notes, messages: { note: { payload: { schemaFormat: application/vnd.apache.avro, schema: {} } } } }",
    ),
    channel("{ address: notes, messages: { note: { payload: { type: string } } } }"),
  ),
  "content-type": gap(
    "A message does not say its media type",
    "Neither the message nor the file (`defaultContentType`) says how messages are written: JSON, or something else.",
    "State `defaultContentType`, or `contentType` at the message.",
    channel("{ address: notes, messages: { note: {} } }"),
    channel("{ address: notes, messages: { note: { contentType: application/json } } }"),
  ),
  "message-headers": gap(
    "Nothing is said of headers",
    "The message has no `headers`. Whether there are none, or none were written down, is open.",
    "State the headers.",
    channel("{ address: notes, messages: { note: {} } }"),
    channel("{ address: notes, messages: { note: { headers: { type: object } } } }"),
  ),
  "message-example": note(
    "A message has no example",
    "Readers copy an example before they read a schema, and this message has none.",
    "State one under `examples`.",
    channel("{ address: notes, messages: { note: {} } }"),
    channel("{ address: notes, messages: { note: { examples: [{ payload: tea }] } } }"),
  ),
  servers: gap(
    "Servers and protocols are not said",
    "The file has no `servers`, so over which protocol messages go, and where, is open.",
    "State the servers with their protocols.",
    NONE,
    `${NONE}\nservers:\n  main: { host: notes.example, protocol: amqp }`,
  ),
  endpoints: gap(
    "Whether there are endpoints over HTTP is not said",
    "AsyncAPI describes messages. A service may answer requests over HTTP, too, and then another file describes them, or none.",
    "Import the file, and state the endpoints, or that there are none.",
    NONE,
    "Endpoints: none.",
  ),
  kept: gap(
    "How long messages are kept is not said",
    "Who comes later may find earlier messages, or not. No binding says how long they are kept.",
    "State the binding (Kafka's `retention.ms`, for example).",
    NONE,
    channel(
      '{ address: notes, bindings: { kafka: { topicConfiguration: { "retention.ms": 1000 } } } }',
    ),
  ),
} as const;
