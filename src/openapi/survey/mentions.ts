/** What prose mentions and no member of the file states: topics by the words that name them. */
import type { Description, Operation } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place } from "../tree/index.ts";

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

const TOPICS = Object.keys(WORDS) as Topic[];

/** Places of prose by the topic that is mentioned there, in the order of the file. */
export function mentionsIn(description: Description): ReadonlyMap<Topic, Place[]> {
  const { root, operations } = description;
  const found = new Map<Topic, Place[]>(TOPICS.map((topic) => [topic, []]));
  const look = (node: Node | undefined): void => {
    if (node?.kind !== "scalar" || typeof node.value !== "string") return;
    for (const topic of TOPICS) if (WORDS[topic].test(node.value)) found.get(topic)?.push(node);
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
