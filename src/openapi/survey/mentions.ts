/** What prose mentions and no member of the file states: topics by the words that name them. */
import type { Description, Operation } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place, plainText } from "../tree/index.ts";

/** Any of these, wherever they stand; of several in a list one behind the other. */
const any = (...all: readonly (RegExp | readonly RegExp[])[]): RegExp =>
  new RegExp(
    all
      .map((each) =>
        [each]
          .flat()
          .map(({ source }) => source)
          .join(""),
      )
      .join("|"),
    "gi",
  );

const WORDS = {
  "rate limits": any(
    /\brate[- ]?limit|\bthrottl|\btoo many requests/,
    /\brequests (?:per|an?) (?:second|minute|hour)\b/,
  ),
  "size limits": any([
    /\b(?:max(?:imum)?|up to|at most|limit(?:ed)?|larger than)\b[^.]{0,40}/,
    /\b\d+ ?(?:[KMG]i?B|\w*bytes)\b/,
  ]),
  "time-outs": any(/\btime[- ]?outs?\b|\btimes? out\b/),
  quotas: any(
    [
      /\b(?:exceed|over|reach|daily|monthly|per|against|allotted|service|your)\w*/,
      /\b[^.]{0,40}\bquotas?\b/,
    ],
    /\bquotas?\b[^.]{0,30}\b(?:exceed|limit|reach|is|are|of \d)/,
  ),
  "token handling": any(
    [
      /\b(?:tokens?|credentials?|(?:api|access|secret) keys?)/,
      /\b[^.]{0,40}\b(?:expir|rotat|revok|refreshed)/,
    ],
    [
      /\b(?:tokens?|credentials?|keys?) (?:is|are) valid for/,
      /\b[^.]{0,20}\b(?:second|minute|hour|day|week)/,
    ],
  ),
  transitions: any(
    [
      /\b(?:transition(?:s|ed|ing)?|move[sd])\b[^.]{0,40}/,
      /\b(?:to|from|into)\b[^.]{0,40}\b(?:state|status)/,
    ],
    /\b(?:state|status) transitions?\b|\bstate machine\b|\blife ?cycle (?:state|status|stage)s?\b/,
  ),
  events: any(/\bweb ?hooks?\b|\bcallbacks?\b/),
  "compatibility rules": any(/\bbreaking changes?\b|\b(?:backward|forward)s?[- ]compatib/),
  idempotency: any(/\bidempoten(?:t|ce|cy)\b/),
  order: any(
    /\b(?:sorted|ordered) (?:by|in)\b/,
    /\b(?:ascending|descending|chronological|alphabetical) order\b/,
    /\b(?:newest|oldest|latest|most recent)(?: \w+){0,2} first\b/,
  ),
  versions: any(
    /\bif-match\b|\boptimistic(?:ally)? (?:lock|concurren)/,
    /\betag\b[^.]{0,40}\b(?:match|overwrit)/,
  ),
} as const;

/** Sentences with the words of a topic that are about something else. */
const ELSEWHERE: Readonly<Partial<Record<Topic, RegExp>>> = {
  "rate limits": any(/\bthrottle the\b|throttling purposes/),
  "size limits": any(/quota|\bper (?:second|minute|hour)\b/),
  "time-outs": any(
    /\btime-?outs? (?:in|value)\b|`time-?out`/,
    /\b(?:socket|idle|session|lock|message) [^.]*time-?out/,
  ),
  quotas: any(/provides you with API access/),
  "token handling": any(
    /\b(?:page|paging|pagination|sync|continuation|continue|cursor)[ _-]?tokens?\b/,
    /\b(?:card|upload|download|enrol\w*|list)[ _-]?tokens?\b|key material/,
  ),
  order: any(
    /\b(?:sort|order)[- ]?(?:by|order)\b|\bcan be (?:sorted|ordered)|to be (?:sorted|ordered)/,
    /\bascending or descending|\bdescending or ascending/,
  ),
  versions: any(/if-none-match|\bretriev/),
  events: any(
    /json-?p\b|callback (?:function|method|name|step|pattern)|callback[=(]/,
    /oauth|redirect[_ ]?ur|preferred callback/,
  ),
  "compatibility rules": any([
    /\b(?:for|offers?|provides?|maintains?|prevent)\b[^.]{0,12}/,
    / (?:backwards?[- ]compatib|breaking)/,
  ]),
};

const NOWHERE = /$^/;

/** Matches that are looked at in one text. */
const MATCHES_MAX = 8;

export type Topic = keyof typeof WORDS;

/** Where prose mentions something, and in which words. */
export interface Mention {
  readonly place: Place;
  readonly quote: string;
}

const TOPICS = Object.keys(WORDS) as Topic[];

/** Characters of a sentence in front of the words and behind them. */
const BEFORE = 50;
const AFTER = 50;

/** What a text says in front of some words and behind them, to the ends of their sentence. */
function sentenceAt(text: string, at: number, length: number): readonly [string, string] {
  const before = text.slice(Math.max(0, at - 400), at);
  const behind = text.slice(at, at + length + 400);
  const begun = /(?:[^.!?:;]|\.(?=\S))*$/.exec(before)?.[0].trimStart() ?? "";
  const ended = /^(?:[^!?;.]|\.(?=\S))*/.exec(behind)?.[0] ?? "";
  return [begun, ended];
}

/** A sentence, cut where it is long, without marks. */
function quoteOf([begun, ended]: readonly [string, string], length: number): string {
  const left = begun.length <= BEFORE ? begun : `… ${begun.slice(-BEFORE).replace(/^\S* /, "")}`;
  const most = length + AFTER;
  const right = ended.length <= most ? ended : `${ended.slice(0, most).replace(/ \S*$/, "")} …`;
  return `${left}${right}`
    .replaceAll(/[*|“”]+/g, " ")
    .replaceAll("`", "'")
    .replaceAll(/ +/g, " ")
    .replace(/^[-\s)\]]+/, "")
    .trim();
}

