/** Compiles the reader of a body: a new or changed resource, a type, input rows by their place. */
import { type Body, type Input, type Rule, sentName } from "../../plan/index.ts";
import type { Value } from "../ports/index.ts";
import type { Json } from "../wire/json.ts";
import { ABSENT, NULL, unknown, Wrong } from "../wire/wrong.ts";
import type { FailureCollector } from "./failure-collector.ts";
import type { MemberSpec } from "./members.ts";
import { compileMembers, fieldMembers } from "./members.ts";
import type { Form, Names, Read } from "./names.ts";
import { compileRules } from "./rules.ts";
import { compileValue } from "./value.ts";

/** An object being put together from what several rows say about it. */
interface Node {
  readonly entries: (MemberSpec | { readonly name: string; readonly node: Node })[];
  readonly rules: Rule[];
  /** The body must have it: the resource that `Body` names. */
  wrapper: boolean;
}

/** The reader of a whole body. */
export interface BodyReader {
  readonly read: Read;
  /** A request must have content; where it need not, none is read as an object without members. */
  readonly needed: boolean;
  /** The member that wraps the content; names inside it are given without it. */
  readonly wrapper?: string;
}

/** Undefined where the endpoint reads no body. `inputs`: the rows whose place is the body. */
export function compileBody(
  body: Body | undefined,
  inputs: readonly Input[],
  form: Form,
  names: Names,
): BodyReader | undefined {
  if (!body && inputs.length === 0) return undefined;
  if (body?.content.is === "type" && body.member === undefined) {
    const spec = { type: body.content.type, rules: body.rules, form };
    return { read: compileValue(spec, names), needed: true };
  }
  const root = newNode();
  if (body) addContent(root, body, form, names);
  for (const input of inputs) addInput(root, input, form, names);
  return {
    read: nodeReader(root, form, names),
    needed: needsSome(root),
    wrapper: body?.member,
  };
}

function newNode(): Node {
  return { entries: [], rules: [], wrapper: false };
}

function addContent(root: Node, body: Body, form: Form, names: Names): void {
  const { content, member } = body;
  const path = member?.split(".") ?? [];
  if (content.is === "type") {
    const read = compileValue({ type: content.type, rules: body.rules, form }, names);
    const given = content.type.orAbsent ? "optional" : "required";
    const name = path.pop() ?? "";
    path.reduce(childOf, root).entries.push({ name, read, given, unnamed: true });
    return;
  }
  const resource = names.resources.get(content.resource);
  if (!resource) throw new Error(`no resource: ${content.resource}`);
  const node = path.reduce(childOf, root);
  node.wrapper = member !== undefined;
  node.rules.push(...body.rules);
  node.entries.push(
    ...fieldMembers(resource, content.is, form, (spec) => compileValue(spec, names)),
  );
}

function childOf(node: Node, name: string): Node {
  for (const entry of node.entries) if (entry.name === name && "node" in entry) return entry.node;
  // It stands in the place of a field that no client gives.
  const hidden = node.entries.findIndex(
    (entry) => "given" in entry && entry.given === "no" && sentName(entry) === name,
  );
  if (hidden >= 0) node.entries.splice(hidden, 1);
  const child = newNode();
  node.entries.push({ name, node: child });
  return child;
}

function addInput(root: Node, input: Input, form: Form, names: Names): void {
  const path = input.name.split(".");
  const name = path.pop() ?? "";
  const node = path.reduce(childOf, root);
  const read = compileInput(input, form, names);
  const given = input.needed === "no" ? "optional" : "required";
  const lacking = lackingOf(input);
  // A row of the table stands in the place of a field that no client gives.
  const { sentAs } = input;
  const sent = sentAs ?? name;
  const hidden = node.entries.findIndex(
    (entry) => "given" in entry && (entry.name === name || sentName(entry) === sent),
  );
  if (hidden >= 0) node.entries.splice(hidden, 1);
  node.entries.push({ name, sentAs, read, given, lacking });
}

/** The reader of an input: what is not shown of it is met by who sends it, or by all. */
export function compileInput(input: Input, form: Form, names: Names): Read {
  const { gaps, type, rules } = input;
  if (gaps?.in !== undefined) {
    const wrong = unknown(gaps.in);
    return () => wrong;
  }
  if (gaps?.type !== undefined) {
    const wrong = unknown(gaps.type);
    const fills = rules.some((rule) => rule.kind === "absent means");
    return (raw) => (raw === undefined && !fills ? undefined : wrong);
  }
  return compileValue({ type, rules, form }, names);
}

/** What is wrong where an input is not sent; undefined: nothing. */
export function lackingOf({ needed, gaps }: Input): Wrong | undefined {
  switch (needed) {
    case "yes":
      return ABSENT;
    case "no":
      return undefined;
    case "not shown":
      return gaps?.needed === undefined ? undefined : unknown(gaps.needed);
  }
}

function nodeReader(node: Node, form: Form, names: Names): Read {
  const specs = node.entries.map((entry): MemberSpec => {
    if (!("node" in entry)) return entry;
    const { name } = entry;
    return {
      name,
      read: nodeReader(entry.node, form, names),
      given: entry.node.wrapper ? "required" : "nested",
      unnamed: entry.node.wrapper,
    };
  });
  const members = compileMembers(specs);
  const structure = { kind: "structure", name: "" } as const;
  const type = { type: structure, orNull: false, orAbsent: false };
  const { after } = compileRules(node.rules, type, names);
  return (raw: Json | undefined, sink: FailureCollector): Value | Wrong => {
    if (raw === undefined) return undefined;
    if (raw === null) return NULL;
    const value = members(raw, sink);
    if (value instanceof Wrong) return value;
    for (const judge of after) {
      const wrong = judge(value, sink);
      if (wrong) return wrong;
    }
    return value;
  };
}

/** Whether some member inside must be given: an object without one need not be sent itself. */
function needsSome(node: Node): boolean {
  return node.entries.some((entry) =>
    "node" in entry
      ? entry.node.wrapper || needsSome(entry.node)
      : entry.given === "required" && (entry.lacking ?? ABSENT) === ABSENT,
  );
}
