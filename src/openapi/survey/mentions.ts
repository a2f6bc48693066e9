/** What prose mentions and no member of the file states: topics by the words that name them. */
import type { Description, Operation } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place, plainText } from "../tree/index.ts";

const WORDS = {
  "rate limits":
    /\brate[- ]?limit|\bthrottl|\btoo many requests|\brequests (per|an?) (second|minute|hour)\b/i,
  "size limits":
    /\b(max(imum)?|up to|at most|limit(ed)?|larger than)\b[^.]{0,40}\b\d+ ?([KMG]i?B|\w*bytes)\b/i,
  "time-outs": /\btime[- ]?outs?\b|\btimes? out\b/i,
  quotas: /\bquotas?\b/i,
  "token handling":
    /\b(tokens?|credentials?|keys?|sessions?)\b[^.]{0,40}\b(expir|rotat|revok|refresh|valid for)/i,
  transitions: /\b(transitions?|life ?cycle|state machine)\b/i,
  events: /\bweb ?hooks?\b|\bcallbacks?\b/i,
  "compatibility rules": /\bbreaking changes?\b|\b(backward|forward)s?[- ]compatib/i,
} as const;

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

/** The sentence around the words of a text, cut where it is long. */
function quoteOf(text: string, at: number, length: number): string {
  const before = text.slice(0, at);
  const begun = /[^.!?:;]*$/.exec(before.slice(-400))?.[0].trimStart() ?? "";
  const ended =
    /^[^!?;.]*(?:\.(?!\s|$)[^!?;.]*)*/.exec(text.slice(at, at + length + 400))?.[0] ?? "";
  const left = begun.length <= BEFORE ? begun : `… ${begun.slice(-BEFORE).replace(/^\S* /, "")}`;
  const most = length + AFTER;
  const right = ended.length <= most ? ended : `${ended.slice(0, most).replace(/ \S*$/, "")} …`;
  return `${left}${right}`.trim();
}

/** What a text mentions, in words without marks and addresses. */
function mentionIn(text: string, topic: Topic): string | undefined {
  if (!WORDS[topic].test(text)) return undefined;
  const plain = plainText(text).replaceAll(/\bhttps?:\/\/\S*/g, "…");
  const found = WORDS[topic].exec(plain);
  return found === null ? undefined : quoteOf(plain, found.index, found[0].length);
}

/** Mentions by their topic: those with a number first, else in the order of the file. */
export function mentionsIn(description: Description): ReadonlyMap<Topic, readonly Mention[]> {
  const { root, operations } = description;
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
  for (const { node, parameters, responses } of operations as readonly Operation[]) {
    once(node);
    for (const each of parameters) once(each.node);
    for (const each of responses) once(each.node);
  }
  const hasNumber = ({ quote }: Mention): number => (/\d/.test(quote) ? 0 : 1);
  for (const all of found.values()) all.sort((a, b) => hasNumber(a) - hasNumber(b));
  return found;
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
  return ` Prose mentions it${times}: “${first.quote.replaceAll("`", "'")}”.`;
}
