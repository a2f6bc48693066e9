/** Rules about operations, channels and messages of AsyncAPI: what no member of them says. */
import {
  type AsyncChannel,
  type AsyncMessage,
  type AsyncModel,
  type AsyncOperation,
  reachIn,
} from "../model/index.ts";
import { valueAt } from "../tree/index.ts";
import type { Rule as AnyRule } from "./rule.ts";

type Rule<T> = AnyRule<T, AsyncOperation>;

const EVENTS = "Events";
const ACCESS = "Authentication";

/** Whether our own export has said it beside what AsyncAPI can say. */
const isBeside = ({ node }: AsyncOperation, name: string): boolean =>
  node.indexOf(`x-lacuna-${name}`) >= 0;

/** Quality of service of MQTT is a guarantee: 0 at most once, 1 at least once, 2 exactly once. */
const isGuaranteed = ({ bindings }: AsyncOperation): boolean =>
  bindings.some(({ name, node }) => /^mqtt5?$/.test(name) && valueAt(node, "qos") !== undefined);

const receives = ({ action }: AsyncOperation): boolean => action === "receive";
const sends = ({ action }: AsyncOperation): boolean => action === "send";

export const asyncOperationRules: readonly Rule<AsyncOperation>[] = [
  {
    code: "sent-when",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} operations that send do not say when, and about what.`,
    hint: "AsyncAPI has no words for it; `lacuna import` writes a document that has.",
    question: "When is a message sent by @, and about which thing?",
    applies: ({ it }) => sends(it),
    met: ({ it }) => it.place,
  },
  {
    code: "effect",
    severity: "gap",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} operations that receive do not say what they do: what is kept or changed.`,
    question: "What does the service keep or change when a message comes to @?",
    applies: ({ it }) => receives(it),
    met: ({ it }) => it.place,
  },
  {
    code: "guarantee",
    severity: "gap",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} operations do not say how often a message arrives: at least once, at most ` +
      `once.`,
    question: "How often may one message of @ arrive?",
    met: ({ it }) => (isGuaranteed(it) || isBeside(it, "guarantee") ? undefined : it.place),
  },
  {
    code: "order",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} operations do not say in which order messages arrive.`,
    question: "In which order do messages of @ arrive?",
    met: ({ it }) => (isBeside(it, "order") ? undefined : it.place),
  },
  {
    code: "attempts",
    severity: "gap",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} operations that send do not say what is done when a message cannot be ` +
      `delivered.`,
    question: "How often does @ try to send again, and what is done behind the last time?",
    applies: ({ it }) => sends(it),
    met: ({ it }) => (isBeside(it, "attempts") ? undefined : it.place),
  },
  {
    code: "wrong-message",
    severity: "gap",
    part: "Errors",
    says: (n, of) =>
      `${n} of ${of} operations that receive do not say what becomes of a message that is wrong.`,
    question: "What becomes of a message to @ that is not as its schema says, or cannot be used?",
    applies: ({ it }) => receives(it),
    met: ({ it }) => it.place,
  },
  {
    code: "message-twice",
    severity: "gap",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} operations that receive do not say what the same message does when it comes ` +
      `twice.`,
    question: "What does a message to @ do that has come before?",
    applies: ({ it }) => receives(it),
    met: ({ it }) => it.place,
  },
  {
    code: "scheme-unknown",
    severity: "error",
    part: ACCESS,
    says: (n, of) =>
      `${n} of ${of} operations name a security scheme that the file does not define.`,
    met: ({ it, about }) =>
      it.security?.find(({ name }) => name !== undefined && !about.schemeNames.has(name))?.place,
  },
  {
    code: "reply-time",
    severity: "gap",
    part: "Limits",
    says: (n, of) => `${n} of ${of} operations with a reply do not say how long it may take.`,
    question: "How long may @ take, and what comes when there is none in time?",
    applies: ({ it }) => it.reply !== undefined,
    met: ({ it }) => it.reply?.place,
  },
  {
    code: "reply-of",
    severity: "gap",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} operations with a reply do not say which message a reply belongs to (no ` +
      `correlation id).`,
    question: "How does one tell which message @ belongs to?",
    applies: ({ it }) => it.reply !== undefined,
    met: ({ it }) => {
      const all = [...it.messages, ...(it.reply?.messages ?? [])];
      const isTold = all.length > 0 && all.every((each) => each.correlationId !== undefined);
      return isTold ? undefined : it.reply?.place;
    },
  },
  {
    code: "no-message",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} operations name no message.`,
    question: "Which messages go to @?",
    met: ({ it }) => (it.messages.length === 0 ? it.place : undefined),
  },
  {
    code: "no-channel",
    severity: "error",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} operations name no channel that is there.`,
    met: ({ it }) => (it.channel?.node === undefined ? it.place : undefined),
  },
];

/** Who may use them: where an operation does not say it, its servers may. */
export function whoRule(model: AsyncModel): Rule<AsyncOperation> {
  const reach = reachIn(model);
  return {
    code: "who",
    severity: "gap",
    part: ACCESS,
    says: (n, of) =>
      `${n} of ${of} operations say nothing of who may use them, nor do all their servers.`,
    question: "Who may use @?",
    met: ({ it }) => {
      const isSaid = it.security !== undefined || reach(it.channel).isSecured;
      return isSaid || isBeside(it, "who") ? undefined : it.place;
    },
  };
}

/** The names between braces of an address. */
const namesIn = (address: string): string[] =>
  [...address.matchAll(/\{([^{}]*)\}/g)].map((each) => each[1] ?? "");

export const channelRules: readonly Rule<AsyncChannel>[] = [
  {
    code: "address",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} channels do not say their address.`,
    question: "At which address is @?",
    applies: ({ it }) => it.node !== undefined,
    met: ({ it }) => (typeof it.address === "string" ? undefined : it.place),
  },
  {
    code: "parameter-undeclared",
    severity: "error",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} addresses with parameters name one that is not declared.`,
    applies: ({ it }) => namesIn(it.address ?? "").length > 0,
    met: ({ it }) => {
      const known = new Set(it.parameters.map(({ name }) => name));
      return namesIn(it.address ?? "").every((each) => known.has(each)) ? undefined : it.place;
    },
  },
  {
    code: "parameter-unused",
    severity: "warning",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} channels with parameters declare one that their address does not have.`,
    applies: ({ it }) => it.parameters.length > 0 && typeof it.address === "string",
    met: ({ it }) => {
      const known = new Set(namesIn(it.address ?? ""));
      return it.parameters.find(({ name }) => !known.has(name))?.place;
    },
  },
  {
    code: "parameter-type",
    severity: "gap",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} channels with parameters do not say which values each may have.`,
    question: "Which values may @ have?",
    applies: ({ it }) => it.parameters.length > 0,
    met: ({ it }) =>
      it.parameters.find(
        ({ node }) => node !== undefined && node.indexOf("schema") < 0 && node.indexOf("enum") < 0,
      )?.place,
  },
];

const hasNode = ({ it }: { readonly it: AsyncMessage }): boolean => it.node !== undefined;

export const messageRules: readonly Rule<AsyncMessage>[] = [
  {
    code: "payload",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} messages do not say what they carry.`,
    question: "What does @ carry?",
    applies: hasNode,
    met: ({ it }) => (it.payload === undefined ? it.place : undefined),
  },
  {
    code: "payload-language",
    severity: "note",
    part: EVENTS,
    says: (n, of) =>
      `${n} of ${of} payloads are in another language than JSON Schema (Avro, Protobuf and the ` +
      `like): it is named, and not taken apart.`,
    applies: ({ it }) => it.payload !== undefined,
    met: ({ it }) => (it.payload?.language === "other" ? it.payload.place : undefined),
  },
  {
    code: "content-type",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} messages do not say their media type.`,
    hint: "`defaultContentType` says it for all of them.",
    question: "In which media type is @ written?",
    applies: hasNode,
    met: ({ it }) => (it.contentType === undefined ? it.place : undefined),
  },
  {
    code: "message-headers",
    severity: "gap",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} messages say nothing of headers.`,
    question: "Which headers does @ have?",
    applies: hasNode,
    met: ({ it }) => {
      const isBound = it.bindings.some(({ node }) => node.indexOf("headers") >= 0);
      return it.headers === undefined && !isBound ? it.place : undefined;
    },
  },
  {
    code: "message-example",
    severity: "note",
    part: EVENTS,
    says: (n, of) => `${n} of ${of} messages have no example.`,
    applies: hasNode,
    met: ({ it }) => (it.examples === undefined ? it.place : undefined),
  },
];
