/** Every object of a description by its kind: members that the version has, and others. */
import type { Description } from "../../model/index.ts";
import { type MapNode, type Node, type Place, textAt } from "../../tree/index.ts";
import { unescaped } from "../pointers.ts";
import { type Inner, type Members, objectsOf } from "./objects.ts";

/** A member that the object's kind does not have. */
export interface Unknown {
  readonly name: string;
  readonly kind: string;
  readonly place: Place;
}

/** A value that is to fit a schema. */
export interface Sample {
  readonly value: Node;
  readonly schema: Node;
}

/** A reference, with the kind that is wanted where it stands. */
interface Reference {
  readonly node: MapNode;
  readonly kind: string;
}

/** Objects and members that a client needs and a service does not act on. */
export const FOR_CLIENTS = {
  extensions: [],
  links: ["Link"],
  "callbacks-stated": ["Callback"],
  "examples-stated": [".example", ".examples"],
  styles: [".style", ".explode", ".allowReserved", ".collectionFormat", "Encoding"],
  discriminators: [".discriminator"],
  xml: ["Xml"],
  "servers-stated": ["Server", ".host", ".basePath", ".schemes"],
} as const;

export type ForClients = keyof typeof FOR_CLIENTS;

const COUNTED = new Map<string, ForClients>(
  Object.entries(FOR_CLIENTS).flatMap(([code, names]) =>
    names.map((name) => [name, code as ForClients] as const),
  ),
);

const isExtension = (name: string): boolean => name.startsWith("x-");

/** Kinds of objects with examples of a schema. */
const SAMPLED = new Set(["Schema", "Media", "Parameter", "Header", "Response"]);

/** Walks all objects of a description once, references behind the rest. Not recursive. */
export class Walk {
  readonly unknown: Unknown[] = [];
  readonly samples: Sample[] = [];
  readonly wrongKinds: Place[] = [];
  readonly counted: Map<ForClients, Place[]> = new Map();
  /** What references name: their text up to the name of a component. */
  readonly pointers = new Set<string>();
  references = 0;
  members = 0;
  private readonly objects: ReadonlyMap<string, Members>;
  private readonly refs: Description["refs"];
  private readonly isLoose: boolean;
  private readonly prefix: RegExp;
  private readonly root: MapNode;
  /** What is still to be looked at, and as which kind: two lists, to spare a pair for each. */
  private readonly left: Node[] = [];
  private readonly leftKinds: string[] = [];
  private readonly referred: Reference[] = [];
  private readonly known = new Map<string, string | undefined>();
  /** Objects that only references lead to, and are not among those of the root. */
  private readonly beside = new Set<Node>();

  constructor({ kind, version, refs, root }: Description) {
    this.objects = objectsOf(kind, version);
    this.refs = refs;
    this.root = root;
    this.prefix = kind === "swagger" ? /^#\/[^/]*\/[^/]*/ : /^#\/[^/]*\/[^/]*\/[^/]*/;
    // Another dialect of JSON Schema has other keywords.
    const dialect = textAt(root, "jsonSchemaDialect");
    this.isLoose = dialect !== undefined && !/openapis\.org|2020-12/.test(dialect);
    this.push(root, "Root");
    this.empty();
    for (let reference = this.referred.pop(); reference; reference = this.referred.pop()) {
      this.follow(reference);
      this.empty();
    }
  }

  private push(node: Node, kind: string): void {
    if (node.kind !== "map") return;
    this.left.push(node);
    this.leftKinds.push(kind);
  }

  private empty(): void {
    for (let node = this.left.pop(); node !== undefined; node = this.left.pop()) {
      this.take(node as MapNode, this.leftKinds.pop() as string);
    }
  }

  private follow({ node, kind }: Reference): void {
    const ref = node.get("$ref");
    const text = textAt(node, "$ref");
    if (ref === undefined || text === undefined) return;
    this.pointers.add(this.prefix.exec(text)?.[0] ?? text);
    const target = this.refs.target(text, ref).node;
    if (target === undefined || target === node) return;
    const found = target.file === 0 && text.startsWith("#/") ? this.kindAt(text) : undefined;
    if (found === undefined) {
      if (!this.beside.has(target)) this.push(target, kind);
      this.beside.add(target);
    } else if (found !== kind && !isAlike(found, kind)) this.wrongKinds.push(ref);
  }

