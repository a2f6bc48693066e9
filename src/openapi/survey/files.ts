/** Causes that are about the whole file: what it says once, twice or nowhere. */
import type { Operation } from "../model/index.ts";
import { type Node, type Place, textAt } from "../tree/index.ts";
import { classOf, isClientError, isDefault } from "./answers.ts";
import type { Seen } from "./facets.ts";
import { mentioned, type Topic } from "./mentions.ts";
import type { SurveyCode } from "./pages/index.ts";
import { resources, tokens, topOf, transitions } from "./things.ts";
import type { Counted } from "./types.ts";

/**
 * Something that nobody has said of the whole interface, which OpenAPI could hardly say. No
 * operation waits for it: a service can go on.
 */
interface Whole {
  readonly code: SurveyCode;
  readonly part: string;
  readonly message: string;
  readonly question: string;
  /** Mentions of it in prose. */
  readonly topic?: Topic;
}

const WHOLES: readonly Whole[] = [
  {
    code: "unknown-query",
    part: "Endpoints",
    message: "Nothing says what becomes of a query parameter that is not listed.",
    question: "What becomes of a query parameter that is not listed: refused or ignored?",
  },
  {
    code: "unknown-path",
    part: "Errors",
    message: "Nothing says what a path or a method gets that is not listed.",
    question: "What does a path or a method get that is not listed (404, 405)?",
  },
  {
    code: "at-once",
    part: "What the service does",
    message: "Nothing says what one request sees of others that run at the same time.",
    question: "What does one request see of others that run at the same time?",
  },
  {
    code: "cross-origin",
    part: "What the service does",
    message: "Nothing says whether pages of other origins may ask (CORS).",
    question: "May pages of other origins ask?",
  },
  {
    code: "rate-limits",
    part: "Limits",
    message: "Nothing says how many requests may come in which time.",
    question: "How many requests may come, in which time, and for whom are they counted?",
    topic: "rate limits",
  },
  {
    code: "size-limits",
    part: "Limits",
    message: "Nothing says how large a request may be.",
    question: "How large may a request be?",
    topic: "size limits",
  },
  {
    code: "time-outs",
    part: "Limits",
    message: "Nothing says how long an answer may take.",
    question: "How long may an answer take?",
    topic: "time-outs",
  },
  {
    code: "compatibility",
    part: "Versioning",
    message: "Nothing says which changes of this interface break its callers.",
    question: "Which changes may come without a new version?",
    topic: "compatibility rules",
  },
];

function wholeCause({ description, mentions }: Seen, whole: Whole): Counted | undefined {
  const { code, part, question, topic } = whole;
  const { operations, root } = description;
  if (
    code === "rate-limits" &&
    operations.some(({ responses }) => responses.some((each) => each.status === "429"))
  ) {
    return undefined;
  }
  const said = topic === undefined ? [] : (mentions.get(topic) ?? []);
  return {
    ...{ code, severity: "gap", part, question, count: 1, of: 1, blocks: 0 },
    message: `${whole.message}${mentioned(said)}`,
    places: said.length === 0 ? [topOf(root)] : said.map(({ place }) => place),
  };
}

/** Operations whose `operationId` another one before them has. */
function twiceNamed(operations: readonly Operation[]): Place[] {
  const first = new Set<string>();
  return operations.flatMap((each) => {
    const id = textAt(each.node, "operationId");
    return id === undefined || first.size < first.add(id).size ? [] : [each.place];
  });
}

/** Paths that are another one but for the names between braces, whatever their methods. */
function samePaths({ description: { root } }: Seen): {
  readonly same: Place[];
  readonly of: number;
} {
  const paths = root.get("paths");
  if (paths?.kind !== "map") return { same: [], of: 0 };
  const all = paths.keys.filter((each) => each.startsWith("/"));
  const shapes = new Set<string>();
  const same = all.filter((each) => {
    const shape = each.replaceAll(/\{[^{}]*\}/g, "{}");
    return shapes.size === shapes.add(shape).size;
  });
  return { same: same.map((each) => paths.keyPlace(each)), of: all.length };
}

const thousands = new Intl.NumberFormat("en-US");

/** How many different schemas the bodies of errors have. */
function errorShapes({ description: { operations, refs, files } }: Seen): Counted[] {
  const shapes = new Map<string, Place>();
  const texts = new Map<Node, string>();
  const textOf = (node: Node): string => {
    const text = texts.get(node) ?? files.all[node.file]?.text.slice(node.start, node.end) ?? "";
    texts.set(node, text);
    return text;
  };
  let of = 0;
  for (const { responses } of operations) {
    for (const each of responses) {
      if (!isClientError(each) && !isDefault(each) && classOf(each) !== "5") continue;
      for (const { schema, place } of each.content) {
        const node = refs.follow(schema);
        if (node === undefined) continue;
        of += 1;
        const text = textOf(node);
        if (!shapes.has(text)) shapes.set(text, place);
      }
    }
  }
  const count = shapes.size;
  if (count < 2) return [];
  const message = `${of} bodies of errors have ${count} different schemas, not one that all share.`;
  const rest = { message, count, of, blocks: 0, places: [...shapes.values()] };
  return [{ code: "error-shapes", severity: "note", part: "Errors", ...rest }];
}

function error(code: SurveyCode, message: string, places: readonly Place[], of: number): Counted[] {
  if (places.length === 0) return [];
  const count = places.length;
  return [{ code, severity: "error", part: "Endpoints", message, count, of, blocks: 0, places }];
}

/** Causes of the whole file. */
export function wholeCauses(seen: Seen): Counted[] {
  const { operations, webhooks } = seen.description;
  const hasOperations = operations.length + webhooks.length > 0;
  const ids = twiceNamed(operations);
  const paths = samePaths(seen);
  return [
    ...error(
      "operation-id-twice",
      `${ids.length} of ${operations.length} operations have the \`operationId\` of another.`,
      ids,
      operations.length,
    ),
    ...error(
      "same-path",
      `${thousands.format(paths.same.length)} of ${thousands.format(paths.of)} paths are the ` +
        `same as another but for the names of parameters, which OpenAPI does not allow: which ` +
        `one is asked is not defined.`,
      paths.same,
      paths.of,
    ),
    ...errorShapes(seen),
    ...(hasOperations ? [resources(seen), transitions(seen), ...tokens(seen)] : []),
    ...(hasOperations ? WHOLES : []).flatMap((each) => wholeCause(seen, each) ?? []),
  ];
}
