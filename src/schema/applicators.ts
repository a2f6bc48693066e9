/** Keywords that apply schemas to a value, or to what is in it. */
import { countOf } from "./assertions.ts";
import { Marks } from "./marks.ts";
import { readPattern } from "./pattern.ts";
import { type Compiler, never, type Run } from "./run.ts";
import { isList, isObject, type Tree, type TreeObject } from "./tree.ts";

type Build = (keyword: Tree, around: TreeObject, compiler: Compiler) => Run;

const runsOf = (keyword: Tree, compiler: Compiler): readonly Run[] =>
  isList(keyword) ? keyword.map((one) => compiler.schema(one)) : [];

function entriesOf(keyword: Tree | undefined, compiler: Compiler): (readonly [string, Run])[] {
  const all = isObject(keyword) ? [...keyword] : [];
  return all.map(([name, schema]) => [name, compiler.schema(schema)] as const);
}

const allOf: Build = (keyword, _, compiler) => {
  const runs = runsOf(keyword, compiler);
  return (value, call, marks) => runs.every((run) => run(value, call, marks));
};

/** Judges with marks of its own, which count where the value holds. */
function apart(run: Run): Run {
  return (value, call, marks) => {
    if (marks === undefined) return run(value, call, undefined);
    const own = new Marks();
    if (!run(value, call, own)) return false;
    marks.add(own);
    return true;
  };
}

const anyOf: Build = (keyword, _, compiler) => {
  const runs = runsOf(keyword, compiler).map(apart);
  return (value, call, marks) => {
    if (marks === undefined) return runs.some((run) => run(value, call, undefined));
    // All of them: each that holds has looked at something.
    return runs.filter((run) => run(value, call, marks)).length > 0;
  };
};

const oneOf: Build = (keyword, _, compiler) => {
  const runs = runsOf(keyword, compiler).map(apart);
  return (value, call, marks) => {
    let held = 0;
    for (const run of runs) if (run(value, call, marks) && ++held > 1) return false;
    return held === 1;
  };
};

const not: Build = (keyword, _, compiler) => {
  const run = compiler.schema(keyword);
  return (value, call) => !run(value, call, undefined);
};

const ifThenElse: Build = (keyword, around, compiler) => {
  const test = apart(compiler.schema(keyword));
  const then = compiler.schema(around.get("then") ?? true);
  const otherwise = compiler.schema(around.get("else") ?? true);
  return (value, call, marks) =>
    test(value, call, marks) ? then(value, call, marks) : otherwise(value, call, marks);
};

const dependentSchemas: Build = (keyword, _, compiler) => {
  const entries = entriesOf(keyword, compiler);
  return (value, call, marks) =>
    !isObject(value) || entries.every(([name, run]) => !value.has(name) || run(value, call, marks));
};

const prefixItems: Build = (keyword, _, compiler) => {
  const runs = runsOf(keyword, compiler);
  return (value, call, marks) => {
    if (!isList(value)) return true;
    const count = Math.min(runs.length, value.length);
    for (let at = 0; at < count; at++) {
      if (!(runs[at] ?? never)(value[at] ?? null, call, undefined)) return false;
    }
    if (marks !== undefined) marks.upTo = Math.max(marks.upTo, count);
    return true;
  };
};

const items: Build = (keyword, around, compiler) => {
  const run = compiler.schema(keyword);
  const before = around.get("prefixItems");
  const from = isList(before) ? before.length : 0;
  return (value, call, marks) => {
    if (!isList(value)) return true;
    for (let at = from; at < value.length; at++) {
      if (!run(value[at] ?? null, call, undefined)) return false;
    }
    if (marks !== undefined) marks.allItems = true;
    return true;
  };
};

