/** The report as SARIF 2.1.0 (OASIS): a result for each item that is broken, at its place. */
import type { Fields } from "../../../verify/index.ts";
import { version } from "../../version.ts";
import { jsonPieces, lazily } from "../pieces.ts";
import { uriOf } from "../sarif.ts";
import { breakWords } from "./junit.ts";
import type { Item, Looked } from "./model.ts";
import { type ShownBreak, shownBreak } from "./story.ts";

/** Rules are the parts in which an item is broken. */
const ruleOf = ({ part }: Item): string => `broken-${part === "" ? "document" : part}`;

/** Headers as SARIF takes them (section 3.46.8): one text a name. */
function headersOf(headers: Fields): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

const bodyOf = (body: string | undefined): object =>
  body === undefined ? {} : { body: { text: body } };

function resultOf(looked: Looked, item: Item, ruleIndex: number): object {
  const own = looked.breaks.filter(({ items }) => items.includes(item.id));
  const [first] = own;
  const shown = first === undefined ? undefined : shownBreak(looked, first);
  const line = looked.lineOf(item)?.text ?? item.id;
  const { line: startLine, column: startColumn, endLine, endColumn } = item;
  const words = shown === undefined ? "" : `\n\n${breakWords(shown)}`;
  return {
    ruleId: ruleOf(item),
    ruleIndex,
    kind: "fail",
    level: "error",
    message: { text: `The service does not hold: ${line}${words}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(item.file) },
          region: { startLine, startColumn, endLine, endColumn },
        },
        logicalLocations: [{ fullyQualifiedName: item.id }],
      },
    ],
    // The same item is the same alert, whatever line it comes to stand on.
    partialFingerprints: { "lacunaItem/v1": item.id },
    occurrenceCount: Math.max(1, own.length),
    ...(shown === undefined ? {} : exchangeOf(looked, shown)),
  };
}

/** The request and its answer (sections 3.46 and 3.47). */
function exchangeOf({ address }: Looked, { found }: ShownBreak): object {
  const { request, answer } = found;
  const http = { protocol: "HTTP", version: "1.1" };
  return {
    webRequest: {
      ...http,
      target: request.target,
      method: request.method,
      headers: headersOf(request.headers),
      properties: { address },
      ...bodyOf(request.body),
    },
    webResponse: {
      ...http,
      statusCode: answer.status,
      headers: headersOf(answer.headers),
      ...bodyOf(answer.body),
    },
  };
}

/** One run, in pieces. What was not reached is counted, and is no result: nobody has to mend it. */
export function sarifReport(looked: Looked): Iterable<string> {
  const { items, counts, outcome, address } = looked;
  const { verified, seed, report } = outcome;
  const broken = items.filter(({ verdict }) => verdict === "broken");
  const rules = [...new Set(broken.map(ruleOf))].sort();
  const files = [report.file, ...(report.assumptions ? [report.assumptions.file] : [])];
  return jsonPieces({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Lacuna",
            semanticVersion: version(),
            rules: rules.map((id) => ({
              id,
              shortDescription: {
                text: `The service breaks what ${id.slice("broken-".length)} states`,
              },
              fullDescription: {
                text: "An answer was one that no reading of the document gives.",
              },
              defaultConfiguration: { level: "error" },
            })),
          },
        },
        invocations: [{ executionSuccessful: verified.ended !== "no answer" }],
        columnKind: "utf16CodeUnits",
        artifacts: files.map((file) => ({ location: { uri: uriOf(file) } })),
        results: lazily(broken, (item) => resultOf(looked, item, rules.indexOf(ruleOf(item)))),
        properties: { address, seed, requests: verified.session.requests, counts },
      },
    ],
  });
}
