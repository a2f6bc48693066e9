/** What nobody has said of things, their states and credentials, told with what the file shows. */
import type { MapNode, Place } from "../tree/index.ts";
import type { Seen } from "./facets.ts";
import { mentioned } from "./mentions.ts";
import { needsCredentials } from "./requirements.ts";
import { READS } from "./told.ts";
import type { Counted } from "./types.ts";
import { mostAnswered, pairsOf, type StateMember, shows } from "./wholes.ts";

const thousands = new Intl.NumberFormat("en-US");

/** Where what is said nowhere would stand. */
export const topOf = (root: MapNode): Place => ({
  file: root.file,
  start: root.start,
  end: root.start + 1,
});

/** What the service keeps: pairs of paths show it, else what most answers hold. */
export function resources({ description }: Seen): Counted {
  const pairs = pairsOf(description);
  const [first] = pairs;
  const { operations, root } = description;
  const rest = {
    code: "resources",
    severity: "gap",
    part: "Resources and their fields",
    blocks: operations.length,
  } as const;
  const known = "schemas say how something is sent.";
  if (first !== undefined) {
    const n = thousands.format(pairs.length);
    return {
      ...rest,
      message:
        `${n} ${pairs.length === 1 ? "path has" : "paths have"} one below for a single thing. ` +
        `Nothing says what is kept there: ${known}`,
      question: "What does the service keep behind @, and which schema shows it?",
      subject: `\`${first.whole}\` and \`${first.one}\``,
      count: pairs.length,
      of: pairs.length,
      places: pairs.map(({ place }) => place),
    };
  }
  const shown = mostAnswered(description);
  if (shown !== undefined) {
    const n = thousands.format(shown.count);
    return {
      ...rest,
      message:
        `Nothing says what the service keeps: ${known} ${n} ` +
        `${shown.count === 1 ? "answer holds" : "answers hold"} this one.`,
      question: "Which things does the service keep: is what @ shows one of them?",
      subject: `schema \`${shown.name}\``,
      ...{ count: 1, of: 1, places: [shown.place] },
    };
  }
  return {
    ...rest,
    message: `Nothing says what the service keeps: ${known}`,
    question: "Which things does the service keep, and which schema shows each?",
    ...{ count: 1, of: 1, places: [topOf(root)] },
  };
}

/** Values that are told of a member. */
const VALUES_TOLD = 4;

/** `open`, `paid` and 3 more. */
function someOf(values: readonly string[]): string {
  const told = values.slice(0, values.length === VALUES_TOLD + 1 ? VALUES_TOLD + 1 : VALUES_TOLD);
  const more = values.length - told.length;
  const names = told.map((each) => `\`${each.replaceAll("`", "'")}\``);
  return more === 0
    ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
    : `${names.join(", ")} and ${more} more`;
}

/** Which states things have: members that list values show it, and prose may. */
export function transitions({ description, states, mentions }: Seen): Counted {
  const said = mentions.get("transitions") ?? [];
  const { operations, refs, root } = description;
  const all: readonly StateMember[] = [...states.values()];
  const changing = operations.filter(({ method }) => !READS.has(method));
  const rest = { code: "transitions", severity: "gap", part: "States and transitions" } as const;
  if (all.length === 0) {
    return {
      ...rest,
      message:
        "Nothing says which states things have, and what moves them from one to the next." +
        mentioned(said),
      question: "Which states are there, and which operation moves a thing to which?",
      ...{ count: 1, of: 1, blocks: said.length === 0 ? 0 : changing.length },
      places: said.length === 0 ? [topOf(root)] : said.map(({ place }) => place),
    };
  }
  const most = all.reduce((best, each) => (each.values.length > best.values.length ? each : best));
  const sorted = [most, ...all.filter((each) => each !== most)];
  const n = thousands.format(all.length);
  return {
    ...rest,
    message:
      `${n} ${all.length === 1 ? "member lists" : "members list"} states ` +
      `(${someOf(most.values)}). ` +
      `Nothing says what moves a thing from one to the next.${mentioned(said)}`,
    question: "Which operation moves @ from which state to which?",
    count: all.length,
    of: all.length,
    blocks: changing.filter((each) => shows(each, states, refs)).length,
    places: sorted.map(({ place }) => place),
  };
}

/** How credentials end, by the schemes that most operations ask for. */
export function tokens({ description, mentions }: Seen): Counted[] {
  const { operations, securitySchemes } = description;
  if (securitySchemes.length === 0) return [];
  const said = mentions.get("token handling") ?? [];
  const asked = new Map<string, number>();
  // Operations without one of their own share a list.
  for (const [security = [], all] of Map.groupBy(operations, (one) => one.security)) {
    for (const { scheme } of security.flat()) {
      asked.set(scheme, (asked.get(scheme) ?? 0) + all.length);
    }
  }
  const all = securitySchemes.toSorted(
    (a, b) => (asked.get(b.name) ?? 0) - (asked.get(a.name) ?? 0),
  );
  const [first] = all;
  return [
    {
      code: "token-handling",
      severity: "gap",
      part: "Authentication",
      message: `Nothing says how long credentials are good, and how they end.${mentioned(said)}`,
      question: "How long is a credential of @ good, and how does it end?",
      subject: `scheme \`${first?.name}\``,
      count: all.length,
      of: all.length,
      blocks: operations.filter(needsCredentials).length,
      places: said.length === 0 ? all.map(({ place }) => place) : said.map(({ place }) => place),
    },
  ];
}
