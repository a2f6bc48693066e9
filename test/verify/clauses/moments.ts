/** What a plan says of moments at which nothing can be shown to happen. */
import type { Plan } from "../../../src/plan/index.ts";

type Value = unknown;
type Members = Readonly<Record<string, Value>>;

const isMembers = (value: Value): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Names of fields, by resource, to which the service alone gives the time of a request. */
function momentsOf({ resources }: Plan): ReadonlySet<string> {
  const found = resources.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      const isSet = JSON.stringify(field.rules).includes('"kind":"set"');
      const isNow = JSON.stringify(field.rules).includes('{"name":"now","op":"name"');
      return isSet && isNow && field.create.is === "no" && field.update.is === "no"
        ? [`${name}.${field.name}`]
        : [];
    }),
  );
  return new Set(found);
}

/** Resources of which no two rows are made at one moment: by one step of an endpoint's own. */
function madeAlone({ resources, endpoints, machines, routines }: Plan): ReadonlySet<string> {
  const made = (steps: unknown): readonly string[] =>
    JSON.stringify(steps).match(/"kind":"create","resource":"\w+"/g) ?? [];
  const inTurn = made(endpoints);
  const beside = made([machines, routines]);
  const isRepeated = JSON.stringify(endpoints).includes('"kind":"for each"');
  const found = resources.filter(({ name, startRows }) => {
    const isOwn = (one: string): boolean => one.endsWith(`"${name}"`);
    const isAlone = inTurn.filter(isOwn).length === 1 && !beside.some(isOwn);
    return isAlone && startRows.is === "none";
  });
  return new Set(isRepeated ? [] : found.map(({ name }) => name));
}

/** What falls due by one field falls due at the same instant where that is the same. */
function inTime(machine: Plan["machines"][number]): Plan["machines"][number] {
  const { together, transitions } = machine;
  if (together.is !== "stated") return machine;
  const fields = new Set(transitions.flatMap(({ on }) => (on.is === "time" ? [on.field] : [])));
  const isDue = ({ by: { code } }: (typeof together.value)[number]): boolean =>
    code.op === "get" && code.of.op === "name" && fields.size === 1 && fields.has(code.member);
  return {
    ...machine,
    together: { ...together, value: together.value.filter((one) => !isDue(one)) },
  };
}

/**
 * The plan without what hangs on a moment that no client can choose: whether a time that the
 * service gives is the very end of a day, or one that is sent is just now; which of two rows comes
 * first that were made at the same time as it is shown, for a service may know it more exactly; and
 * in which order that happens which falls due at different instants, for a prompt service does each
 * at its own.
 */
export function withoutMoments(plan: Plan): Plan {
  const moments = momentsOf(plan);
  const alone = madeAlone(plan);
  const fieldOf = (value: Value): string | undefined => {
    if (!isMembers(value) || value["op"] !== "get" || !isMembers(value["of"])) return undefined;
    const type = value["of"]["type"];
    return isMembers(type) ? `${type["resource"]}.${value["member"]}` : undefined;
  };
  const isNow = (value: Value): boolean =>
    isMembers(value) && value["op"] === "name" && value["name"] === "now";
  const isMoment = (value: Value): boolean => moments.has(fieldOf(value) ?? "");
  const isSent = (value: Value): boolean => {
    const of = isMembers(value) && value["op"] === "get" ? value["of"] : undefined;
    return isMembers(of) && (of["name"] === "body" || of["name"] === "query");
  };
  const isDay = (value: Value): boolean => isMembers(value) && value["fn"] === "start_of";
  const isUnseen = (args: Value): boolean =>
    Array.isArray(args) &&
    ((args.some(isNow) && args.some(isSent)) || (args.some(isMoment) && args.some(isDay)));
  const isLast = (key: Value): boolean => {
    const by = isMembers(key) && isMembers(key["by"]) ? key["by"]["code"] : undefined;
    const field = fieldOf(by) ?? "";
    return moments.has(field) && alone.has(field.split(".")[0] ?? "");
  };
  const replaced = (_: string, value: Value): Value => {
    if (!isMembers(value)) return value;
    const { fn, args, kind, keys } = value;
    if ((fn === "<=" || fn === ">=") && isUnseen(args)) return { ...value, fn: String(fn)[0] };
    if (kind !== "order" || !Array.isArray(keys)) return value;
    const last = keys.findIndex(isLast);
    return last < 0 ? value : { ...value, keys: keys.slice(0, last + 1) };
  };
  const without = JSON.parse(JSON.stringify(plan, replaced)) as Plan;
  return { ...without, machines: without.machines.map(inTime) };
}
