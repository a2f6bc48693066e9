/** Paths that look like collections of rows and their items, and what can be proposed for each. */
import {
  type Endpoint,
  isStated,
  type PathSegment,
  type Plan,
  pathText,
  type StatedAnswer,
  type ValueType,
} from "../plan/index.ts";
import { SchemaLook } from "./schemas.ts";

/** What an operation is proposed to do. */
type Effect = "create" | "read" | "list" | "replace" | "merge" | "delete";

/** A proposal for one endpoint. */
export interface Proposal {
  readonly endpoint: Endpoint;
  readonly effect: Effect;
  readonly status: number;
  /** Whether the answer has the row, or the rows, in its body. */
  readonly shows: boolean;
  /** Of a list that stands in a member of the body: that member. */
  readonly member?: string;
}

/** Rows that are kept for the paths below one. */
export interface Collection {
  readonly path: string;
  readonly name: string;
  /** The parameter that names a row. */
  readonly key: string;
  readonly keyType: "integer" | "id";
  /** Parameters further in front, which a row keeps: it is found below them alone. */
  readonly within: readonly { readonly name: string; readonly type: string }[];
  /** The member of the body that shows the key, and whether as a text. */
  readonly shown?: { readonly member: string; readonly asText: boolean };
  readonly proposals: readonly Proposal[];
}

/** An endpoint for which nothing is proposed, and why. */
export interface LeftOut {
  readonly endpoint: Endpoint;
  readonly why: string;
}

const isGap = ({ steps }: Endpoint): boolean => steps[0]?.kind === "gap";

/** The parameter that a segment is, whole; undefined: it is text, or has text around it. */
function paramOf(segment: PathSegment | undefined): string | undefined {
  if (segment === undefined || !("param" in segment)) return undefined;
  const { param, before, after, rest } = segment;
  return before === undefined && after === undefined && rest === undefined ? param : undefined;
}

/** Paths with every parameter alike. */
const formOf = (path: readonly PathSegment[]): string =>
  pathText(path.map((one) => ("param" in one ? { ...one, param: "x" } : one)));

/** Looks for collections in a plan. */
export class Finder {
  readonly leftOut: LeftOut[] = [];
  private readonly look: SchemaLook;
  private readonly endpoints: readonly Endpoint[];
  private readonly names = new Set<string>();

  constructor(plan: Plan) {
    this.look = new SchemaLook(plan);
    this.endpoints = plan.endpoints.filter(isGap);
  }

  /** Every collection with at least one proposal; the others are left out, each with its reason. */
  all(): Collection[] {
    const items = new Map<string, Endpoint[]>();
    const wholes = new Map<string, Endpoint[]>();
    for (const each of this.endpoints) {
      const into = paramOf(each.path.at(-1)) === undefined ? wholes : items;
      const path = into === items ? each.path.slice(0, -1) : each.path;
      const form = formOf(path);
      into.set(form, [...(into.get(form) ?? []), each]);
    }
    const found = [...items].flatMap(([form, own]) => this.collection(own, wholes.get(form) ?? []));
    const proposed = new Set(found.flatMap((one) => one.proposals.map(({ endpoint }) => endpoint)));
    const told = new Set(this.leftOut.map(({ endpoint }) => endpoint));
    for (const endpoint of this.endpoints) {
      if (proposed.has(endpoint) || told.has(endpoint)) continue;
      this.leftOut.push({ endpoint, why: "its path is not that of a collection or an item" });
    }
    return found;
  }

  private collection(items: readonly Endpoint[], wholes: readonly Endpoint[]): Collection[] {
    const [first] = items;
    const segment = first?.path.at(-2);
    if (first === undefined || segment === undefined || !("literal" in segment)) return [];
    const all = [...items, ...wholes];
    const drop = (why: string): Collection[] => {
      this.leftOut.push(...all.map((endpoint) => ({ endpoint, why })));
      return [];
    };
    const key = paramOf(first.path.at(-1)) ?? "";
    const keyType = keyTypeOf(first, key);
    if (keyType === undefined) return drop("its last parameter is neither a text nor an integer");
    const within = this.within(first);
    if (within === undefined) return drop("a parameter in front has a type of its own");
    const shape = this.shape(items, wholes);
    const shown = this.shown(shape, key, keyType);
    if (shown === "unlike") return drop("the schema shows its key as an integer, the path a text");
    const types = pathTypes(first).join(" ");
    const proposals = all.flatMap((each) => {
      if (types.startsWith(pathTypes(each).join(" "))) {
        return this.proposal(each, items.includes(each), shape);
      }
      this.leftOut.push({ endpoint: each, why: "a parameter of its path has another type here" });
      return [];
    });
    if (!proposals.some(({ effect }) => effect === "create" || effect === "replace")) {
      return drop("nothing makes a row: there is no POST on the collection");
    }
    const path = pathText(first.path.slice(0, -1));
    const name = this.nameOf(segment.literal);
    return [{ path, name, key, keyType, within, proposals, ...(shown && { shown }) }];
  }