const contains: Build = (keyword, around, compiler) => {
  const run = compiler.schema(keyword);
  const least = countOf(around.get("minContains")) ?? 1;
  const most = countOf(around.get("maxContains")) ?? Number.POSITIVE_INFINITY;
  return (value, call, marks) => {
    if (!isList(value)) return true;
    let count = 0;
    for (const [at, item] of value.entries()) {
      if (!run(item, call, undefined)) continue;
      marks?.items.add(at);
      if (++count > most) return false;
      if (marks === undefined && count >= least && most === Number.POSITIVE_INFINITY) return true;
    }
    return count >= least;
  };
};

const properties: Build = (keyword, _, compiler) => {
  const runs = new Map(entriesOf(keyword, compiler));
  return (value, call, marks) => {
    if (!isObject(value)) return true;
    for (const [name, one] of value) {
      const run = runs.get(name);
      if (run === undefined) continue;
      if (!run(one, call, undefined)) return false;
      marks?.names.add(name);
    }
    return true;
  };
};

type Named = (name: string) => boolean;

function patternsOf(keyword: Tree | undefined): Named[] {
  const names = isObject(keyword) ? [...keyword.keys()] : [];
  return names.map((name) => {
    const read = readPattern(name);
    return read.ok ? read.test : () => false;
  });
}

const patternProperties: Build = (keyword, _, compiler) => {
  const tests = patternsOf(keyword);
  const runs = entriesOf(keyword, compiler).map(([, run], i) => [tests[i] as Named, run] as const);
  return (value, call, marks) => {
    if (!isObject(value)) return true;
    for (const [name, one] of value) {
      for (const [isNamed, run] of runs) {
        if (!isNamed(name)) continue;
        if (!run(one, call, undefined)) return false;
        marks?.names.add(name);
      }
    }
    return true;
  };
};

const additionalProperties: Build = (keyword, around, compiler) => {
  const run = compiler.schema(keyword);
  const stated = around.get("properties");
  const known = isObject(stated) ? stated : new Map<string, Tree>();
  const tests = patternsOf(around.get("patternProperties"));
  return (value, call, marks) => {
    if (!isObject(value)) return true;
    for (const [name, one] of value) {
      if (known.has(name) || tests.some((isNamed) => isNamed(name))) continue;
      if (!run(one, call, undefined)) return false;
      marks?.names.add(name);
    }
    return true;
  };
};

const propertyNames: Build = (keyword, _, compiler) => {
  const run = compiler.schema(keyword);
  return (value, call) =>
    !isObject(value) || [...value.keys()].every((name) => run(name, call, undefined));
};

const unevaluatedProperties: Build = (keyword, _, compiler) => {
  const run = compiler.schema(keyword);
  return (value, call, marks) => {
    if (!isObject(value)) return true;
    for (const [name, one] of value) {
      if (marks?.hasName(name) !== true && !run(one, call, undefined)) return false;
    }
    if (marks !== undefined) marks.allNames = true;
    return true;
  };
};

const unevaluatedItems: Build = (keyword, _, compiler) => {
  const run = compiler.schema(keyword);
  return (value, call, marks) => {
    if (!isList(value)) return true;
    for (const [at, item] of value.entries()) {
      if (marks?.hasItem(at) !== true && !run(item, call, undefined)) return false;
    }
    if (marks !== undefined) marks.allItems = true;
    return true;
  };
};

const reference: Build = (keyword, _, compiler) =>
  compiler.reference(typeof keyword === "string" ? keyword : "");

/** In the order in which they are judged. */
export const applicators: readonly (readonly [string, Build])[] = [
  ["$ref", reference],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
  ["propertyNames", propertyNames],
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
  ["dependentSchemas", dependentSchemas],
  ["allOf", allOf],
  ["if", ifThenElse],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["not", not],
];

/** Judged last: they ask what the others have looked at. */
export const unevaluated: readonly (readonly [string, Build])[] = [
  ["unevaluatedItems", unevaluatedItems],
  ["unevaluatedProperties", unevaluatedProperties],
];
