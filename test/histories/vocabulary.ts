/** What a campaign of histories has to come across: the plan's vocabulary, word by word. */
import { type Code, functionTable } from "../../src/expr/index.ts";
import { failureConditions } from "../../src/language/index.ts";
import type {
  BaseType,
  CheckKind,
  Counts,
  CredentialKind,
  CredentialLocation,
  ResourceInvariant,
  Rule,
  Step,
  Trigger,
} from "../../src/plan/index.ts";

/** True: it has to be reached. A text: why no history can reach it. */
type Wanted = true | string;

const STEPS: Record<Step["kind"], Wanted> = {
  check: true,
  "check tag": true,
  require: true,
  "let one": true,
  "let every": true,
  let: true,
  order: true,
  page: true,
  "page after": true,
  create: true,
  "set from": true,
  set: true,
  delete: true,
  "delete every": true,
  fire: true,
  "may fire": true,
  emit: true,
  call: true,
  do: true,
  respond: true,
  refuse: true,
  when: true,
  cases: true,
  "for each": true,
  "any order": true,
  gap: true,
};
/** Steps that can end a request, and how. */
const ENDS: readonly string[] = [
  "check, error",
  "check, failures",
  "check, gap",
  "check, again",
  "check tag, error",
  "require, error",
  "require, gap",
  "let one, error",
  "page after, error",
  "delete, error",
  "delete every, error",
  "fire, error",
  "may fire, error",
  "do, error",
  "refuse, error",
  "when, error",
  "when, respond",
  "cases, error",
  "cases, respond",
  "for each, error",
  "any order, error",
  "gap, gap",
  "respond, respond",
];
const CHECKS: Record<CheckKind, Wanted> = {
  caller: true,
  inputs: true,
  paths: true,
  limits: true,
  "idempotency key": true,
};
const CODE: Record<Code["op"], Wanted> = {
  literal: true,
  absent: true,
  list: true,
  map: true,
  name: true,
  rows: true,
  get: true,
  has: true,
  index: true,
  call: true,
  each: true,
  gap: "no document of the histories uses what it does not show",
};
const MACROS: Record<Extract<Code, { op: "each" }>["macro"], Wanted> = {
  exists: true,
  all: true,
  exists_one: true,
  filter: true,
  map: true,
  group: true,
};
const OPERATORS: readonly string[] = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "neg",
  "!",
  "&&",
  "||",
  "?:",
  "in",
];
/** Rules, as the reading of an input or the making of a row comes upon them. */
const RULES: Record<Rule["kind"], Wanted> = {
  characters: true,
  items: true,
  range: true,
  matches: true,
  scheme: true,
  "different items": true,
  "at least one member": true,
  "not empty": true,
  "empty becomes null": true,
  "empty means absent": true,
  trimmed: true,
  "absent means": true,
  holds: true,
  starts: true,
  set: "see `set: when made`",
  "counts up": "see `counts up: over all`",
  unique: true,
  "kept as": true,
  random: true,
  key: true,
  "when gone": true,
  order: true,
  gap: true,
};
/** Types by which values are read from JSON and shown, with their wire forms. */
const TYPES: Record<BaseType["kind"], readonly string[]> = {
  string: ["string"],
  boolean: ["boolean"],
  number: ["number"],
  date: ["date"],
  duration: ["duration"],
  "time zone": ["time zone"],
  email: ["email"],
  uri: ["uri"],
  uuid: ["uuid"],
  json: ["json"],
  schema: ["schema"],
  file: [],
  secret: ["secret"],
  state: ["state"],
  "event name": ["event name"],
  "error name": ["error name"],
  integer: ["integer as number", "integer as string"],
  decimal: ["decimal as number", "decimal as string"],
  timestamp: [
    "timestamp as rfc3339",
    "timestamp as unix seconds",
    "timestamp as unix milliseconds",
  ],
  id: ["id"],
  "one of": ["one of"],
  list: ["list"],
  map: ["map"],
  structure: ["structure"],
  reference: ["reference"],
};
/** What is never sent by a client in JSON, or never shown. */
const NEVER = new Set(["read: id", "shown: secret"]);
const AS_TEXT: readonly string[] = [
  "string",
  "boolean",
  "number",
  "date",
  "duration",
  "time zone",
  "email",
  "uri",
  "uuid",
  "integer as number",
  "decimal as number",
  "timestamp as rfc3339",
  "timestamp as unix seconds",
  "one of",
  "list",
  "state",
];
const INVARIANTS: Record<ResourceInvariant["kind"], readonly string[]> = {
  always: [
    "always, held",
    "always, broken",
    "always, of a row referred to",
    "always, no error, held",
    "always, no error, broken",
  ],
  unique: [
    "unique, held",
    "unique, broken",
    "unique within, held",
    "unique within, broken",
    "unique where, held",
    "unique where, broken",
    "unique, several, held",
    "unique, several, broken",
    "in any case, held",
    "in any case, broken",
  ],
  missing: [],
  rows: ["rows, seen", "rows, hidden", "rows, beyond"],
  // The checker refuses steps that would break them.
  "changed never": [],
  "deleted never": [],
  "deleted refused": ["deleted refused, held", "deleted refused, broken"],
  "kept for": ["kept for, passed"],
  // The documents of the histories are whole.
  gap: [],
};
const TRIGGERS: Record<Trigger["is"], Wanted> = {
  step: true,
  time: true,
  every: true,
  transition: true,
  refused: true,
  call: true,
  "by itself": true,
  gap: "the documents of the histories are whole",
};
const COUNTS: Record<Counts["is"], readonly string[]> = {
  requests: [
    "requests per address in sliding",
    "requests to one per everyone in fixed",
    "requests answered per address in day",
    "requests per caller in sliding",
  ],
  "body bytes": ["body bytes"],
  "header bytes": ["header bytes"],
  "path bytes": ["path bytes"],
  "request time": [],
  "rows kept": ["rows kept per everyone", "rows kept per field"],
  sum: ["sum per field in day", "sum per everyone in sliding"],
  // The documents of the histories are whole.
  gap: [],
};
const PLACES: Record<CredentialLocation["in"], Wanted> = {
  header: true,
  query: true,
  cookie: true,
  basic: true,
};
const CREDENTIALS: Record<CredentialKind["is"], Wanted> = {
  opaque: true,
  jwt: true,
  basic: "seen as `sent in: basic`",
};
/** Conditions that no history can bring about. */
const UNMET: Readonly<Record<string, string>> = {
  "no version": "the documents choose no version by a header or parameter",
  "unknown version": "the documents choose no version by a header or parameter",
  "time passed": "the clock stands still while a request is answered",
};

