/** Causes of a file in AsyncAPI: what it leaves open of messages, and of the whole. */
import type { AsyncModel, AsyncOperation } from "../model/index.ts";
import type { MapNode } from "../tree/index.ts";
import { asyncOperationRules, channelRules, messageRules, whoRule } from "./async-rules.ts";
import type { Seen } from "./facets.ts";
import { mentioned, type Topic } from "./mentions.ts";
import type { SurveyCode } from "./pages/index.ts";
import { type Known, type Rule, Tally } from "./rule.ts";
import { schemaRules } from "./schemas.ts";
import { topOf } from "./things.ts";
import type { Counted } from "./types.ts";

/** Something that nobody has said of the whole, which AsyncAPI could hardly say. */
interface Whole {
  readonly code: SurveyCode;
  readonly part: string;
  readonly message: string;
  readonly question: string;
  readonly topic?: Topic;
  /** Left out: it is always asked. */
  applies?(seen: Seen): boolean;
  /** Whether an operation waits for the answer; left out: none does. */
  blocks?(operation: AsyncOperation): boolean;
}

const WHOLES: readonly Whole[] = [
  {
    code: "resources",
    part: "Resources and their fields",
    message: "Nothing says what the service keeps: schemas say how something is sent.",
    question: "Which things does the service keep, and which message is about which?",
    blocks: () => true,
  },
  {
    code: "transitions",
    part: "States and transitions",
    message: "Nothing says which states things have, and what moves them from one to the next.",
    question: "Which states are there, and which message tells of which change, or makes it?",
    topic: "transitions",
    blocks: () => true,
  },
  {
    code: "servers",
    part: "What the service does",
    message: "Nothing says over which servers and protocols messages go.",
    question: "Over which servers and protocols do messages go?",
    applies: ({ description }) => description.async?.servers.length === 0,
    blocks: () => true,
  },
  {
    code: "endpoints",
    part: "Endpoints",
    message: "Nothing says whether the service answers requests over HTTP, too.",
    question: "Are there endpoints over HTTP, too, and in which file do they stand?",
  },
  {
    code: "rate-limits",
    part: "Limits",
    message: "Nothing says how many messages may come in which time.",
    question: "How many messages may come, in which time, and for whom are they counted?",
    topic: "rate limits",
  },
  {
    code: "size-limits",
    part: "Limits",
    message: "Nothing says how large a message may be.",
    question: "How large may a message be?",
    topic: "size limits",
  },
  {
    code: "kept",
    part: "Limits",
    message: "Nothing says how long messages are kept for who comes later.",
    question: "How long is a message kept for who was not there when it was sent?",
    applies: ({ description }) => !(description.async ?? EMPTY).channels.some(isKept),
  },
  {
    code: "token-handling",
    part: "Authentication",
    message: "Nothing says how long credentials are good, and how they end.",
    question: "How long is a credential good, and how does it end?",
    topic: "token handling",
    applies: ({ description }) => description.securitySchemes.length > 0,
    blocks: ({ security }) => (security?.length ?? 0) > 0,
  },
  {
    code: "compatibility",
    part: "Versioning",
    message: "Nothing says which changes of messages break who reads them.",
    question: "Which changes may come without a new version?",
    topic: "compatibility rules",
  },
];

const EMPTY: AsyncModel = { servers: [], channels: [], operations: [], messages: [] };

/** A topic of Kafka may say how long it keeps what is in it. */
function isKept({ bindings }: AsyncModel["channels"][number]): boolean {
  const topics = bindings.map(({ node }) => node.get("topicConfiguration"));
  return topics.some((each) => each?.kind === "map" && each.indexOf("retention.ms") >= 0);
}

function wholeCause(seen: Seen, whole: Whole, { operations }: AsyncModel): Counted | undefined {
  const { code, part, question, topic } = whole;
  if (whole.applies?.(seen) === false) return undefined;
  const { root } = seen.description;
  const said = topic === undefined ? [] : (seen.mentions.get(topic) ?? []);
  return {
    code,
    severity: "gap",
    part,
    message: `${whole.message}${mentioned(said)}`,
    question,
    count: 1,
    of: 1,
    blocks: operations.filter((each) => whole.blocks?.(each) === true).length,
    places: said.length === 0 ? [topOf(root)] : said.map(({ place }) => place),
  };
}

/** Rules of schemas speak of requests and answers; here both are messages. */
function inMessages<T>(rule: Rule<T>): Rule<T, AsyncOperation> {
  const says = (n: string, of: string): string =>
    rule
      .says(n, of)
      .replace(" in requests", " in messages that come in")
      .replace(" in answers", " in messages that go out");
  return { ...(rule as unknown as Rule<T, AsyncOperation>), says };
}

/** Operations by each message that they carry, and by each channel that they use. */
function usersOf({ operations }: AsyncModel): (node: MapNode | undefined) => AsyncOperation[] {
  const found = new Map<MapNode, AsyncOperation[]>();
  for (const each of operations) {
    const { channel, messages, reply } = each;
    for (const { node } of [
      ...messages,
      ...(reply?.messages ?? []),
      ...(channel ? [channel] : []),
    ]) {
      if (node === undefined) continue;
      const all = found.get(node) ?? [];
      all.push(each);
      found.set(node, all);
    }
  }
  return (node) => (node && found.get(node)) ?? [];
}

/** Every cause but the problems of reading. */
export function asyncCauses(about: Known, seen: Seen, model: AsyncModel): Counted[] {
  const tallies = <T>(rules: readonly Rule<T, AsyncOperation>[]): Tally<T, AsyncOperation>[] =>
    rules.map((rule) => new Tally(rule));
  const operations = tallies([...asyncOperationRules, whoRule(model)]);
  const channels = tallies(channelRules);
  const messages = tallies(messageRules);
  const schemas = tallies(schemaRules.map(inMessages));
  for (const it of model.operations) {
    for (const tally of operations) tally.take({ it, operation: it, about });
  }
  const usersAt = usersOf(model);
  for (const it of model.channels) {
    for (const tally of channels) tally.take({ it, users: usersAt(it.node), about });
  }
  for (const it of model.messages) {
    for (const tally of messages) tally.take({ it, users: usersAt(it.node), about });
  }
  for (const it of seen.schemas) for (const tally of schemas) tally.take({ it, about });
  return [
    ...[...operations, ...channels].flatMap((each) => each.cause() ?? []),
    ...[...messages, ...schemas].flatMap((each) => each.cause() ?? []),
    ...WHOLES.flatMap((whole) => wholeCause(seen, whole, model) ?? []),
  ];
}
