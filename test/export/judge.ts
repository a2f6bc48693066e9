/** Reads what Schemathesis prints of failures, and says of which the document knows the reason. */

import { occurrencesOf } from "../../src/check/index.ts";
import type { Endpoint, Plan } from "../../src/plan/index.ts";
import { pathForm, pathText, waysToEnd } from "../../src/plan/index.ts";

export interface Failure {
  /** `GET /path` with the parameters in braces; other text for what is of no operation. */
  readonly operation: string;
  /** Codes of the checks that failed, such as `ST101`. */
  readonly checks: readonly string[];
  readonly status: number | undefined;
  /** All that is printed of it. */
  readonly text: string;
}

/** The failures in the output of `schemathesis run`. */
export function failuresIn(out: string): Failure[] {
  const body = /=+ FAILURES =+\n([\s\S]*?)\n=+ (?:WARNINGS|SUMMARY|ERRORS) =+/.exec(out)?.[1] ?? "";
  return body.split(/^_{3,} /m).flatMap((section) => {
    const operation = /^(.*?) _{3,}/.exec(section)?.[1] ?? "";
    return section
      .split(/^\d+\. Test Case ID: /m)
      .slice(1)
      .map((text) => ({
        operation,
        checks: [...text.matchAll(/^- (ST\d+)/gm)].map((hit) => hit[1] ?? ""),
        status: Number(/^\[(\d{3})\]/m.exec(text)?.[1]) || undefined,
        text,
      }));
  });
}

/** Why a failure is none of the export or the service; undefined: nobody knows. */
export type Excuse = (failure: Failure) => string | undefined;

const GAP = /"gap":\{"id":/;

/** A whole number with a fraction: the language takes it for no integer. */
const WHOLE = /[:[] ?-?\d+\.0+[,}\]]/;

function endpointOf({ endpoints }: Plan, failure: Failure): Endpoint | undefined {
  const named = endpoints.find(
    ({ method, path }) => `${method} ${pathText(path)}` === failure.operation,
  );
  if (named !== undefined) return named;
  // Of a run through several operations the last one has failed.
  const [, method = "GET", url = "/"] =
    [...failure.text.matchAll(/curl -X ([A-Z]+).*?'?https?:\/\/[^/]+(\/[^\s'?]*)/g)].at(-1) ?? [];
  return endpoints.find((one) => {
    if (one.method !== method) return false;
    const pattern = pathForm(one.path).replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
    return new RegExp(`${pattern.replaceAll("{}", "[^/]+")}$`).test(url);
  });
}

/** Statuses of refusals that no schema of a request can tell: steps, rows, keys, limits. */
function statesOf(plan: Plan): (endpoint: Endpoint) => ReadonlySet<number> {
  const occurs = occurrencesOf(plan);
  return (endpoint) => {
    const rows = new Set([...endpoint.failures, ...plan.failures].map(({ id }) => id));
    const ends = waysToEnd(plan, endpoint, occurs(endpoint));
    const statuses = ends.flatMap(({ id, status }) => (rows.has(id) ? [] : (status ?? [])));
    return new Set(statuses.filter((status) => status >= 400));
  };
}

/** What stands in the schemas of what the operation reads that JSON Schema has no word for. */
function hidden(exported: string, { method, path }: Endpoint): boolean {
  const operation = JSON.parse(exported).paths?.[pathText(path)]?.[method.toLowerCase()];
  const sent = JSON.stringify([operation?.requestBody, operation?.parameters]);
  return /"x-lacuna-(minimum|maximum|holds|required-when|pattern)"/.test(sent);
}

/** Judges the failures of a service by its plan and its export. */
export function excuses(plan: Plan, exported: string): Excuse {
  const states = statesOf(plan);
  const wrongMethod = plan.failures.find(({ condition }) => condition === "unknown method");
  const { answer } = wrongMethod ?? {};
  const error = answer?.is === "error" ? answer.error : undefined;
  const status = plan.errors.find(({ name }) => name === error)?.status;
  const wrongStatus = status?.is === "stated" ? status.value : undefined;
  const forms = plan.endpoints.map(({ path }) => pathText(path));
  return (failure) => {
    const { checks, text } = failure;
    const [check] = checks;
    if (failure.status === 501 && GAP.test(text)) return "a gap that the document has";
    if (checks.length !== 1) return undefined;
    switch (check) {
      case "ST202": {
        const endpoint = endpointOf(plan, failure);
        if (endpoint === undefined) return undefined;
        if (states(endpoint).has(failure.status ?? 0)) {
          return "refused for what rows, steps or keys say";
        }
        if (hidden(exported, endpoint)) return "a rule that JSON Schema has no word for";
        return WHOLE.test(text)
          ? "an integer written with a fraction, as JSON Schema allows"
          : undefined;
      }
      case "ST203": {
        const endpoint = endpointOf(plan, failure);
        const isState = endpoint !== undefined && states(endpoint).has(failure.status ?? 0);
        return isState ? "refused for what rows, steps or keys say" : undefined;
      }
      case "ST204":
        return wrongStatus !== 405 ? "unknown method is answered otherwise" : undefined;
      case "ST205":
        return forms.some((one) => one.includes("{"))
          ? "the path fits another one, too"
          : undefined;
      case "ST201":
        return /-H '[A-Za-z-]+;'/.test(text) ? "an empty header is none" : undefined;
      default:
        return undefined;
    }
  };
}