/** Those of HTTP itself. */
const RAW = "histories send messages that are in order";

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  body: ["none", "shape", "list", "shape with", "value"],
  create: ["one was there", "one was there in any case"],
  "for each": ["on its own", "refused", "refused, kept"],
  "when gone": [
    "deleted with it, a reference",
    "deleted with it, in a map",
    "deleted with it, in a structure",
    "set to null, a reference",
    "set to null, in a list",
    "set to null, in a structure",
    "refused, a reference",
    "refused, in a list",
    "refused, in a structure",
    "taken out, in a list",
    "taken out, in a map",
    "taken out, in a structure",
  ],
  "kept as": ["sha256", "plain", "scrypt"],
  "order of items": ["as given", "ascending", "descending"],
  "random bytes as": ["base64", "base64url", "hex", "uuid"],
  "counts up": ["over all", "within", "on every change"],
  set: ["when made", "when a field changes", "on update", "merged"],
  "may see": ["yes", "no", "on create", "actors"],
  transition: ["refused", "with a guard"],
  tag: ["none sent", "strong, the same", "strong, another", "weak, another", "known", "not known"],
  key: [
    "first",
    "at every endpoint",
    "same body",
    "other body",
    "per caller",
    "per address",
    "per everyone",
  ],
  "key keeps": ["every answer", "2xx answers", "2xx and 4xx answers"],
  "bodies by": ["bytes", "values"],
  caller: [
    "somebody",
    "somebody, optional",
    "nobody, optional",
    "no such row",
    "no such row, optional",
  ],
  credential: ["issued"],
  "failures reported": ["first", "all"],
  path: [
    "names a row",
    "names a row in any case",
    "names no row",
    "text around",
    "the rest",
    "slash at the end",
  ],
  reference: ["names a row", "names no row"],
  method: ["HEAD", "OPTIONS"],
  gap: ["met"],
  shown: ["null", "absent"],
  read: ["null"],
  limit: ["Retry-After", "told in headers"],
  deprecated: ["Deprecation", "Sunset", "Deprecation and Sunset"].flatMap((fields) => [
    `${fields}, every endpoint`,
    `${fields}, its own`,
  ]),
  engine: ["stopped and started", "killed and started", "events recorded"],
};

/** Every mark with what is wanted of it. */
export function vocabulary(): ReadonlyMap<string, Wanted> {
  const all = new Map<string, Wanted>();
  const put = (kind: string, wanted: Readonly<Record<string, Wanted>>): void => {
    for (const [what, one] of Object.entries(wanted)) all.set(`${kind}: ${what}`, one);
  };
  const each = (kind: string, whats: readonly string[]): void => {
    for (const what of whats) if (!NEVER.has(`${kind}: ${what}`)) all.set(`${kind}: ${what}`, true);
  };
  put("step", STEPS);
  each("step ends", ENDS);
  put("check", CHECKS);
  put("code", CODE);
  put("macro", MACROS);
  each("function", [...OPERATORS, ...functionTable.map((one) => one.name)]);
  put("rule", RULES);
  const types = Object.values(TYPES).flat();
  each("read", types);
  each("shown", types);
  each("read as text", AS_TEXT);
  each("invariant", Object.values(INVARIANTS).flat());
  put(
    "transition",
    Object.fromEntries(Object.entries(TRIGGERS).map(([is, one]) => [`on ${is}`, one])),
  );
  each(
    "limit",
    Object.values(COUNTS)
      .flat()
      .flatMap((one) => [`${one}, held`, `${one}, passed`]),
  );
  put("sent in", PLACES);
  put("credential", CREDENTIALS);
  for (const { name, occurs } of failureConditions) {
    all.set(`failure: ${name}`, UNMET[name] ?? (occurs === "HTTP itself" ? RAW : true));
  }
  for (const [kind, whats] of Object.entries(OTHERS)) each(kind, whats);
  return all;
}

/** What was wanted and not reached, and what was reached though it was said that it cannot be. */
export function wanting(reached: ReadonlyMap<string, number>): readonly string[] {
  return [...vocabulary()].flatMap(([mark, wanted]) => {
    if (wanted === true) return reached.has(mark) ? [] : [`${mark}: not reached`];
    return reached.has(mark) ? [`${mark}: reached, though ${wanted}`] : [];
  });
}
