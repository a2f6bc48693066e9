/** A wrong answer as it is shown: the requests that lead to it, without secrets. */
import type { Endpoint } from "../../../plan/index.ts";
import type { Break, Request, Shrunk } from "../../../verify/index.ts";
import { withoutMarks } from "../../../verify/index.ts";
import type { Item, Looked } from "./model.ts";

/** One request of a story. */
interface ShownStep {
  readonly request: Request;
  /** The status that it got. */
  readonly answered: number;
  /** What later requests take from its answer: `id1 is id`. */
  readonly learns: readonly string[];
  /** Milliseconds without a request before it. */
  readonly pause: number | undefined;
}

/** One thing that is otherwise; undefined: there is nothing. */
interface ShownDifference {
  readonly in: "status" | "header" | "body";
  /** `lines.0.total`, or the name of a header; empty: the status, or the whole body. */
  readonly where: string;
  readonly expected: string | undefined;
  readonly observed: string | undefined;
}

interface ShownAnswer {
  readonly status: number;
  readonly headers: Request["headers"];
  readonly body: string | undefined;
}

/** Requests, the last of which is answered wrongly. */
export interface Story {
  readonly steps: readonly ShownStep[];
  readonly answer: ShownAnswer;
  readonly expected: ShownAnswer;
  readonly differences: readonly ShownDifference[];
}

/** A wrong answer, its items looked up. */
export interface ShownBreak {
  /** Of the request that found it. */
  readonly number: number;
  readonly items: readonly Item[];
  readonly endpoint: Endpoint | undefined;
  /** The request that found it; many others came before. */
  readonly found: Story & { readonly request: Request };
  /** The fewest requests that show it again; undefined: they were not found. */
  readonly few: Story | undefined;
}

/** What stands for a text that the service makes, where any is allowed. */
const ANY = "‹any›";

const NAMES = /\{\{:?([\s\S]*?):?\}\}/g;

/** Names in braces, as people read them. */
const told = (text: string): string =>
  text.replaceAll(NAMES, (_, name: string) => {
    return name === "any" || name === "time" ? ANY : name === "tag" ? "…" : `{${name}}`;
  });

/** Looks up what is shown of a wrong answer. */
export function shownBreak(looked: Looked, broken: Break): ShownBreak {
  const { byId, exchanges, outcome } = looked;
  const { number } = broken;
  const shrunk = outcome.verified.shrunk.find(
    (one): one is Shrunk => one.broken === broken && "replay" in one,
  );
  return {
    number,
    items: broken.items.flatMap((id) => byId.get(id) ?? []),
    endpoint: exchanges.get(number)?.judgement.ran.endpoint,
    found: foundOf(looked, broken),
    few: shrunk === undefined ? undefined : fewOf(looked, shrunk),
  };
}

function foundOf({ redactor }: Looked, broken: Break): ShownBreak["found"] {
  const answer = redactor.message(broken.answer);
  const expected = redactor.message(broken.expected);
  const request = redactor.request(broken.request);
  return {
    request,
    steps: [{ request, answered: answer.status, learns: [], pause: undefined }],
    answer: { status: answer.status, headers: answer.headers, body: answer.body },
    expected: {
      status: expected.status,
      headers: expected.headers.map(([name, text]) => [name, withoutMarks(text, ANY)]),
      body: expected.body === undefined ? undefined : withoutMarks(expected.body, ANY),
    },
    differences: broken.differences.map((each) => {
      const value = (text: string | undefined): string | undefined => {
        if (text === undefined) return undefined;
        const plain = withoutMarks(text, ANY);
        return each.in === "header"
          ? redactor.header([String(each.where[0]), plain])[1]
          : redactor.value(each.where, plain);
      };
      return {
        in: each.in,
        where: each.in === "status" ? "" : each.where.join("."),
        expected: value(each.expected),
        observed: value(each.observed),
      };
    }),
  };
}

/** Members and items of a JSON Pointer (RFC 6901 section 4). */
const membersOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));

function fewOf(looked: Looked, shrunk: Shrunk): Story {
  const { redactor } = looked;
  const { replay, answers, broken } = shrunk;
  const { seen, expected, differs } = replay;
  const { headers = [] } = answers.at(-1) ?? {};
  const answer = redactor.message({ ...seen, headers });
  const mine = redactor.message({ ...expected, headers: broken.expected.headers });
  return {
    steps: stepsOf(looked, shrunk),
    answer,
    expected: {
      ...mine,
      headers: mine.headers.map(([name, text]) => [name, withoutMarks(text, ANY)]),
      body: mine.body === undefined ? undefined : withoutMarks(told(mine.body), ANY),
    },
    differences: differs.map((each) => {
      const isBody = each.in === "body";
      const where = isBody ? membersOf(each.at) : [each.at];
      const value = (text: string | undefined): string | undefined => {
        if (text === undefined) return undefined;
        return told(isBody ? redactor.value(where, text) : redactor.header([each.at, text])[1]);
      };
      return {
        in: each.in,
        where: each.in === "status" ? "" : where.join("."),
        expected: value(each.expected),
        observed: value(each.seen),
      };
    }),
  };
}

function stepsOf({ redactor }: Looked, { replay }: Shrunk): readonly ShownStep[] {
  return replay.requests.map(({ method, target, headers, body, answered, learns, pause }) => ({
    request: {
      method,
      target: told(redactor.target(target)),
      // A credential that an answer has shown stands there by its name alone.
      headers: headers.map((one) => {
        const isNamed = one[1].includes("{{");
        const [name, value] = isNamed ? one : redactor.header(one);
        return [name, told(value)];
      }),
      ...(body === undefined ? {} : { body: told(redactor.body(body)) }),
    },
    answered,
    learns: learns.map(({ name, at }) => `{${name}} is ${at.replace(/^\//, "")}`),
    pause,
  }));
}
