/** Builds small plans by hand: everything that is not given is stated to be none. */
import type {
  Answer,
  BaseType,
  Endpoint,
  Field,
  Input,
  Plan,
  Resource,
  Rule,
  ValueType,
} from "../../../src/plan/index.ts";

export const none = { is: "none", id: "none" } as const;
export const stated = <T>(value: T): Answer<T> => ({ is: "stated", id: "stated", value });

type Kind = BaseType["kind"] | BaseType;

/** A type by its kind, or whole; `or null` and `or absent` by flags. */
export function type(kind: Kind, flags: { orNull?: boolean; orAbsent?: boolean } = {}): ValueType {
  const whole = typeof kind === "string" ? ({ kind, ...DEFAULTS[kind] } as BaseType) : kind;
  return { type: whole, orNull: flags.orNull ?? false, orAbsent: flags.orAbsent ?? false };
}

const DEFAULTS: Partial<Record<BaseType["kind"], object>> = {
  integer: { wire: "number" },
  decimal: { wire: "number", places: 2 },
  timestamp: { wire: "rfc3339", precision: { is: "stated", id: "p", value: "milliseconds" } },
};

type RuleBody<R> = R extends Rule ? Omit<R, "id"> : never;
export const rule = (body: RuleBody<Rule>): Rule => ({ id: "rule", ...body }) as Rule;

export function input(name: string, over: Partial<Input> = {}): Input {
  return { id: name, name, in: "query", type: type("string"), needed: "no", rules: [], ...over };
}

export function field(name: string, over: Partial<Field> = {}): Field {
  return {
    id: name,
    name,
    type: type("string"),
    create: { is: "required" },
    update: { is: "optional" },
    read: { is: "yes" },
    rules: [],
    ...over,
  };
}

export function resource(name: string, fields: Field[], over: Partial<Resource> = {}): Resource {
  const flags = { keptInside: false, fixed: false, invariants: [], startRows: none };
  return { id: name, name, fields, ...flags, ...over };
}

export function endpoint(method: string, path: string, over: Partial<Endpoint> = {}): Endpoint {
  const segments = path.split("/").slice(1);
  return {
    id: `endpoints/${method} ${path}`,
    method,
    path: segments.map((one) =>
      one.startsWith("{") ? { param: one.slice(1, -1) } : { literal: one },
    ),
    who: none,
    inputs: [],
    body: none,
    bindings: [],
    failures: [],
    steps: [],
    ...over,
  };
}

export function plan(over: Partial<Plan> = {}): Plan {
  return {
    format: "lacuna-plan",
    formatVersion: 2,
    title: "Small",
    parts: [],
    about: {
      prose: [],
      basePath: none,
      bodyFormat: stated("application/json"),
      nesting: { is: "not asked" },
      isolation: stated("all or nothing, as if alone"),
      precision: stated("milliseconds"),
      crossOrigin: none,
      settings: [],
    },
    resources: [],
    partTypes: [],
    shapes: [],
    machines: [],
    stateless: [],
    routines: [],
    calls: [],
    prologue: [],
    endpoints: [],
    schemes: [],
    actors: [],
    events: [],
    webhooks: [],
    streams: [],
    errors: [],
    failures: [],
    failuresReported: stated("all"),
    limits: [],
    limitAnswers: { sent: none },
    versioning: { version: none, chosenBy: none, rules: [], changes: [], deprecations: [] },
    examples: [],
    gaps: [],
    ...over,
  };
}