  /** The kind of what a pointer within the first file names; undefined: none that is known. */
  private kindAt(pointer: string): string | undefined {
    if (this.known.has(pointer)) return this.known.get(pointer);
    let node: Node | undefined = this.root;
    let inner: Inner | undefined = { kind: "Root", as: "one" };
    for (const token of tokensOf(pointer)) {
      if (inner === undefined || node === undefined || node.kind === "scalar") break;
      inner = node.kind === "list" ? { ...inner, as: "one" } : this.innerAt(inner, token);
      node = node.kind === "list" ? node.items[Number(token)] : node.get(token);
    }
    const found = inner?.as === "one" && node !== undefined ? inner.kind : undefined;
    this.known.set(pointer, found);
    return found;
  }

  /** What stands under a name inside of something. */
  private innerAt({ kind, as }: Inner, name: string): Inner | undefined {
    if (as !== "one") return { kind, as: "one" };
    const members = this.objects.get(kind);
    if (members?.own.has(name)) return members.own.get(name);
    return name.startsWith("x-") ? undefined : members?.rest;
  }

  private take(node: MapNode, kind: string): void {
    const code = COUNTED.get(kind);
    const members = this.objects.get(kind);
    if (members === undefined) return;
    if (textAt(node, "$ref") !== undefined && kind !== "Root") {
      this.references += 1;
      this.referred.push({ node, kind });
      if (kind !== "Schema" && kind !== "PathItem") return;
    }
    if (code !== undefined) this.tell(code, node);
    const isFree = kind === "Schema" && (this.isLoose || node.indexOf("$schema") >= 0);
    for (let at = 0; at < node.keys.length; at += 1)
      this.member(node, at, { kind, members, isFree });
    if (kind === "Discriminator") this.mapped(node);
    if (SAMPLED.has(kind)) this.sample(node, kind);
  }

  /** What a discriminator names is used. */
  private mapped(node: MapNode): void {
    const mapping = node.get("mapping");
    for (const each of mapping?.kind === "map" ? mapping.values : []) {
      if (each.kind !== "scalar" || typeof each.value !== "string") continue;
      const { value } = each;
      this.pointers.add(value.includes("#") ? value : `#/components/schemas/${value}`);
    }
  }

  private tell(code: ForClients, place: Place): void {
    const all = this.counted.get(code);
    if (all === undefined) this.counted.set(code, [place]);
    else all.push(place);
  }

  private member(
    node: MapNode,
    at: number,
    { kind, members, isFree }: { kind: string; members: Members; isFree: boolean },
  ): void {
    const name = node.keys[at] as string;
    this.members += 1;
    if (isExtension(name)) {
      this.tell("extensions", node.keyPlace(name));
      return;
    }
    const inner = members.own.has(name) ? members.own.get(name) : members.rest;
    if (inner === undefined) {
      if (!members.own.has(name) && !isFree) {
        this.unknown.push({ name, kind, place: node.keyPlace(name) });
      }
    } else this.inside(node.values[at] as Node, inner);
    const code = COUNTED.get(`.${name}`);
    if (code !== undefined) this.tell(code, node.keyPlace(name));
  }

  private inside(value: Node, { kind, as }: Inner): void {
    if (value.kind === "list") {
      if (as === "list" || kind === "Schema") {
        for (const each of value.items) this.push(each, kind);
      }
    } else if (value.kind === "map" && as !== "list") {
      if (as !== "names" || textAt(value, "$ref") !== undefined) this.push(value, kind);
      else for (const each of value.values) this.push(each, kind);
    }
  }

  /** The examples and defaults that stand beside a schema, or in it. */
  private sample(node: MapNode, kind: string): void {
    const schema = kind === "Schema" ? node : (node.get("schema") ?? undefined);
    if (schema === undefined) return;
    const add = (value: Node | undefined): void => {
      if (value !== undefined) this.samples.push({ value, schema });
    };
    add(node.get("example"));
    const examples = node.get("examples");
    if (examples?.kind === "list" && kind === "Schema") examples.items.forEach(add);
    if (examples?.kind !== "map" || kind === "Schema") return;
    if (kind === "Response") {
      examples.values.forEach(add);
      return;
    }
    for (const each of examples.values) {
      const example = this.refs.map(each);
      add(example?.get("value") ?? example?.get("dataValue"));
    }
  }
}

/** The members that a pointer within a file goes through. */
const tokensOf = (pointer: string): string[] => pointer.slice(2).split("/").map(unescaped);

/** Kinds whose objects may stand for one another. */
const isAlike = (a: string, b: string): boolean =>
  [a, b].every((each) => each === "Items" || each === "Schema" || each === "Header");