/** What a text mentions, in words without marks and addresses. */
function mentionIn(text: string, topic: Topic): string | undefined {
  if (text.search(WORDS[topic]) < 0) return undefined;
  const plain = plainText(text).replaceAll(/\bhttps?:\/\/\S*/g, "…");
  let looked = 0;
  for (const { 0: words, index } of plain.matchAll(WORDS[topic])) {
    const sentence = sentenceAt(plain, index, words.length);
    if (sentence.join("").search(ELSEWHERE[topic] ?? NOWHERE) < 0)
      return quoteOf(sentence, words.length);
    looked += 1;
    if (looked === MATCHES_MAX) break;
  }
  return undefined;
}

/** Mentions by their topic: those with a number first, else in the order of the file. */
export function mentionsIn(description: Description): ReadonlyMap<Topic, readonly Mention[]> {
  const { root, operations, securitySchemes } = description;
  const found = new Map<Topic, Mention[]>(TOPICS.map((topic) => [topic, []]));
  const look = (node: Node | undefined): void => {
    if (node?.kind !== "scalar" || typeof node.value !== "string") return;
    for (const topic of TOPICS) {
      const quote = mentionIn(node.value, topic);
      if (quote !== undefined) found.get(topic)?.push({ place: node, quote });
    }
  };
  const prose = (node: MapNode | undefined): void => {
    look(node?.get("summary"));
    look(node?.get("description"));
  };
  const info = root.get("info");
  if (info?.kind === "map") prose(info);
  for (const tag of listAt(root, "tags")?.items ?? []) if (tag.kind === "map") prose(tag);
  const seen = new Set<MapNode>();
  const once = (node: MapNode): void => {
    if (!seen.has(node)) prose(node);
    seen.add(node);
  };
  for (const node of asyncNodes(description)) once(node);
  for (const { node } of securitySchemes) once(node);
  for (const { node, parameters, body, responses } of operations as readonly Operation[]) {
    once(node);
    if (body?.node !== undefined) once(body.node);
    for (const each of parameters) once(each.node);
    for (const each of responses) once(each.node);
  }
  const hasNumber = ({ quote }: Mention): number => (/\d/.test(quote) ? 0 : 1);
  for (const all of found.values()) all.sort((a, b) => hasNumber(a) - hasNumber(b));
  return found;
}

/** Causes about operations, with the topic that prose may mention. */
const TOPIC_OF: Readonly<Record<string, Topic>> = {
  "asked-twice": "idempotency",
  "list-order": "order",
  "lost-update": "versions",
  "too-many-requests": "rate limits",
};

/** A cause with what prose mentions of it. */
export function withMentions<C extends { readonly code: string; readonly message: string }>(
  cause: C,
  mentions: ReadonlyMap<Topic, readonly Mention[]>,
): C {
  const topic = TOPIC_OF[cause.code];
  const said = topic === undefined ? "" : mentioned(mentions.get(topic) ?? []);
  return said === "" ? cause : { ...cause, message: `${cause.message}${said}` };
}

/** What in a file in AsyncAPI has prose of its own. */
function asyncNodes({ async: model }: Description): MapNode[] {
  if (model === undefined) return [];
  const { servers, channels, operations, messages } = model;
  const nodes = [...servers, ...channels, ...operations, ...messages].map(({ node }) => node);
  const parameters = channels.flatMap((each) => each.parameters.map(({ node }) => node));
  return [...nodes, ...parameters].filter((node) => node !== undefined);
}

/** `Prose mentions it, 3 times: “…”.`; nothing where it does not. */
export function mentioned(all: readonly Mention[]): string {
  const [first] = all;
  if (first === undefined) return "";
  const times = all.length === 1 ? "" : `, ${all.length} times`;
  return ` Prose mentions it${times}: “${first.quote}”.`;
}