  /** The schema of a row: that of the answer which reads one, else of the one that makes one. */
  private shape(items: readonly Endpoint[], wholes: readonly Endpoint[]): unknown {
    const order = [...items.filter(isMethod("GET")), ...wholes.filter(isMethod("POST")), ...items];
    for (const each of order) {
      const schema = this.look.of(bodyOf(success(each)));
      if (schema !== undefined) return schema;
    }
    return undefined;
  }

  /** The parameters in front of the last one. */
  private within(endpoint: Endpoint): Collection["within"] | undefined {
    const names = endpoint.path.slice(0, -1).flatMap((one) => ("param" in one ? [one.param] : []));
    const found = names.map((name) => ({ name, type: inputType(endpoint, name) }));
    return found.every((one): one is { name: string; type: string } => one.type !== undefined)
      ? found
      : undefined;
  }

  private shown(
    shape: unknown,
    key: string,
    keyType: Collection["keyType"],
  ): Collection["shown"] | "unlike" {
    const members = this.look.members(shape);
    const member = ["id", key, `${key}_id`].find((one) => members.has(one));
    if (member === undefined) return undefined;
    const type = this.look.type(members.get(member));
    if (keyType === "integer") return { member, asText: type === "string" };
    return type === "integer" || type === "number" ? "unlike" : { member, asText: false };
  }

  private proposal(endpoint: Endpoint, isItem: boolean, shape: unknown): Proposal[] {
    const effect = isItem ? ITEM[endpoint.method] : WHOLE[endpoint.method];
    const leave = (why: string): Proposal[] => {
      this.leftOut.push({ endpoint, why });
      return [];
    };
    if (effect === undefined) return leave(`no convention has a ${endpoint.method} here`);
    const answer = success(endpoint);
    if (answer === undefined) return leave("no answer of success is stated");
    const status = Number(answer.status);
    const body = this.look.of(bodyOf(answer));
    const made = { endpoint, effect, status };
    if (effect === "list") {
      const place = this.listIn(body, shape);
      return place === undefined
        ? leave("its answer is not a list of rows")
        : [{ ...made, ...place }];
    }
    const isEmpty = answer.body.is === "none" || body === undefined;
    if (isEmpty)
      return effect === "read" ? leave("its answer states no body") : [{ ...made, shows: false }];
    if (!this.look.same(body, shape)) return leave("its answer is not the row that GET reads");
    return [{ ...made, shows: true }];
  }

  /** Where the rows stand in the answer of a list. */
  private listIn(body: unknown, shape: unknown): Pick<Proposal, "shows" | "member"> | undefined {
    const isRows = (schema: unknown): boolean => {
      if (this.look.type(schema) !== "array") return false;
      return shape === undefined || this.look.same(this.look.items(schema), shape);
    };
    if (isRows(body)) return { shows: true };
    const lists = [...this.look.members(body)].filter(([, schema]) => isRows(schema));
    const [only] = lists;
    if (only === undefined || lists.length > 1) return undefined;
    const others = this.look.required(body).filter((name) => name !== only[0]);
    return others.length === 0 ? { shows: true, member: only[0] } : undefined;
  }

  private nameOf(literal: string): string {
    const base = `Row_${literal.replaceAll(/[^A-Za-z0-9]+/g, "_")}`;
    let name = base;
    for (let count = 2; this.names.has(name); count += 1) name = `${base}_${count}`;
    this.names.add(name);
    return name;
  }
}

const ITEM: Readonly<Record<string, Effect>> = {
  GET: "read",
  PUT: "replace",
  PATCH: "merge",
  DELETE: "delete",
};
const WHOLE: Readonly<Record<string, Effect>> = { GET: "list", POST: "create" };

const isMethod =
  (method: string) =>
  (one: Endpoint): boolean =>
    one.method === method;

/** The lowest answer of success. */
function success({ answers = [] }: Endpoint): StatedAnswer | undefined {
  return answers
    .filter(({ status }) => /^2\d\d$/.test(status))
    .toSorted((a, b) => Number(a.status) - Number(b.status))[0];
}

function bodyOf(answer: StatedAnswer | undefined): ValueType | undefined {
  return answer !== undefined && isStated(answer.body) ? answer.body.value : undefined;
}

/** The type of a parameter of the path, as a field has it; undefined: of another type. */
function inputType({ inputs }: Endpoint, name: string): string | undefined {
  const input = inputs.find((one) => one.in === "path" && one.name === name);
  // A parameter of which nothing is said is a text.
  if (input === undefined) return "string";
  const { kind } = input.type.type;
  return kind === "string" || kind === "integer" ? kind : undefined;
}

/** The types of the parameters of a path, in their order. */
const pathTypes = (endpoint: Endpoint): string[] =>
  endpoint.path.flatMap((one) =>
    "param" in one ? [inputType(endpoint, one.param) ?? "other"] : [],
  );

function keyTypeOf(endpoint: Endpoint, name: string): Collection["keyType"] | undefined {
  const type = inputType(endpoint, name);
  return type === "string" ? "id" : type === "integer" ? "integer" : undefined;
}
