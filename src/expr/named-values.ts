/**
 * Writes out uses of named values, on trees: a use means what its text would mean in its place, so
 * that types, guards and all that reads code know nothing of it. Keeps names apart on both sides.
 */
import { type Ast, type BinaryAst, type CallAst, childrenOf, withChildren } from "./ast.ts";
import { tooLarge } from "./lexer.ts";
import { HEIGHT_MAX, TEXT_MAX } from "./parse.ts";
import type { NamedValue, Problem } from "./types.ts";
import { isMacro } from "./typing/macros.ts";

type Values = ReadonlyMap<string, NamedValue>;

interface Place {
  readonly start: number;
  readonly end: number;
}

const NONE: ReadonlySet<string> = new Set();

/** The variable of a macro, and what stands where it is known; undefined for any other node. */
function bindingOf(ast: Ast): { readonly as: string; readonly outside: Ast } | undefined {
  if (ast.kind !== "call" || !isMacro(ast) || ast.receiver === undefined) return undefined;
  const [variable] = ast.args;
  return variable?.kind === "name" ? { as: variable.name, outside: ast.receiver } : undefined;
}

/** Names that stand free in the tree. */
function freeIn(ast: Ast, found: Set<string> = new Set()): Set<string> {
  if (ast.kind === "name") found.add(ast.name);
  const binding = bindingOf(ast);
  for (const child of childrenOf(ast)) {
    if (binding === undefined || child === binding.outside) freeIn(child, found);
    else for (const name of freeIn(child)) if (name !== binding.as) found.add(name);
  }
  return found;
}

/** Every name in the tree, variables too. */
function allNames(ast: Ast, found: Set<string> = new Set()): Set<string> {
  if (ast.kind === "name") found.add(ast.name);
  for (const child of childrenOf(ast)) allNames(child, found);
  return found;
}

/** The name, with the first number behind it that makes it none of those. */
function freshName(name: string, taken: (name: string) => boolean): string {
  for (let number = 2; ; number++) if (!taken(`${name}_${number}`)) return `${name}_${number}`;
}

/** A tree in which names stand for trees, put where `at` is, or left where it is. */
interface Putting {
  readonly trees: ReadonlyMap<string, Ast>;
  /** Names that are free in those trees: no variable may be called so. */
  readonly avoid: ReadonlySet<string>;
  readonly at: Place | undefined;
}

function moved<T extends Ast>(ast: T, at: Place | undefined): T {
  if (at === undefined) return ast;
  const place = { start: at.start, end: at.end };
  if (ast.kind === "call") return { ...ast, ...place, fnStart: at.start };
  return ast.kind === "member" ? { ...ast, ...place, memberStart: at.start } : { ...ast, ...place };
}

/** The tree with other trees in place of names that stand free in it. */
function put(ast: Ast, putting: Putting): Ast {
  if (ast.kind === "name") return putting.trees.get(ast.name) ?? moved(ast, putting.at);
  const binding = bindingOf(ast);
  const inside = binding === undefined ? putting : within(ast, binding.as, putting);
  const children = childrenOf(ast).map((child) =>
    put(child, child === binding?.outside ? putting : inside),
  );
  return moved(withChildren(ast, children), putting.at);
}

/** Inside a macro its variable is what it names, under another name where that would be caught. */
function within(ast: Ast, as: string, putting: Putting): Putting {
  const trees = new Map(putting.trees);
  trees.delete(as);
  if (putting.avoid.has(as)) {
    const known = allNames(ast);
    const name = freshName(as, (one) => putting.avoid.has(one) || known.has(one));
    trees.set(as, { kind: "name", name, start: ast.start, end: ast.start });
  }
  return { ...putting, trees };
}

/** `length`: characters of the tree as text, but for spaces and brackets. */
interface Measure {
  readonly length: number;
  readonly height: number;
}

/** What is put in several places is one tree: it is measured once. */
class Measures {
  readonly #known = new WeakMap<Ast, Measure>();

  of(ast: Ast): Measure {
    const known = this.#known.get(ast);
    if (known !== undefined) return known;
    let length = ownLength(ast);
    let height = 0;
    for (const child of childrenOf(ast)) {
      const below = this.of(child);
      length += below.length + 1;
      height = Math.max(height, below.height);
    }
    const made = { length, height: height + 1 };
    this.#known.set(ast, made);
    return made;
  }
}

