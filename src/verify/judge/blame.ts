/** Which items of the document an answer breaks that no reading gives. */
import {
  deprecationOf,
  everyStep,
  type ItemId,
  isStated,
  itemOf,
  type Plan,
  sentName,
  writtenBySteps,
} from "../../plan/index.ts";
import { keyField } from "../world/keys.ts";
import { type Answer, headersOf, type Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import type { Difference } from "./compare.ts";

/** Members of parts of one name: of more it is not known which is meant. */
const PARTS_MAX = 2;

/** The items, the nearest first; at least one. */
export function blamed(plan: Plan, ran: Ran, all: readonly Difference[]): readonly ItemId[] {
  const known = all.flatMap(({ item }) => item ?? []);
  const others = all.filter(({ item }) => item === undefined);
  return unique([...(others.length > 0 ? blamedFor(plan, ran, others) : []), ...known]);
}

/** The same for what no item is known to state. */
function blamedFor(
  plan: Plan,
  { endpoint, trace, outcome }: Ran,
  differences: readonly Difference[],
): readonly ItemId[] {
  const at = endpoint?.id ?? "failures/unknown path";
  const status = differences.find((one) => one.in === "status");
  // An error of which several members are otherwise is another error: it is the check that failed.
  const inBody = differences.filter((one) => one.in === "body");
  const isOther = outcome.error !== undefined && inBody.length > 1;
  const failed = trace.filter(([, came]) => came === "failed").map(([item]) => item);
  const ended = trace.filter(([, came]) => came === "ended").map(([item]) => item);
  const errors = trace.filter(([item]) => item.startsWith("errors/")).map(([item]) => item);
  if (status !== undefined || isOther) {
    const items = [...failed, ...ended, ...errors];
    return unique(items.length === 0 ? [at] : items);
  }
  const shown = trace.filter(([, came]) => came === "shown").map(([item]) => item);
  const found = differences.flatMap((one) => {
    if (one.in === "header") return headerItems(plan, { endpoint, trace }, one);
    const name = one.where.findLast((part) => typeof part === "string");
    const named = shown.filter((item) => name !== undefined && item.endsWith(`/${name}`));
    const refused = outcome.error === undefined ? [] : failed;
    if (named.length > 0) return [...named, ...refused];
    const inner = plan.partTypes.flatMap(({ fields }) =>
      fields.filter((field) => one.where.length > 1 && sentName(field) === name),
    );
    const parts = inner.length > PARTS_MAX ? [] : inner.map(({ id }) => id);
    return [...parts, ...ended, ...errors];
  });
  return unique(found.length === 0 ? [at] : found);
}

/**
 * What should have refused a request that went through, or was refused for something else; none:
 * it was to go through, or was refused for that.
 */
export function unrefused(
  { trace, outcome }: Pick<Ran, "trace" | "outcome">,
  { status, body = "" }: Pick<Answer, "status" | "body">,
): readonly ItemId[] {
  const { error, response } = outcome;
  if (error === undefined) return [];
  const isRefused = status >= 400;
  if (isRefused && (status === response.status || body.includes(JSON.stringify(error)))) return [];
  const failed = trace.flatMap(([item, came]) => (came === "failed" ? [item] : []));
  return isRefused ? failed : failed.filter((item) => item.endsWith("/else"));
}

/** What states that an answer is sent again under its key, where that was not done. */
export function unrepeated({ endpoint, trace, outcome }: Ran): readonly ItemId[] {
  const key = endpoint?.idempotency;
  const isAgain = trace.some(([item, came]) => item === key?.id && came === "failed");
  if (key === undefined || !isAgain || outcome.error !== undefined) return [];
  const again = isStated(key.sameBody) ? itemOf(key.sameBody) : undefined;
  return again === undefined ? [key.id] : [again, key.id];
}

interface Asked {
  readonly request: Request;
  readonly answer: Pick<Answer, "status" | "body">;
}

/**
 * What states whose a key is, where a request of another caller was answered the same under that
 * key. Answers that refuse are often the same, and tell nothing of keys.
 */
export function repeated(
  { endpoint, trace }: Pick<Ran, "endpoint" | "trace">,
  { request, answer }: Asked,
  before: readonly Asked[],
): readonly ItemId[] {
  const key = endpoint?.idempotency;
  const field = keyField(key);
  const isAgain = trace.some(([item, came]) => item === key?.id && came === "failed");
  if (key === undefined || field === undefined || isAgain) return [];
  if (answer.status >= 400 || answer.body === undefined) return [];
  const own = headersOf(request).get(field);
  const isOthers = ({ request: one, answer: { status, body } }: Asked): boolean =>
    one.method === request.method &&
    one.body === request.body &&
    headersOf(one).get(field) === own &&
    JSON.stringify(one.headers) !== JSON.stringify(request.headers) &&
    status === answer.status &&
    body === answer.body;
  if (own === undefined || !before.some(isOthers)) return [];
  const per = itemOf(key.per);
  return per === undefined ? [key.id] : [per, key.id];
}

type Written = ReturnType<typeof writtenBySteps>;

const writtenIn = new WeakMap<Plan, Written>();

/** What each step of a plan does to rows, by its item. */
export function writtenBy(plan: Plan): Written {
  const known = writtenIn.get(plan) ?? writtenBySteps(plan);
  writtenIn.set(plan, known);
  return known;
}

/** What states the members of an error that are otherwise; its shape where it has no body. */
export function membersOf(
  { shapes }: Plan,
  { trace, outcome }: Pick<Ran, "trace" | "outcome">,
  differences: readonly Difference[],
): readonly ItemId[] {
  if (outcome.error === undefined) return [];
  const shown = new Set(trace.flatMap(([item, came]) => (came === "shown" ? [item] : [])));
  const own = shapes.filter(({ fields }) => fields.some(({ id }) => shown.has(id)));
  const inBody = differences.filter((one) => one.in === "body");
  const isGone = inBody.some(({ where }) => where.length === 0);
  const names = new Set(inBody.map(({ where: [name] }) => name));
  return own.flatMap(({ id, fields }) => {
    const found = fields.filter((one) => shown.has(one.id) && names.has(sentName(one)));
    return isGone ? [id] : found.map((one) => one.id);
  });
}

/** Steps that set what an answer shows otherwise. */
export function writersOf(
  plan: Plan,
  { trace }: Pick<Ran, "trace">,
  differences: readonly Difference[],
): readonly ItemId[] {
  const isIt = settingOf(plan, { trace }, differences);
  return unique(trace.flatMap(([item, came]) => (came === "went on" && isIt(item) ? [item] : [])));
}

/**
 * The same in requests before; and of those that were refused, whose steps would have set it, what
 * states that a refused request does nothing.
 */
export function settersBefore(
  plan: Plan,
  last: { readonly ran: Pick<Ran, "trace">; readonly differences: readonly Difference[] },
  before: readonly Pick<Ran, "trace" | "endpoint" | "outcome">[],
): readonly ItemId[] {
  const isIt = settingOf(plan, last.ran, last.differences);
  const isolation = isStated(plan.about.isolation) ? itemOf(plan.about.isolation) : undefined;
  const found = before.flatMap(({ endpoint, trace, outcome }): readonly ItemId[] => {
    const own = [...everyStep(endpoint?.steps ?? [])].map(({ id }) => id).filter(isIt);
    if (own.length > 0 && outcome.error !== undefined) {
      return isolation === undefined ? own : [isolation, ...own];
    }
    const steps = trace.flatMap(([item, came]) => (came === "went on" && isIt(item) ? [item] : []));
    return steps.length === 0 ? [] : [...steps, ...takenIn([{ trace }])];
  });
  return unique(found);
}

/** Transitions that requests have taken. */
export function takenIn(all: readonly Pick<Ran, "trace">[]): readonly ItemId[] {
  const taken = all.flatMap(({ trace }) =>
    trace.flatMap(([item, came]) => (came === "taken" ? [item] : [])),
  );
  return unique(taken);
}

/** Tells the steps that set fields which an answer shows otherwise. */
function settingOf(
  plan: Plan,
  { trace }: Pick<Ran, "trace">,
  differences: readonly Difference[],
): (item: ItemId) => boolean {
  const names = new Set(
    differences.flatMap((one) => {
      const name = one.where.findLast((part) => typeof part === "string");
      return one.in === "body" && name !== undefined ? [name] : [];
    }),
  );
  const shown = new Set(trace.flatMap(([item, came]) => (came === "shown" ? [item] : [])));
  const fields = plan.resources.flatMap(({ name, fields: all }) =>
    all.flatMap((one) =>
      shown.has(one.id) && names.has(sentName(one)) ? [[name, one.name] as const] : [],
    ),
  );
  const written = writtenBy(plan);
  return (item) => {
    const step = written.get(item);
    return fields.some(
      ([resource, field]) => step?.resource === resource && step.fields?.has(field) !== false,
    );
  };
}

function headerItems(
  plan: Plan,
  { endpoint, trace }: Pick<Ran, "endpoint" | "trace">,
  difference: Difference,
): readonly ItemId[] {
  const name = String(difference.where[0]);
  const same = (one: { readonly name: string }): boolean =>
    one.name.toLowerCase() === name.toLowerCase();
  const own = (endpoint?.headers ?? plan.headers ?? []).filter(same).map(({ id }) => id);
  if (own.length > 0) return own;
  const [ended, failed] = ["ended", "failed"].map((which) =>
    trace.flatMap(([item, came]) => (came === which ? [item] : [])),
  ) as [ItemId[], ItemId[]];
  switch (name.toLowerCase()) {
    case "etag": {
      const shown = new Set(trace.flatMap(([item, came]) => (came === "shown" ? [item] : [])));
      const tags = plan.resources.filter(({ fields }) => fields.some(({ id }) => shown.has(id)));
      return [...tags.flatMap(({ versionTag }) => versionTag?.id ?? []), ...ended];
    }
    case "deprecation":
    case "sunset": {
      const row = deprecationOf(plan.versioning, (endpoint?.id ?? "").replace(/^[^/]*\//, ""));
      const day = difference.observed === undefined || row === undefined ? [] : [row.id];
      return [...day, "versioning/sent with deprecated endpoints"];
    }
    case "retry-after":
    case "ratelimit":
    case "ratelimit-policy":
      return limitItems(plan, { failed, trace }, difference);
    default:
      return [...ended, ...failed];
  }
}

/** The limits of which a header is otherwise, else that it is sent. */
function limitItems(
  { limits }: Plan,
  { failed, trace }: Pick<Ran, "trace"> & { readonly failed: readonly ItemId[] },
  { expected = "", observed }: Difference,
): readonly ItemId[] {
  const refusing = limits.filter(({ id }) => failed.includes(id));
  const bare = expected.replaceAll(/;t=\d+/g, "");
  const told = bare.split(", ").filter((one) => observed?.includes(one) !== true);
  const named = limits.filter(({ name }) => {
    return told.some((one) => one.startsWith(`${JSON.stringify(name)};`));
  });
  const come = limits.filter(({ id }) => trace.some(([item]) => item === id));
  const found = [named, refusing, come].find((one) => one.length > 0) ?? [];
  const sent = observed === undefined ? ["limits/sent with every answer"] : [];
  return [...sent, ...found.map(({ id }) => id)];
}

function unique(items: readonly ItemId[]): readonly ItemId[] {
  return [...new Set(items)];
}
