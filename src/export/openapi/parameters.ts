/** Parameters of an operation: of its path, its inputs, and headers that its steps read. */
import {
  type Endpoint,
  everyStep,
  gapOf,
  type Input,
  isStated,
  type PathSegment,
  type Step,
  sentName,
  statedOf,
  whyNotCompared,
} from "../../plan/index.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import { ruledSchema } from "../schemas/rules.ts";
import { typeSchema } from "../schemas/types.ts";
import type { World } from "../schemas/world.ts";

type Parameter = JsonObject & { readonly name: string; readonly in: string };

/** The schema of an input, or what stands where its type is not shown. */
function inputSchema(w: World, input: Input): JsonObject {
  const gap = input.gaps?.type;
  if (gap !== undefined) return { "x-lacuna-gap": w.gap(gap) };
  const { type, rules } = input;
  return ruledSchema(w, { ...type, rules }, { mode: "new", form: "text" });
}

const COMPOUND = new Set(["map", "structure"]);

/** How a value stands in its place. */
function styled(w: World, input: Input, schema: JsonObject): JsonObject {
  const { kind } = input.type.type;
  if (input.gaps?.type !== undefined) return { schema };
  if (kind === "json") return { content: { "application/json": { schema } } };
  if (input.in === "query" && COMPOUND.has(kind)) {
    const nesting = w.plan.about.nesting;
    const gap = gapOf(nesting);
    if (statedOf(nesting) === "brackets") return { schema, style: "deepObject", explode: true };
    if (gap !== undefined) return { schema, "x-lacuna-gap": w.gap(gap) };
    return { schema, "x-lacuna-nested-names": statedOf(nesting) ?? "none" };
  }
  if (kind !== "list") return { schema };
  if (input.in === "query") return { schema, style: "form", explode: true };
  return input.in === "header" ? { schema, style: "simple" } : { schema };
}

function ofInput(w: World, input: Input): Parameter | undefined {
  if (input.in === "body" || input.gaps?.in !== undefined) return undefined;
  const { needed, gaps } = input;
  const name = input.in === "header" || input.in === "path" ? input.name : sentName(input);
  const fills = input.rules.some(({ kind }) => kind === "absent means");
  const isNeeded = input.in === "path" || (needed === "yes" && !fills);
  const mark = gaps?.needed === undefined ? {} : { "x-lacuna-gap": w.gap(gaps.needed) };
  return {
    name,
    in: input.in,
    ...(isNeeded ? { required: true } : {}),
    ...styled(w, input, inputSchema(w, input)),
    ...mark,
  };
}

/** A parameter of the path: a row of the inputs, else what finds a row, else text. */
function ofPath(w: World, endpoint: Endpoint, segment: PathSegment, name: string): Parameter[] {
  if ("literal" in segment) return [];
  const { param, rest } = segment;
  const row = endpoint.inputs.find((one) => one.in === "path" && one.name === param);
  const own = row && ofInput(w, row);
  const marks = {
    ...(rest ? { "x-lacuna-rest": true } : {}),
    ...(name === param ? {} : { "x-lacuna-name": param }),
  };
  if (own !== undefined) return [{ ...own, name, ...marks }];
  const binding = endpoint.bindings.find((one) => one.param === param);
  const field = w.resources
    .get(binding?.resource ?? "")
    ?.fields.find((one) => one.name === binding?.by);
  const type = field === undefined || field.gap !== undefined ? undefined : field.type;
  const schema =
    type === undefined
      ? { type: "string" }
      : typeSchema(w, { ...type, orNull: false }, { mode: "new", form: "text" });
  return [{ name, in: "path", required: true, schema, ...marks }];
}

const TEXT: JsonObject = { type: "string" };

/** Steps that are done for a request, those of named steps among them. */
function stepsDone({ plan }: World, steps: readonly Step[]): readonly Step[] {
  const found: Step[] = [];
  const done = new Set<string>();
  const open = [...steps];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    for (const one of everyStep([step])) {
      found.push(one);
      if (one.kind !== "do" || done.has(one.routine)) continue;
      done.add(one.routine);
      open.push(...(plan.routines.find(({ name }) => name === one.routine)?.steps ?? []));
    }
  }
  return found;
}

/** Headers and query parameters that are read besides the rows of the inputs. */
function besides(w: World, endpoint: Endpoint): Parameter[] {
  const { plan } = w;
  const found: Parameter[] = [];
  const { chosenBy, version } = plan.versioning;
  const choice = statedOf(chosenBy);
  if (choice !== undefined && choice.by !== "path") {
    const schema = isStated(version) ? { const: version.value } : TEXT;
    const required = w.answerTo("no version", endpoint) === "error";
    found.push({ name: choice.name, in: choice.by, ...(required ? { required } : {}), schema });
  }
  const { idempotency, answerTag } = endpoint;
  if (idempotency !== undefined && isStated(idempotency.header)) {
    found.push({ name: idempotency.header.value, in: "header", schema: TEXT });
  }
  const checks = stepsDone(w, [...plan.prologue, ...endpoint.steps]).some(
    ({ kind }) => kind === "check tag",
  );
  if (checks) found.push({ name: "If-Match", in: "header", required: true, schema: TEXT });
  const isCompared =
    endpoint.method === "GET" &&
    (isStated(answerTag) || whyNotCompared(plan, endpoint) === undefined);
  if (isCompared) found.push({ name: "If-None-Match", in: "header", schema: TEXT });
  return found;
}

/** All parameters; `names`: what those of the path are called, in their order. */
export function parametersOf(w: World, endpoint: Endpoint, names: readonly string[]): JsonObject {
  const inPath = endpoint.path.filter((one) => "param" in one);
  const path = inPath.flatMap((one, i) => ofPath(w, endpoint, one, names[i] ?? one.param));
  const rows = endpoint.inputs.flatMap((one) => (one.in === "path" ? [] : (ofInput(w, one) ?? [])));
  const known = new Set(rows.map((one) => keyOf(one)));
  const more = besides(w, endpoint).filter((one) => !known.has(keyOf(one)));
  const all: Json[] = [...path, ...rows, ...more];
  const hidden = endpoint.inputs.flatMap(({ name, gaps }) =>
    gaps?.in === undefined ? [] : [{ name, "x-lacuna-gap": w.gap(gaps.in) }],
  );
  return {
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(hidden.length === 0 ? {} : { "x-lacuna-inputs": hidden }),
  };
}

function keyOf({ name, in: place }: Parameter): string {
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}
