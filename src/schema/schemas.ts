/** The schemas of one document, compiled where they are needed; judges values by them. */
import { applicators, unevaluated } from "./applicators.ts";
import { assertions } from "./assertions.ts";
import { Marks } from "./marks.ts";
import { readJson } from "./read.ts";
import { readReference, schemaAt, schemasIn } from "./refs.ts";
import { always, type Call, type Compiler, DEPTH_MAX, never, type Run } from "./run.ts";
import { saysTexts, type TextForm, textForm } from "./text-form.ts";
import { isObject, type Tree, type TreeObject } from "./tree.ts";

/** A schema as a plan has it: its text, or the gap where it is not shown. */
interface SchemaText {
  readonly name: string;
  readonly text?: string | undefined;
  readonly gap?: string | undefined;
}

/** Whether a value is as its schema says; `gap`: that is not shown. */
type Verdict = "valid" | "invalid" | { readonly gap: string };

export class Schemas implements Compiler {
  private readonly texts: ReadonlyMap<string, SchemaText>;
  private readonly trees = new Map<string, Tree>();
  private readonly runs = new Map<Tree, Run>();
  private readonly references = new Map<string, Run>();
  private anchors: ReadonlyMap<string, Tree> | undefined;

  constructor(all: readonly SchemaText[]) {
    this.texts = new Map(all.map((one) => [one.name, one]));
  }

  /** Judges a value by a schema. Total: takes time linear in the value times the schemas met. */
  judge(name: string, value: Tree): Verdict {
    const call: Call = { depth: 0, tooDeep: false, known: new Map() };
    const holds = this.named(name)(value, call, undefined);
    if (call.gap !== undefined) return { gap: call.gap };
    return holds && !call.tooDeep ? "valid" : "invalid";
  }

  /** How a text stands for a value; undefined: the schema does not say. */
  textForm(name: string): TextForm | undefined {
    return textForm(this.find, this.tree(name));
  }

  /** Whether it is said for every member and item of a value, too. */
  saysTexts(name: string): boolean {
    return saysTexts(this.find, this.tree(name));
  }

  private readonly find = (reference: string): Tree | undefined => this.target(reference);

  schema(node: Tree): Run {
    if (!isObject(node)) return node === false ? never : always;
    const known = this.runs.get(node);
    if (known !== undefined) return known;
    const run = this.compile(node);
    this.runs.set(node, run);
    return run;
  }

  /** A schema behind a reference is compiled when a value comes to it, and judges each once. */
  reference(text: string): Run {
    const known = this.references.get(text);
    if (known !== undefined) return known;
    let target: Run | undefined;
    const run: Run = (value, call, marks) => {
      target ??= this.behind(text);
      const values = call.known.get(target) ?? new Map();
      call.known.set(target, values);
      let found = values.get(value);
      if (found === undefined || (marks !== undefined && found.marks === undefined)) {
        const own = marks && new Marks();
        found = { holds: target(value, call, own), marks: own };
        values.set(value, found);
      }
      if (found.holds && found.marks !== undefined) marks?.add(found.marks);
      return found.holds;
    };
    this.references.set(text, run);
    return run;
  }

  private compile(node: TreeObject): Run {
    const checks: Run[] = [];
    for (const [keyword, build] of assertions) {
      const value = node.get(keyword);
      if (value !== undefined) checks.push(build(value));
    }
    for (const [keyword, build] of applicators) {
      const value = node.get(keyword);
      if (value !== undefined) checks.push(build(value, node, this));
    }
    const last = unevaluated.flatMap(([keyword, build]) => {
      const value = node.get(keyword);
      return value === undefined ? [] : [build(value, node, this)];
    });
    const all = [...checks, ...last];
    return (value, call, marks) => {
      if (call.depth >= DEPTH_MAX) {
        call.tooDeep = true;
        return false;
      }
      call.depth++;
      const own = last.length > 0 ? new Marks() : marks;
      let holds = true;
      for (let i = 0; holds && i < all.length; i++) holds = (all[i] ?? never)(value, call, own);
      call.depth--;
      if (holds && own !== marks && own !== undefined) marks?.add(own);
      return holds;
    };
  }

  private named(name: string): Run {
    const gap = this.texts.get(name)?.gap;
    if (gap !== undefined) return meet(gap);
    return this.schema(this.tree(name) ?? true);
  }

  private behind(text: string): Run {
    const read = readReference(text);
    const gap = read.is === "pointer" ? this.texts.get(read.name)?.gap : undefined;
    return gap === undefined ? this.schema(this.target(text) ?? true) : meet(gap);
  }

  /** The schema that a reference names. */
  private target(text: string): Tree | undefined {
    const read = readReference(text);
    if (read.is === "wrong") return undefined;
    if (read.is === "anchor") return this.anchored().get(read.anchor);
    const root = this.tree(read.name);
    return root === undefined ? undefined : schemaAt(root, read.path);
  }

  private tree(name: string): Tree | undefined {
    const known = this.trees.get(name);
    if (known !== undefined) return known;
    const text = this.texts.get(name)?.text;
    const read = text === undefined ? undefined : readJson(text);
    if (read?.ok !== true) return undefined;
    this.trees.set(name, read.value);
    return read.value;
  }

  private anchored(): ReadonlyMap<string, Tree> {
    this.anchors ??= anchorsOf([...this.texts.keys()].map((name) => this.tree(name) ?? true));
    return this.anchors;
  }
}

function meet(gap: string): Run {
  return (_, call) => {
    call.gap ??= gap;
    return false;
  };
}

/** The schemas with an `$anchor`, by it. */
function anchorsOf(roots: readonly Tree[]): ReadonlyMap<string, Tree> {
  const found = new Map<string, Tree>();
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isObject(node)) continue;
    const anchor = node.get("$anchor");
    if (typeof anchor === "string" && !found.has(anchor)) found.set(anchor, node);
    for (const { schema } of schemasIn(node)) open.push(schema);
  }
  return found;
}