function ownLength(ast: Ast): number {
  switch (ast.kind) {
    case "literal":
      return String(ast.value).length;
    case "name":
      return ast.name.length;
    case "member":
      return ast.member.length;
    case "call":
      return ast.fn.length;
    case "binary":
    case "unary":
      return ast.operator.length;
    case "index":
    case "list":
    case "map":
    case "conditional":
      return 1;
  }
}

/** Operators that mean the same however a chain of them is put in brackets. */
const CHAINED: ReadonlySet<string> = new Set(["&&", "||"]);

/** A chain as its text would be read without brackets: from the left. */
function chained(of: BinaryAst, left: Ast, right: Ast): BinaryAst {
  if (right.kind !== "binary" || right.operator !== of.operator) return { ...of, left, right };
  return { ...of, left: chained(of, left, right.left), right: right.right };
}

/** Writes one expression out. */
class Writing {
  readonly problems: Problem[] = [];
  readonly #values: Values;
  readonly #measures = new Measures();
  #isTooLarge = false;
  /** Names that the values read in the document, whatever variables stand around a use. */
  readonly #read: ReadonlySet<string>;

  constructor(values: Values) {
    this.#values = values;
    const read = [...values.values()].flatMap(({ given, body }) =>
      [...freeIn(body)].filter((name) => !given.includes(name)),
    );
    this.#read = new Set(read);
  }

  #write(ast: Ast): Ast {
    const own = this.#renamed(ast);
    const made = withChildren(
      own,
      childrenOf(own).map((child) => this.#write(child)),
    );
    if (own.kind === "binary" && made.kind === "binary" && this.#isUse(own.right)) {
      return CHAINED.has(made.operator) ? chained(made, made.left, made.right) : made;
    }
    if (made.kind !== "call" || made.receiver !== undefined) return made;
    const value = this.#values.get(made.fn);
    return value === undefined ? made : this.#use(made, value);
  }

  /** A macro under another variable where a value inside it reads something of that name. */
  #renamed(ast: Ast): Ast {
    const as = bindingOf(ast)?.as;
    if (as === undefined || !this.#read.has(as) || ast.kind !== "call") return ast;
    const known = allNames(ast);
    const name = freshName(as, (one) => this.#read.has(one) || known.has(one));
    const other: Ast = { kind: "name", name, start: ast.start, end: ast.start };
    const putting = { trees: new Map([[as, other]]), avoid: NONE, at: undefined };
    return { ...ast, args: ast.args.map((arg) => put(arg, putting)) };
  }

  #isUse(ast: Ast): boolean {
    return ast.kind === "call" && ast.receiver === undefined && this.#values.has(ast.fn);
  }

  #use(ast: CallAst, { given, body }: NamedValue): Ast {
    if (this.#isTooLarge) return ast;
    const place = { start: ast.start, end: ast.end };
    if (ast.args.length !== given.length) {
      const names = given.map((name) => `\`${name}\``).join(", ");
      const wanted = given.length === 0 ? "nothing" : `${given.length}: ${names}`;
      const message = `\`${ast.fn}\` is given ${wanted}, and this gives it ${ast.args.length}`;
      this.problems.push({ code: "wrong-type", message, ...place });
      return ast;
    }
    const trees = new Map(given.map((name, at) => [name, ast.args[at] as Ast]));
    const avoid = new Set(ast.args.flatMap((arg) => [...freeIn(arg)]));
    const made = put(body, { trees, avoid, at: ast });
    return this.#fits(made, `written out, \`${ast.fn}\``, place) ? made : ast;
  }

  #fits(made: Ast, what: string, { start, end }: Place): boolean {
    const { length, height } = this.#measures.of(made);
    if (length <= TEXT_MAX && height <= HEIGHT_MAX) return true;
    const bound =
      length > TEXT_MAX
        ? `has at most ${TEXT_MAX} characters`
        : `nests or chains at most ${HEIGHT_MAX} levels`;
    this.#isTooLarge = true;
    this.problems.push(tooLarge(`${what} ${bound}`, start, end));
    return false;
  }

  whole(ast: Ast): Ast {
    const made = this.#write(ast);
    if (this.problems.length === 0) this.#fits(made, "written out, an expression", ast);
    return made;
  }
}

/**
 * The tree with all uses of the values written out; what comes of a value stands where its use
 * stands. Problems: a use with too many or too few values, and what grows too large.
 */
export function writtenOut(
  ast: Ast,
  values: Values,
): { readonly ast: Ast; readonly problems: readonly Problem[] } {
  const writing = new Writing(values);
  return { ast: writing.whole(ast), problems: writing.problems };
}
