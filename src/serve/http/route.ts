/** Where a request goes whose head is in order, or what it is answered that goes to no endpoint. */
import { never } from "../../base/index.ts";
import type { Match } from "../../run/index.ts";
import type { Reply } from "../jobs/job.ts";
import type { Heard } from "./heard.ts";
import type { Service } from "./service.ts";

type Routed =
  | Extract<Match, { readonly is: "endpoint" }>
  | { readonly is: "answered"; readonly reply: Reply };

/** `method`: as the document may have it. */
export function routed(service: Service, heard: Heard, method = heard.asked.method): Routed {
  const { asked, target, headers } = heard;
  const answered = (reply: Reply): Routed => ({ is: "answered", reply });
  const { crossOriginGap } = service;
  if (crossOriginGap !== undefined && headers.origin !== undefined) {
    return answered(service.gap(crossOriginGap, { asked }));
  }
  if (target.path === "*") return answered(service.options([], { asked }));
  const match = service.match(method, target.path);
  switch (match.is) {
    case "gap":
      return answered(service.gap(match.gap, { asked }));
    case "unknown path":
      return answered(service.fail("unknown path", { asked }));
    case "unknown method":
      return answered(service.fail("unknown method", { asked, allow: match.allow }));
    case "options":
      return answered(options(service, heard, match.allow));
    case "endpoint":
      return match;
    default:
      return never(match);
  }
}

function options(service: Service, { asked, headers }: Heard, allow: readonly string[]): Reply {
  const isPreflight = headers["access-control-request-method"] !== undefined;
  const further = isPreflight && service.crossOrigin?.preflight(headers.origin, allow);
  return service.options(["Allow", allow.join(", "), ...(further || [])], { asked });
}
