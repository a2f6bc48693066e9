/**
 * Compares two plans as data, without what wording alone makes: ids, texts of expressions,
 * sentences, line breaks in prose, examples, and the order of constructs that have names.
 */

/** A place of a plan, such as `endpoints[POST /todos].steps[0].kind`, and what stands there. */
export interface Difference {
  readonly path: string;
  /** Undefined where nothing stands there. */
  readonly before: unknown;
  readonly now: unknown;
}

type Data = Readonly<Record<string, unknown>>;

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a construct is called among its like. */
const named = ({ name }: Data): string => textOf(name);

function methodAndPath({ method, path }: Data): string {
  const segments = (path as readonly Data[]).map((one) => one["literal"] ?? `{${one["param"]}}`);
  return `${textOf(method)} /${segments.join("/")}`;
}

const gapName = ({ part, scope, subject }: Data): string => [part, scope, subject].join(" / ");

/** Lists of the plan in which the order of what they hold means nothing, and its names there. */
const UNORDERED: Readonly<Record<string, (one: Data) => string>> = {
  actors: named,
  calls: named,
  endpoints: methodAndPath,
  errors: named,
  events: named,
  failures: ({ condition }) => textOf(condition),
  gaps: gapName,
  machines: ({ resource, field }) => `${textOf(resource)}.${textOf(field)}`,
  partTypes: named,
  resources: named,
  routines: named,
  schemes: named,
  settings: named,
  shapes: named,
  streams: named,
  webhooks: named,
};

/** Members of the plan itself that nothing but wording decides. */
const LEFT_OUT: ReadonlySet<string> = new Set(["assumed", "examples", "gaps", "stateless"]);

/** Gaps of a plan by their ids. */
type Gaps = ReadonlyMap<string, string>;

const isGapKey = (key: string): boolean => key.toLowerCase().endsWith("gap");

/** One of a list under the name that it has there; of two with one name the second has `#2`. */
function byName(list: readonly unknown[], key: (one: Data) => string, gaps: Gaps): Named {
  const found = new Map<string, unknown>();
  for (const one of list as readonly Data[]) {
    const name = key(one);
    let [free, times] = [name, 1];
    while (found.has(free)) {
      times += 1;
      free = `${name}#${times}`;
    }
    found.set(free, plain(one, gaps));
  }
  return new Named(found);
}

/** What is compared by names and not by places. */
class Named {
  readonly all: ReadonlyMap<string, unknown>;

  constructor(all: ReadonlyMap<string, unknown>) {
    this.all = all;
  }
}

/** The value without ids and texts; a gap by what it is a gap of. */
function plain(value: unknown, gaps: Gaps): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(one, gaps));
  if (!isData(value)) return value;
  const kept = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const isText = key === "text" && isData(value["code"]);
    const isFacetSentence = key === "sentence" && typeof value["status"] === "string";
    if (key === "id" || isText || isFacetSentence || member === undefined) continue;
    kept.set(key, plainMember(key, member, gaps));
  }
  return new Named(kept);
}

function plainMember(key: string, member: unknown, gaps: Gaps): unknown {
  if (isGapKey(key) && typeof member === "string") return gaps.get(member) ?? member;
  if (key === "gaps" && isData(member)) {
    const places = Object.entries(member).map(
      ([place, id]) => [place, gaps.get(textOf(id)) ?? id] as const,
    );
    return new Named(new Map(places));
  }
  if (key === "prose" && Array.isArray(member)) return member.join(" ").replace(/\s+/g, " ");
  // Rows at the start are data of the document: whatever their members are called, they count.
  if (key === "rows" && Array.isArray(member)) return JSON.stringify(member);
  const name = UNORDERED[key];
  if (name === undefined || !Array.isArray(member)) return plain(member, gaps);
  return byName(member, name, gaps);
}

function withoutId({ id: _, sentence: __, ...rest }: Data): Data {
  return rest;
}

/** The plan as it is compared. */
function compared(plan: unknown): Named {
  if (!isData(plan)) throw new TypeError("a plan is an object");
  const list = plan["gaps"] as readonly Data[];
  const gaps = new Map(list.map((gap) => [textOf(gap["id"]), gapName(gap)]));
  const kept = Object.entries(plan).filter(([key]) => !LEFT_OUT.has(key));
  const all = new Map(kept.map(([key, member]) => [key, plainMember(key, member, gaps)]));
  all.set("gaps", byName(list.map(withoutId), gapName, gaps));
  all.set("stateless", [...(plan["stateless"] as readonly string[])].sort());
  return new Named(all);
}

/** A value as it is printed. */
function printed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printed);
  if (!(value instanceof Named)) return value;
  return Object.fromEntries([...value.all].map(([key, one]) => [key, printed(one)]));
}

function compare(before: unknown, now: unknown, path: string, found: Difference[]): void {
  if (before instanceof Named && now instanceof Named) {
    for (const key of new Set([...before.all.keys(), ...now.all.keys()])) {
      const at = /^\w+$/.test(key) ? `${path}${path === "" ? "" : "."}${key}` : `${path}[${key}]`;
      compare(before.all.get(key), now.all.get(key), at, found);
    }
  } else if (Array.isArray(before) && Array.isArray(now)) {
    for (let at = 0; at < Math.max(before.length, now.length); at += 1) {
      compare(before[at], now[at], `${path}[${at}]`, found);
    }
  } else if (before !== now) {
    found.push({ path, before: printed(before), now: printed(now) });
  }
}

/** Where two plans differ, in the order of the first. None: they are the same. */
export function differences(before: unknown, now: unknown): readonly Difference[] {
  const found: Difference[] = [];
  compare(compared(before), compared(now), "", found);
  return found;
}
