/** Reads the inputs of an endpoint from a request as sent, and lists what is wrong with them. */
import type { Endpoint, Field, Input, Rule, ValueType } from "../../src/plan/index.ts";
import { evaluate } from "./evaluate.ts";
import { multipartTree } from "./files.ts";
import { type Json, parse } from "./json.ts";
import { nestedTree, rename } from "./nested.ts";
import {
  Bad,
  type Failure,
  type Place,
  type Reading,
  readPartsWith,
  readValue,
  Told,
  tell,
} from "./reading.ts";
import { cookieOf, isSameMedia, queryPairs } from "./texts.ts";
import { isMap, type Value } from "./values.ts";
import type { Work } from "./work.ts";

/** A request as it came, its path already matched. */
export interface Sent {
  readonly target: string;
  readonly params: ReadonlyMap<string, string>;
  readonly query: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface Inputs {
  readonly path: Map<string, Value>;
  readonly query: Map<string, Value>;
  readonly header: Map<string, Value>;
  readonly cookie: Map<string, Value>;
  readonly body: Value;
  readonly failures: readonly Failure[];
}

interface Maybe extends Failure {
  /** `required when`: judged when the whole body is read. */
  readonly when?: Field["create"];
  /** The object that the member is missing in. */
  readonly of?: Value;
}

/** A member that an object may have. */
interface Member {
  readonly name: string;
  /** The name in what is sent. */
  readonly sent?: string;
  readonly need: "needed" | "optional" | "no" | "nested";
  readonly when?: Field["create"];
  readonly unnamed?: boolean;
  read(reading: Reading, sent: Json, place: Place): Value;
}

function joined(place: Place, name: string): string {
  return place.name === "" ? name : `${place.name}.${name}`;
}

const sentName = ({ name, sent = name }: Member): string => sent;

/** Reads an object: its known members in the order of the table, then what is not known. */
function readObject(reading: Reading, sent: Json, place: Place, members: readonly Member[]): Value {
  if (!isMap(sent)) throw new Bad("wrong type");
  const before = reading.failures.length;
  const values = new Map<string, Value>();
  for (const member of members) {
    const name = joined(place, sentName(member));
    try {
      const value = readMember(reading, member, sent.get(sentName(member)), place);
      if (value !== undefined) values.set(member.name, value);
      else if (member.when !== undefined) {
        const absent = { condition: "absent", field: name, when: member.when, of: values };
        (reading.failures as Maybe[]).push(absent);
      }
    } catch (thrown) {
      tell(reading, thrown, name);
    }
  }
  const real = (reading.failures as Maybe[]).slice(before).filter((one) => one.when === undefined);
  for (const name of sent.keys()) {
    if (members.some((one) => sentName(one) === name)) continue;
    reading.failures.push({ condition: "unknown member", field: joined(place, name) });
  }
  if (real.some((one) => reading.ignored?.has(one.condition) !== true)) throw new Told();
  return values;
}

function readMember(reading: Reading, member: Member, sent: Json, place: Place): Value {
  if (member.need === "no") {
    if (sent !== undefined) throw new Bad("not settable");
    return undefined;
  }
  const raw = sent === undefined && member.need === "nested" ? new Map<string, Json>() : sent;
  const inner = { name: member.unnamed ? place.name : joined(place, sentName(member)) };
  const value = member.read(reading, raw, inner);
  if (value === undefined && member.need === "needed") throw new Bad("absent");
  return value;
}

function needOf(given: Field["create"]): Pick<Member, "need" | "when"> {
  switch (given.is) {
    case "required":
      return { need: "needed" };
    case "optional":
    case "merged":
      return { need: "optional" };
    case "required when":
      return { need: "optional", when: given };
    case "gap":
      return { need: "optional" };
    case "no":
      return { need: "no" };
  }
}

/** The members of a resource or part that a client may give. */
function fieldMembers(
  { name: holder, fields }: { readonly name: string; readonly fields: readonly Field[] },
  mode: "new" | "changed" | "said",
  isMerged = false,
): readonly Member[] {
  return fields.map((field) => {
    const filled = /"kind":"(starts|set|random)"/.test(JSON.stringify(field.rules));
    const said = { is: field.type.orAbsent || filled ? "optional" : "required" } as const;
    const given = mode === "new" ? field.create : mode === "said" ? said : field.update;
    const rules =
      mode === "changed" ? field.rules.filter((rule) => rule.kind !== "absent means") : field.rules;
    return {
      name: field.name,
      ...(field.sentAs === undefined || mode === "said" ? {} : { sent: field.sentAs }),
      ...needOf(given),
      read: (reading, sent, place) => {
        if (given.is === "gap") throw new Bad("refused", given);
        if (field.gap !== undefined) throw new Bad("refused", { is: "gap", gap: field.gap });
        const { type } = field;
        if (isMerged && sent === null && type.orAbsent) return null;
        return readValue(
          reading,
          { type, rules, sent },
          {
            ...place,
            holder: `${holder}.${field.name}`,
            said: mode === "said",
            merged: given.is === "merged" || isMerged,
          },
        );
      },
    };
  });
}

readPartsWith((reading, sent, place, part, mode) =>
  readObject(reading, sent, place, fieldMembers(part, mode, mode === "changed")),
);

interface Branch {
  readonly inside: Map<string, Branch>;
  readonly leaves: Member[];
  readonly order: string[];
  rules: readonly Rule[];
  /** Whether it is the object that a Body bullet names. */
  named: boolean;
}

function newBranch(): Branch {
  return { inside: new Map(), leaves: [], order: [], rules: [], named: false };
}

function branchAt(root: Branch, path: readonly string[]): Branch {
  let branch = root;
  for (const name of path) {
    let next = branch.inside.get(name);
    if (next === undefined) {
      const hidden = branch.leaves.findIndex((one) => one.need === "no" && sentName(one) === name);
      if (hidden >= 0) {
        branch.leaves.splice(hidden, 1);
        branch.order.splice(branch.order.indexOf(name), 1);
      }
      next = newBranch();
      branch.inside.set(name, next);
      branch.order.push(name);
    }
    branch = next;
  }
  return branch;
}

function addLeaf(branch: Branch, member: Member): void {
  branch.leaves.push(member);
  branch.order.push(member.name);
}

/** What is not shown of an input's place is met by all, of its type by who sends it. */
function meetGaps(input: Input | undefined, sent: Json): void {
  const gap = input?.gaps?.in ?? (sent === undefined ? undefined : input?.gaps?.type);
  if (gap !== undefined) throw new Bad("refused", { is: "gap", gap });
}

/** Whether it must be sent is not shown: who leaves it out meets that. */
function meetLack(input: Input | undefined): void {
  const gap = input?.gaps?.needed;
  if (gap !== undefined) throw new Bad("refused", { is: "gap", gap });
}

function valueMember(name: string, type: ValueType, rules: readonly Rule[], input?: Input): Member {
  const optional = input === undefined ? type.orAbsent : input.needed !== "yes";
  return {
    name,
    ...(input?.sentAs === undefined ? {} : { sent: input.sentAs }),
    need: optional ? "optional" : "needed",
    unnamed: input === undefined,
    read: (reading, sent, place) => {
      meetGaps(input, sent);
      const value = readValue(reading, { type, rules, sent }, place);
      if (value === undefined) meetLack(input);
      return value;
    },
  };
}

/** What the body may hold, by the Body bullet and the rows of the input table. */
function bodyTree(work: Work, endpoint: Endpoint): Branch {
  const root = newBranch();
  if (endpoint.body.is === "stated") {
    const { member, content, rules } = endpoint.body.value;
    const path = member?.split(".") ?? [];
    if (content.is === "type") {
      const name = path.pop() ?? "";
      addLeaf(branchAt(root, path), valueMember(name, content.type, rules));
    } else {
      const branch = branchAt(root, path);
      const resource = work.plan.resources.find((one) => one.name === content.resource);
      branch.named = true;
      branch.rules = rules;
      for (const one of fieldMembers(resource ?? { name: "", fields: [] }, content.is)) {
        addLeaf(branch, one);
      }
    }
  }
  for (const input of endpoint.inputs.filter((one) => one.in === "body")) {
    const path = input.name.split(".");
    const name = path.pop() ?? "";
    const branch = branchAt(root, path);
    // A row of the table stands in the place of a field that no client gives.
    const hidden = branch.leaves.findIndex(
      (one) => one.name === name || sentName(one) === (input.sentAs ?? name),
    );
    if (hidden >= 0) {
      const [gone] = branch.leaves.splice(hidden, 1);
      branch.order.splice(branch.order.indexOf(gone?.name ?? ""), 1);
    }
    addLeaf(branch, valueMember(name, input.type, input.rules, input));
  }
  return root;
}

/** Whether some member of the object must be given; if not, the object need not be sent. */
function needsSomething(branch: Branch): boolean {
  return (
    branch.leaves.some((one) => one.need === "needed") ||
    [...branch.inside.values()].some((one) => one.named || needsSomething(one))
  );
}

function readBranch(reading: Reading, branch: Branch, sent: Json, place: Place): Value {
  if (sent === undefined) return undefined;
  if (sent === null) throw new Bad("null");
  const members = branch.order.map((name): Member => {
    const leaf = branch.leaves.find((one) => one.name === name);
    const inside = branch.inside.get(name);
    if (leaf !== undefined || inside === undefined) return leaf as Member;
    const need = inside.named ? "needed" : "nested";
    return {
      name,
      need,
      unnamed: inside.named,
      read: (inner, value, at) => readBranch(inner, inside, value, at),
    };
  });
  const value = readObject(reading, sent, place, members);
  for (const rule of branch.rules) {
    if (rule.kind === "at least one member" && (value as ReadonlyMap<string, Value>).size === 0) {
      throw new Bad("no member given");
    }
  }
  return value;
}

/** Everything that a request gives to an endpoint. */
export function readInputs(work: Work, endpoint: Endpoint, sent: Sent): Inputs {
  const failures: Maybe[] = [];
  const base = { plan: work.plan, names: work.names([]), host: work, failures };
  const text: Reading = { ...base, form: "text" };
  const { nesting } = work.plan.about;
  const style = nesting.is === "stated" ? nesting.value : undefined;
  const own = [
    ...ownParameters(work, endpoint),
    ...endpoint.inputs.filter((one) => one.in === "query").map((one) => one.sentAs ?? one.name),
  ];
  const pairs = queryPairs(sent.query);
  const tree = pairs && nestedTree(pairs, style, own);
  if (tree === undefined) failures.push({ condition: "malformed query", field: null });
  const content = readContent(work, endpoint, sent, failures);
  const [path, query, cookie] = [
    new Map<string, Value>(sent.params),
    new Map<string, Value>(),
    new Map<string, Value>(),
  ];
  const header = new Map<string, Value>(sent.headers);
  for (const place of ["path", "query", "header", "cookie"] as const) {
    const into = { path, query, header, cookie }[place];
    for (const input of endpoint.inputs.filter((one) => one.in === place)) {
      const isPlaced = input.gaps?.in === undefined;
      if (place === "query" && tree === undefined && isPlaced) continue;
      const before = failures.length;
      readNamed(text, input, textSent(input, sent, tree?.values), into);
      if (place === "query") rename(failures, before, style);
    }
  }
  const ignored = ignoredConditions(work, endpoint);
  const form = isForm(formatOf(work, endpoint)) ? "text" : "json";
  const start = failures.length;
  const json: Reading = { ...base, form, ignored };
  const body =
    content === undefined
      ? undefined
      : readBody(json, bodyTree(work, endpoint), content.tree, endpoint);
  if (form === "text") rename(failures, start, style, content?.tree);
  const wrapper = endpoint.body.is === "stated" ? endpoint.body.value.member : undefined;
  for (const name of content?.repeated ?? []) {
    const inside = wrapper !== undefined && name.startsWith(`${wrapper}.`);
    const outer = wrapper?.split(".").slice(0, -1) ?? [];
    failures.push({
      condition: "repeated member",
      field: inside ? [...outer, name.slice(wrapper.length + 1)].join(".") : name,
    });
  }
  for (const name of tree?.repeated ?? []) {
    failures.push({ condition: "repeated query parameter", field: name });
  }
  for (const name of tree?.values.keys() ?? []) {
    if (own.includes(name)) continue;
    if (nesting.is === "gap" && /[[.]/.test(name)) {
      failures.push({ condition: "refused", field: null, refusal: nesting });
    } else failures.push({ condition: "unknown query parameter", field: name });
  }
  const real = failures.filter(
    (one) =>
      !ignored.has(one.condition) &&
      (one.when?.is !== "required when" || body === undefined
        ? one.when === undefined
        : evaluate(one.when.condition.code, work.names([["body", one.of]]), work) === true),
  );
  return {
    path,
    query,
    header,
    cookie,
    body,
    failures: real.map(({ condition, field, refusal }) => ({ condition, field, refusal })),
  };
}

/** What a query carries besides inputs: credentials, where somebody has to be known. */
function ownParameters({ plan }: Work, { who }: Endpoint): readonly string[] {
  const isAsked =
    who.is === "stated" &&
    who.value.some((name) =>
      plan.actors.some((one) => one.name === name && one.holds.is !== "always"),
    );
  return isAsked
    ? plan.schemes.flatMap(({ sent }) =>
        sent.is === "stated" && sent.value.in === "query" ? [sent.value.name] : [],
      )
    : [];
}

function ignoredConditions(work: Work, endpoint: Endpoint): ReadonlySet<string> {
  const answers = new Map(
    [...work.plan.failures, ...endpoint.failures].map((row) => [row.condition, row.answer.is]),
  );
  return new Set([...answers].filter(([, is]) => is === "ignored").map(([name]) => name));
}

function readBody(reading: Reading, tree: Branch, sent: Json, endpoint: Endpoint): Value {
  const whole =
    endpoint.body.is === "stated" &&
    endpoint.body.value.member === undefined &&
    endpoint.body.value.content.is === "type"
      ? tree.leaves[0]
      : undefined;
  try {
    return whole === undefined
      ? readBranch(reading, tree, sent, { name: "" })
      : whole.read(reading, sent, { name: "" });
  } catch (thrown) {
    tell(reading, thrown, null);
    return undefined;
  }
}

function textSent(input: Input, sent: Sent, values: ReadonlyMap<string, Json> | undefined): Json {
  const isList = input.type.type.kind === "list";
  const own = input.sentAs ?? input.name;
  switch (input.in) {
    case "path":
      return sent.params.get(input.name);
    case "cookie":
      return cookieOf(sent.headers.get("cookie"), own);
    case "header": {
      const value = sent.headers.get(input.name.toLowerCase());
      return isList ? value?.split(",").map((one) => one.trim()) : value;
    }
    default:
      return values?.get(own);
  }
}

const HOLDS: readonly string[] = ["list", "map", "structure"];

function readNamed(reading: Reading, input: Input, sent: Json, into: Map<string, Value>): void {
  const name = input.in === "header" ? input.name.toLowerCase() : input.name;
  into.delete(name);
  try {
    if (Array.isArray(sent) && input.in === "query" && !HOLDS.includes(input.type.type.kind)) {
      throw new Bad("repeated query parameter");
    }
    meetGaps(input, sent);
    const { type, rules } = input;
    const value = readValue(reading, { type, rules, sent }, { name: input.sentAs ?? input.name });
    if (value === undefined && input.needed === "yes") throw new Bad("absent");
    if (value === undefined) meetLack(input);
    if (value === undefined) return;
    into.set(name, value);
    into.set(input.name, value);
  } catch (thrown) {
    tell(reading, thrown, input.sentAs ?? input.name);
  }
}

function formatOf({ plan }: Work, endpoint: Endpoint): string | undefined {
  const { bodyFormat } = plan.about;
  return endpoint.format ?? (bodyFormat.is === "stated" ? bodyFormat.value : undefined);
}

function isForm(format: string | undefined): boolean {
  return (
    format !== undefined &&
    /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(format)
  );
}

/** Names of the members of a body that are files. */
function fileNames(work: Work, { body, inputs }: Endpoint): ReadonlySet<string> {
  const isFile = ({ type }: ValueType): boolean =>
    type.kind === "file" || (type.kind === "list" && isFile(type.of));
  const rows = inputs.filter((one) => one.in === "body");
  const { content, member = "" } = body.is === "stated" ? body.value : { content: undefined };
  const fields =
    content === undefined || content.is === "type"
      ? []
      : (work.plan.resources.find((one) => one.name === content.resource)?.fields ?? []);
  const own = content?.is === "type" ? [{ name: member, type: content.type }] : [];
  const all = [...rows, ...fields, ...own].filter((one) => isFile(one.type));
  return new Set(all.map((one) => ("sentAs" in one && one.sentAs) || one.name));
}

/** A form as a tree: each name with its text, or with a list of its texts. */
function formTree({ plan }: Work, text: string): ReturnType<typeof parse> {
  const pairs = queryPairs(text);
  const { nesting } = plan.about;
  const made = pairs && nestedTree(pairs, nesting.is === "stated" ? nesting.value : undefined, []);
  return made && { tree: made.values, repeated: made.repeated };
}

/** The tree of the body, or undefined where there is none to read. */
function readContent(
  work: Work,
  endpoint: Endpoint,
  sent: Sent,
  failures: Maybe[],
): ReturnType<typeof parse> {
  const fail = (condition: string): undefined => {
    failures.push({ condition, field: null });
  };
  const { body } = endpoint;
  const isSent = sent.body.length > 0;
  const rows = endpoint.inputs.filter((one) => one.in === "body");
  const writes = ["POST", "PUT", "PATCH"].includes(endpoint.method);
  if (body.is === "gap" && (isSent || writes)) {
    failures.push({ condition: "refused", field: null, refusal: body });
    return undefined;
  }
  if (body.is !== "stated" && rows.length === 0) {
    return isSent ? fail("body not expected") : undefined;
  }
  const stated = body.is === "stated" ? body.value : undefined;
  const isWhole = stated?.content.is === "type" && stated.member === undefined;
  if (!isSent) {
    const tree = bodyTree(work, endpoint);
    const needed = isWhole || needsSomething(tree);
    return needed ? fail("body absent") : { tree: new Map(), repeated: [] };
  }
  const { bodyFormat } = work.plan.about;
  const format = formatOf(work, endpoint);
  if (format === undefined && bodyFormat.is === "gap") {
    failures.push({ condition: "refused", field: null, refusal: bodyFormat });
    return undefined;
  }
  if (format !== undefined && !isSameMedia(sent.headers.get("content-type"), format)) {
    return fail("other media type");
  }
  try {
    if (/^multipart\//i.test(format ?? "")) {
      const type = sent.headers.get("content-type") ?? "";
      return multipartTree(sent.body, type, fileNames(work, endpoint)) ?? fail("malformed body");
    }
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(sent.body);
    return (isForm(format) ? formTree(work, text) : parse(text)) ?? fail("malformed body");
  } catch {
    return fail("malformed body");
  }
}
