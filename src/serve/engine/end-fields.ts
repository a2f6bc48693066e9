/** Tells in answers of when an endpoint or a version goes: `Deprecation` and `Sunset`. */
import { daysOfDate } from "../../expr/index.ts";
import {
  deprecationOf,
  endingsOf,
  gapOf,
  type ItemId,
  isStated,
  type Plan,
  statedOf,
} from "../../plan/index.ts";
import type { Reply } from "../jobs/job.ts";

const DAY_SECONDS = 86_400;

/** What is told of one endpoint. */
interface Told {
  /** What is not shown of it, which every request meets. */
  readonly gap: ItemId | undefined;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** An IMF-fixdate (RFC 9110 section 5.6.7). */
function dateText(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** The fields of a plan's answers. `until`: when the version ends, where it is an old one. */
export class EndFields {
  private readonly told: readonly (Told | undefined)[];
  private readonly any: boolean;

  constructor(plan: Plan, endpoints: readonly { readonly id: ItemId }[], until?: bigint) {
    this.told = endpoints.map(({ id }) => toldOf(plan, id.slice(id.indexOf("/") + 1), until));
    this.any = this.told.some((one) => one !== undefined);
  }

  /** What is not shown of when the endpoint goes, where that is to be told. */
  judge(endpoint: number): { readonly is: "gap"; readonly gap: ItemId } | undefined {
    const gap = this.any ? this.told[endpoint]?.gap : undefined;
    return gap === undefined ? undefined : { is: "gap", gap };
  }

  /** The answer of the endpoint with its fields; what is not shown is not the endpoint's answer. */
  on(reply: Reply, endpoint: number | undefined): Reply {
    if (!this.any || endpoint === undefined) return reply;
    const { headers = [] } = this.told[endpoint] ?? {};
    if (headers.length === 0 || reply.notes?.some(({ what }) => what === "gap")) return reply;
    return { ...reply, headers: [...reply.headers, ...headers] };
  }
}

function toldOf(plan: Plan, name: string, until: bigint | undefined): Told | undefined {
  const { endFields } = plan.versioning;
  const hidden = gapOf(endFields);
  if (hidden !== undefined && deprecationOf(plan.versioning, name) !== undefined) {
    return { gap: hidden, headers: [] };
  }
  const endings = endingsOf(plan.versioning, name);
  const gap = endings.map(({ day }) => gapOf(day)).find((one) => one !== undefined);
  const secondsOf = (field: "Deprecation" | "Sunset"): number[] =>
    endings.flatMap((one) => {
      const days = one.field === field && isStated(one.day) ? daysOfDate(one.day.value) : undefined;
      return days === undefined ? [] : [days * DAY_SECONDS];
    });
  const isSunset = statedOf(endFields)?.includes("Sunset") === true;
  const own = isSunset && until !== undefined ? [Number(until / 1_000_000n)] : [];
  const [since] = secondsOf("Deprecation");
  const ends = [...secondsOf("Sunset"), ...own];
  const headers = [
    ...(since === undefined ? [] : ["Deprecation", `@${since}`]),
    ...(ends.length === 0 ? [] : ["Sunset", dateText(Math.min(...ends))]),
  ];
  return gap === undefined && headers.length === 0 ? undefined : { gap, headers };
}
