/**
 * The report as JUnit XML, which tools for continuous integration read: a suite a part, a case an
 * item. There is no standard; this is what Jenkins, GitLab and GitHub actions read of it.
 */
import type { Item, Looked } from "./model.ts";
import { isRace, raceWords, type ShownBreak, shownBreak } from "./story.ts";
import { placeOfItem, whyWords } from "./why.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};
/** What stands in no XML 1.0 document, escaped or not (section 2.2). */
const NO_XML = /[^\t\n\r\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  const clean = text.replaceAll(NO_XML, "\ufffd");
  return clean.replaceAll(/[&<>"\t\n\r]/g, (sign) => ENTITIES[sign] ?? "");
}

function attributes(all: Readonly<Record<string, string | number>>): string {
  return Object.entries(all)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");
}

type Step = ShownBreak["found"]["steps"][number];

function answeredWords({ answered, learns, body }: Omit<Step, "request">) {
  return `  answered ${[answered, ...learns, body ?? []].flat().join(", ")}`;
}

/** A wrong answer as plain lines. */
export function breakWords({ number, found, few }: ShownBreak): string {
  const story = few ?? found;
  const { steps, answer, expected, differences } = story;
  const shown = few === undefined ? "" : `, shown by ${steps.length}`;
  const isAtOnce = isRace(story);
  return [
    `Found by request ${number}${shown}:`,
    ...steps.flatMap(({ request: { method, target, headers, body }, ...step }, i) => [
      `${step.client === undefined ? "" : `client ${step.client}: `}${method} ${target}`,
      ...headers.map(([name, value]) => `  ${name}: ${value}`),
      ...(body === undefined ? [] : [`  ${body}`]),
      ...(i === steps.length - 1 && !isAtOnce ? [] : [answeredWords(step)]),
    ]),
    ...(isAtOnce ? [raceWords(story)] : []),
    `Answered ${answer.status}`,
    ...(answer.body === undefined ? [] : [answer.body]),
    `Expected ${expected.status}`,
    ...(expected.body === undefined ? [] : [expected.body]),
    ...differences.map(({ in: part, where, expected: mine = "nothing", observed = "nothing" }) => {
      return `${part}${where === "" ? "" : ` ${where}`}: ${observed}, not ${mine}`;
    }),
  ].join("\n");
}

function insideOf(looked: Looked, item: Item): string {
  switch (item.verdict) {
    case "held":
      return "";
    case "broken": {
      const own = looked.breaks.filter(({ items }) => items.includes(item.id));
      const [first] = own.map((one) => shownBreak(looked, one));
      if (first === undefined) return "<failure/>";
      const { request, answer, expected } = first.found;
      const message =
        answer.status === expected.status
          ? `${request.method} ${request.target}: a wrong answer ${answer.status}`
          : `${request.method} ${request.target}: ${answer.status}, not ${expected.status}`;
      const head = attributes({ message, type: "broken" });
      return `<failure${head}>${escaped(breakWords(first))}</failure>`;
    }
    case "not reached": {
      const message = item.why === undefined ? "" : whyWords(looked, item, item.why);
      return `<skipped${attributes({ message: `not reached: ${message}` })}/>`;
    }
    case "unstated":
      return `<skipped${attributes({ message: "unstated: the document does not say it" })}/>`;
  }
}

function caseOf(looked: Looked, item: Item): string {
  const name = attributes({
    name: `${item.id} (${placeOfItem(item)})`,
    classname: item.part === "" ? "document" : item.part,
    file: item.file,
    line: item.line,
    time: 0,
  });
  const inside = insideOf(looked, item);
  return inside === "" ? `    <testcase${name}/>\n` : `    <testcase${name}>${inside}</testcase>\n`;
}

/** The whole report, in pieces. */
export function* junitReport(looked: Looked): Generator<string> {
  const { items, counts, outcome, title, address } = looked;
  const { verified, seed } = outcome;
  const tally = (of: Looked["counts"]): Record<string, number> => ({
    failures: of.broken,
    errors: 0,
    skipped: of["not reached"] + of.unstated,
  });
  const time = verified.seconds.toFixed(3);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n`;
  yield `<testsuites${attributes({
    name: `lacuna verify: ${title}`,
    tests: items.length,
    ...tally(counts),
    time,
  })}>\n`;
  const groups = Map.groupBy(items, ({ part }) => part);
  for (const [part, own] of groups) {
    const found = looked.parts.find(({ name }) => name === part);
    const numbers = found === undefined ? {} : tally(found.counts);
    yield `  <testsuite${attributes({ name: part, tests: own.length, ...numbers, time: 0 })}>\n`;
    const properties = { address, seed, requests: verified.session.requests };
    yield "    <properties>";
    for (const [name, value] of Object.entries(properties)) {
      yield `<property${attributes({ name, value })}/>`;
    }
    yield "</properties>\n";
    for (const item of own) yield caseOf(looked, item);
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}
