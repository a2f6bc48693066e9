/** Rule: what an endpoint takes from a request is used. */
import { type Code, partsOf, references } from "../../expr/index.ts";
import { type Endpoint, type ItemId, isNesting, isStated } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { endpointKey, type Placed } from "./places.ts";

/** All code below a value of the service, outermost codes only. */
function* codesIn(value: unknown): Generator<Code> {
  if (typeof value !== "object" || value === null) return;
  if ("op" in value && "type" in value) {
    yield value as Code;
    return;
  }
  for (const inner of Object.values(value)) yield* codesIn(inner);
}

interface Used {
  /** Names read as a whole or in part. */
  readonly names: Set<string>;
  /** Members, as `body:KEY.member`. */
  readonly members: Set<string>;
}

/** What a step itself reads, without the steps nested in it. */
function ownParts({ step }: Placed): unknown {
  if (!isNesting(step)) return step;
  switch (step.kind) {
    case "when":
      return step.condition;
    case "cases":
      return step.subjects;
    case "for each":
      return step.in;
    case "any order":
      return undefined;
  }
}

function usedBy(c: RuleContext): Map<string, Used> {
  const found = new Map<string, Used>();
  const add = (id: string, part: unknown) => {
    const used = found.get(id) ?? { names: new Set(), members: new Set() };
    found.set(id, used);
    for (const code of codesIn(part)) {
      const read = references(code);
      for (const name of read.names) used.names.add(name);
      for (const one of read.members) used.members.add(`${one.of}.${one.member}`);
      if (code.op === "name") used.members.add(code.name);
      for (const whole of wholes(code)) used.members.add(whole);
    }
  };
  for (const placed of c.steps) {
    if (placed.owner.endpoint !== undefined) add(placed.owner.id, ownParts(placed));
  }
  for (const endpoint of c.service.endpoints) add(endpoint.id, endpoint.bindings);
  return found;
}

/** Objects that are read as a whole: `body` or `query`, not `body.name`. */
function wholes(code: Code, below = false): string[] {
  if (code.op === "name") return below ? [] : [code.name];
  if (code.op === "get" || code.op === "has") return wholes(code.of, true);
  return partsOf(code).flatMap((part) => wholes(part));
}

/** The input as an expression reads it: a name of a body nests, any other with dots is quoted. */
function readOf({ in: place, name }: Endpoint["inputs"][number]): string {
  const plain = place === "body" ? /^[\w.]+$/ : /^\w+$/;
  return plain.test(name) ? `${place}.${name}` : `${place}["${name}"]`;
}

/** How the items of inputs begin that every endpoint reads. */
const SHARED = "endpoints/every endpoint/";

/** Inputs by their items: those of a group are read by several endpoints. */
type Reads = Map<ItemId, { readonly message: string; readonly hint: string; isUsed: boolean }>;

/** The names of objects that the body of an endpoint may be. */
function bodiesOf({ body }: Endpoint): readonly string[] {
  if (!isStated(body) || body.value.content.is === "type") return [];
  const { is, resource } = body.value.content;
  return [`${is}:${resource}`];
}

function unused(c: RuleContext, endpoint: Endpoint, used: Used, reads: Reads): void {
  const key = endpointKey(endpoint);
  const has = (place: string, name: string) =>
    used.members.has(place) || used.members.has(`${place}:${key}.${name}`);
  // The object that a body is which makes or changes a resource, with rows of the table beside.
  const wholeBodies = bodiesOf(endpoint).map((name) => `${name} with ${key}`);
  const bound = new Set(endpoint.bindings.map((one) => one.param));
  for (const segment of endpoint.path) {
    if (!("param" in segment) || bound.has(segment.param) || has("path", segment.param)) continue;
    if (used.members.has(`path:${key} in bullets.${segment.param}`)) continue;
    report(c, {
      code: "path-unused",
      severity: "warning",
      at: endpoint.id,
      message: `The path parameter \`{${segment.param}}\` is never used.`,
      hint: `Write a bullet \`Path\` for it, or read \`path.${segment.param}\` in a step.`,
    });
  }
  for (const input of endpoint.inputs) {
    const inside = input.in === "body" ? input.name.split(".") : [input.name];
    const last = inside.at(-1) ?? "";
    const objects = inside.slice(0, -1).map((_, i) => inside.slice(0, i + 1).join("."));
    const holder = objects.length === 0 ? `${input.in}:${key}` : `body:${key}.${objects.at(-1)}`;
    const read =
      used.members.has(input.in) ||
      used.members.has(`${holder}.${last}`) ||
      (holder === `body:${key}` && wholeBodies.some((one) => used.members.has(`${one}.${last}`))) ||
      (input.in === "header" && used.members.has(`${holder}.${last.toLowerCase()}`));
    const header = endpoint.idempotency?.header;
    // Where it is not shown which header carries the key, it may be any.
    const isKey =
      input.in === "header" &&
      (header?.is === "gap" ||
        (isStated(header) && input.name.toLowerCase() === header.value.toLowerCase()));
    // A rule that says which values a request may come with is a use.
    const judges = input.rules.some(({ kind }) => kind === "matches" || kind === "holds");
    const found = reads.get(input.id) ?? {
      message: `\`${key}\` reads \`${input.name}\` and does nothing with it.`,
      hint: `Use \`${readOf(input)}\` in a step, or take the row away.`,
      isUsed: input.id.startsWith(SHARED) || input.in === "path",
    };
    found.isUsed ||= read || isKey || judges;
    reads.set(input.id, found);
  }
}

/** Parameters in the path of a stream that decide nothing of what is seen. */
function unusedOfStreams(c: RuleContext): void {
  for (const { name, path, sees, seesByAbout, bindings = [] } of c.service.streams) {
    if (!isStated(path) || !isStated(sees)) continue;
    const codes = [...codesIn([sees.value, seesByAbout])];
    const read = new Set(
      codes.flatMap((code) => references(code).members.map((one) => `${one.of}.${one.member}`)),
    );
    const bound = new Set(bindings.map((one) => one.param));
    for (const [, param = ""] of path.value.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)) {
      if (bound.has(param) || read.has(`path:${name}.${param}`)) continue;
      report(c, {
        code: "path-unused",
        severity: "warning",
        at: path.id,
        message: `The path parameter \`{${param}}\` is never used.`,
        hint: `Read \`path.${param}\` in \`Sees\`: any value of it opens the stream.`,
      });
    }
  }
}

/** Whether all of the endpoint is known: neither a gap nor an error hides what it reads. */
function whollyKnown(c: RuleContext, endpoint: Endpoint): boolean {
  if (endpoint.steps.some((step) => step.kind === "gap")) return false;
  const section = c.sections.get(endpoint.id);
  return !c.findings.some(
    ({ severity, code, span }) =>
      severity === "error" &&
      code !== "silent" &&
      section !== undefined &&
      span.start >= section.start &&
      span.end <= section.end,
  );
}

/** Reports `path-unused`, `input-unused`. */
export const reads: Rule = (c) => {
  const used = usedBy(c);
  const found: Reads = new Map();
  const hidden = new Set<ItemId>();
  for (const endpoint of c.service.endpoints) {
    const mine = used.get(endpoint.id);
    if (mine !== undefined && whollyKnown(c, endpoint)) unused(c, endpoint, mine, found);
    else for (const { id } of endpoint.inputs) hidden.add(id);
  }
  for (const [at, { isUsed, ...said }] of found) {
    if (isUsed || hidden.has(at)) continue;
    report(c, { code: "input-unused", severity: "warning", at, ...said });
  }
  unusedOfStreams(c);
};
