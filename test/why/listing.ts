/** The lines that `why` lists for the answers of a document, by what is asked and status. */
import { lineTable, positionOf } from "../../src/base/index.ts";
import { occurrencesOf } from "../../src/check/index.ts";
import { nowhereOf } from "../../src/cli/why/find.ts";
import {
  type Causes,
  causesOf,
  type Endpoint,
  type ItemId,
  type Nowhere,
  nowhereCauses,
  nowhereGap,
  type Plan,
} from "../../src/plan/index.ts";
import { compile, type Match } from "../../src/run/index.ts";
import type { Ready } from "../gaps/static.ts";

const GAP_STATUS = 501;

/** What a request asks: an endpoint, or none. */
export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint | undefined;
  readonly lines: (status: number) => ReadonlySet<number>;
}

function nowhere(plan: Plan, asked: Nowhere, status: number): Causes | undefined {
  const found = nowhereCauses(plan, asked);
  if (found.status === status) return found.causes;
  return status === GAP_STATUS ? nowhereGap(plan, asked) : undefined;
}

export class Listing {
  private readonly ready: Ready;
  private readonly match: (method: string, path: string) => Match;
  private readonly targets = new Map<string, Target>();

  constructor(ready: Ready) {
    this.ready = ready;
    this.match = compile(ready.plan).match;
  }

  target(method: string, target: string): Target {
    const { plan } = this.ready;
    const path = target.split("?", 1)[0] ?? "";
    if (method === "OPTIONS" && path === "*") {
      return this.known("options of all", undefined, (status) => {
        return nowhere(plan, { is: "options of all", endpoints: [] }, status);
      });
    }
    const match = this.match(method, path);
    const endpoint = match.is === "endpoint" ? plan.endpoints[match.endpoint] : undefined;
    if (endpoint !== undefined) {
      return this.known(endpoint.id, endpoint, (status) => {
        return causesOf(plan, endpoint, { ...occurrencesOf(plan)(endpoint), status });
      });
    }
    const { is } = match;
    const here =
      is === "unknown path" ? [] : (nowhereOf(plan, `${method} ${path}`)?.endpoints ?? []);
    const name = [is, ...here.map((one) => one.id)].join(" ");
    return this.known(name, undefined, (status) => {
      if (is === "endpoint" || is === "gap") return undefined;
      return nowhere(plan, { is, endpoints: here }, status);
    });
  }

  private known(
    name: string,
    endpoint: Endpoint | undefined,
    causes: (status: number) => Causes | undefined,
  ): Target {
    const found = this.targets.get(name);
    if (found !== undefined) return found;
    const byStatus = new Map<number, ReadonlySet<number>>();
    const lines = (status: number): ReadonlySet<number> => {
      const made = byStatus.get(status) ?? this.linesOf(causes(status));
      byStatus.set(status, made);
      return made;
    };
    const target: Target = { name, endpoint, lines };
    this.targets.set(name, target);
    return target;
  }

  private linesOf(causes: Causes | undefined): ReadonlySet<number> {
    const { checked } = this.ready;
    const table = lineTable(checked.text);
    const gaps = new Map(checked.gaps.map((gap) => [gap.id, gap.span]));
    const ids: readonly ItemId[] =
      causes === undefined ? [] : [...causes.ends, ...causes.before, ...causes.shown];
    const lines = ids.flatMap((id) => {
      const span = checked.origins.get(id) ?? gaps.get(id);
      return span === undefined || span.file === 1 ? [] : [positionOf(table, span.start).line];
    });
    return new Set(lines);
  }
}
