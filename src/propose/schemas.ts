/** What can be told of a schema by its text: its type, its members, what an array holds. */
import { isStated, type Plan, type ValueType } from "../plan/index.ts";

type Json = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** References that are followed, one behind the other, and levels of `allOf`. */
const DEPTH_MAX = 20;

/** Looks at the schemas of a plan. */
export class SchemaLook {
  private readonly byName: ReadonlyMap<string, unknown>;

  constructor({ schemas = [] }: Plan) {
    this.byName = new Map(
      schemas.map(({ name, schema }) => [name, isStated(schema) ? JSON.parse(schema.value) : {}]),
    );
  }

  /** The schema of a type; undefined: it is no schema. */
  of(type: ValueType | undefined): unknown {
    return type?.type.kind === "schema" ? this.byName.get(type.type.name) : undefined;
  }

  /** The schema without the reference that it is. */
  private plain(schema: unknown): Json | undefined {
    let at = schema;
    for (let steps = 0; steps < DEPTH_MAX && isObject(at); steps += 1) {
      const ref = at["$ref"];
      if (typeof ref !== "string") return at;
      at = this.at(ref);
    }
    return undefined;
  }

  private at(ref: string): unknown {
    const tokens = ref
      .replace(/^#\/\$defs\//, "")
      .split("/")
      .map(unescape);
    let found = this.byName.get(tokens[0] ?? "");
    for (const token of tokens.slice(1)) found = isObject(found) ? found[token] : undefined;
    return found;
  }

  /** Its members by name, those of `allOf` among them. */
  members(schema: unknown, depth = 0): Map<string, unknown> {
    const found = new Map<string, unknown>();
    const plain = depth > DEPTH_MAX ? undefined : this.plain(schema);
    if (plain === undefined) return found;
    const all = Array.isArray(plain["allOf"]) ? (plain["allOf"] as unknown[]) : [];
    for (const each of all) {
      for (const [name, one] of this.members(each, depth + 1)) found.set(name, one);
    }
    const own = plain["properties"];
    for (const [name, one] of Object.entries(isObject(own) ? own : {})) found.set(name, one);
    return found;
  }

  /** `string`, `array` and the like; undefined: it is not said, or several. */
  type(schema: unknown): string | undefined {
    const plain = this.plain(schema);
    if (plain === undefined) return undefined;
    const types = [plain["type"]].flat().filter((one) => one !== "null");
    if (types.length === 1 && typeof types[0] === "string") return types[0];
    return this.members(schema).size > 0 ? "object" : undefined;
  }

  /** What the items of an array are. */
  items(schema: unknown): unknown {
    return this.plain(schema)?.["items"];
  }

  /** Names of members that must be there. */
  required(schema: unknown): string[] {
    const required = this.plain(schema)?.["required"];
    return Array.isArray(required) ? required.filter((one) => typeof one === "string") : [];
  }

  /** Whether two schemas are one: the same text, or the same schema behind a reference. */
  same(one: unknown, other: unknown): boolean {
    return JSON.stringify(this.plain(one)) === JSON.stringify(this.plain(other));
  }
}

const unescape = (token: string): string => {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
};
