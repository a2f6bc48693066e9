/** A wrong answer as it is shown: the requests that lead to it, without secrets. */
import type { Endpoint } from "../../../plan/index.ts";
import type { Break, NotShrunk, Request, Shrunk } from "../../../verify/index.ts";
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
  /** It was made by that client, at the same time as those of the other clients. */
  readonly client?: number;
  /** What it was answered, where there are requests at the same time. */
  readonly body?: string;
  /** It is the one that is called wrong, where that is not the last. */
  readonly wrong?: true;
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

/** Requests, the last of which is answered wrongly; or some at the same time, without an order. */
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
  /** Why they were not found, where they were sought. */
  readonly whyNot: NotShrunk["why"] | undefined;
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
  const own = outcome.verified.shrunk.filter((one) => one.broken === broken);
  const shrunk = own.find((one): one is Shrunk => "replay" in one);
  const not = own.find((one): one is NotShrunk => "why" in one);
  return {
    number,
    items: broken.items.flatMap((id) => byId.get(id) ?? []),
    endpoint: exchanges.get(number)?.judgement.ran.endpoint,
    found: foundOf(looked, broken),
    few: shrunk === undefined ? undefined : fewOf(looked, shrunk),
    whyNot: shrunk === undefined ? not?.why : undefined,
  };
}

/** What was asked for at the same time, and behind it. */
function racedSteps({ redactor }: Looked, { race, request, answer }: Break): readonly ShownStep[] {
  const raced = race?.raced ?? [{ client: 0, request, answer }];
  return raced.map((one, i): ShownStep => {
    const { status, body } = redactor.message(one.answer);
    return {
      request: redactor.request(one.request),
      answered: status,
      learns: [],
      pause: undefined,
      ...(one.client > 0 ? { client: one.client } : {}),
      ...(race === undefined || body === undefined ? {} : { body }),
      ...(i === race?.at ? { wrong: true } : {}),
    };
  });
}

/** Whether some of its requests were made at the same time. */
export const isRace = ({ steps }: Story): boolean =>
  steps.some(({ client }) => client !== undefined);

function foundOf(looked: Looked, broken: Break): ShownBreak["found"] {
  const { redactor } = looked;
  const answer = redactor.message(broken.answer);
  const expected = redactor.message(broken.expected);
  const request = redactor.request(broken.request);
  return {
    request,
    steps: racedSteps(looked, broken),
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
  const { headers = [] } = answers.at(replay.race?.wrong ?? -1) ?? {};
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

function stepsOf({ redactor }: Looked, { replay, answers }: Shrunk): readonly ShownStep[] {
  const { requests, race } = replay;
  const first = requests.findIndex(({ client }) => client !== undefined);
  /** What is told of the requests of a race. */
  const racedAt = (i: number): Partial<ShownStep> => {
    const { client } = requests[i] ?? {};
    const answer = answers[i];
    const shown = answer && redactor.message(answer).body;
    return {
      ...(client === undefined ? {} : { client }),
      ...(first < 0 || i < first || shown === undefined ? {} : { body: shown }),
      ...(i === race?.wrong ? { wrong: true } : {}),
    };
  };
  return requests.map(({ method, target, headers, body, answered, learns, pause }, i) => ({
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
    ...racedAt(i),
  }));
}

/** How the requests of a race are told, in a sentence. */
export function raceWords({ steps }: Story): string {
  const wrong = steps.findIndex((one) => one.wrong === true);
  const { client } = steps[wrong] ?? {};
  const which = client === undefined ? `request ${wrong + 1}` : `that of client ${client}`;
  return `no order of these gives all answers; behind the others ${which} is to be another`;
}

/** How many requests there are, of which some at the same time. */
export function countWords({ steps }: Story): string {
  const atOnce = steps.filter(({ client }) => client !== undefined).length;
  const all = `${steps.length} ${steps.length === 1 ? "request" : "requests"}`;
  return atOnce === 0 ? all : `${all}, ${atOnce} at the same time`;
}
