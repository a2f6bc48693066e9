/** Reads one TypeScript or JavaScript text into the facts that the rules need; judges nothing. */
import { parse } from "@babel/parser";

/** One breach of a rule. `line` is one-based. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** A function with its length in lines and its number of parameters (`this` not counted). */
export interface FunctionFact {
  readonly line: number;
  readonly lines: number;
  readonly parameters: number;
}

/** A comment with its place; `text` is without the delimiters. */
export interface CommentFact {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly isDoc: boolean;
  readonly text: string;
}

/** What is known of one file. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly {
    readonly from: string;
    readonly typeOnly: boolean;
    /** Loaded only when the program gets there: `import("...")`. */
    readonly isDynamic: boolean;
    readonly line: number;
  }[];
  readonly functions: readonly FunctionFact[];
  readonly comments: readonly CommentFact[];
  /** Exported functions; `start` is that of the whole statement. */
  readonly exported: readonly {
    readonly name: string;
    readonly start: number;
    readonly line: number;
  }[];
  /** Every name that can be imported from it. */
  readonly names: readonly {
    readonly name: string;
    readonly line: number;
    readonly isType: boolean;
  }[];
  /** Lines with the type `any`. */
  readonly any: readonly number[];
  /** Uses of the platform's globals: `process.x`, `Date.now()` ... */
  readonly globals: readonly { readonly name: string; readonly line: number }[];
  /** Lines with statements that branch or loop. */
  readonly branches: readonly number[];
  /** Lines where a switch over a kind takes all the kinds that it does not name. */
  readonly unnamed: readonly number[];
  /** Lines that ask whether an answer is stated, and do not say what they do with any other. */
  readonly bareStated: readonly number[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { line: number }; readonly end: { line: number } };
  readonly [key: string]: unknown;
}

type Draft = {
  -readonly [K in keyof Source]: Source[K] extends readonly (infer T)[] ? T[] : Source[K];
};

const FUNCTION_TYPES = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
]);
const BRANCH_TYPES = /^(If|For|ForIn|ForOf|While|DoWhile|Switch|Try)Statement$/;
const IMPORT_TYPES = /^(Import(Declaration|Expression)|Export(Named|All)Declaration|TSImportType)$/;
const GLOBALS = new Set([
  ...["process", "Buffer", "console", "crypto", "fetch", "performance", "require"],
  ...["setTimeout", "setInterval", "setImmediate"],
]);

/** Parses `text`; throws a SyntaxError with the place where it is not TypeScript. */
export function readSource(path: string, text: string): Source {
  const file = parse(text, {
    sourceType: "module",
    sourceFilename: path,
    plugins: path.endsWith("ts") ? ["typescript"] : [],
  });
  const draft: Draft = {
    path,
    text,
    imports: [],
    functions: [],
    comments: (file.comments ?? []).map((each) => ({
      start: each.start ?? 0,
      end: each.end ?? 0,
      line: each.loc?.start.line ?? 1,
      isDoc: each.type === "CommentBlock" && each.value.startsWith("*"),
      text: each.value,
    })),
    exported: [],
    names: [],
    any: [],
    globals: [],
    branches: [],
    unnamed: [],
    bareStated: [],
  };
  const program = file.program as unknown as Node;
  walk(program, (node) => note(draft, node));
  noteExports(draft, program);
  const declared = declaredNames(program);
  draft.globals = draft.globals.filter((each) => !declared.has(each.name.split(".")[0] ?? ""));
  return draft;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "loc" in value;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child) && !child.type.startsWith("Comment")) walk(child, visit);
    }
  }
}

function note(draft: Draft, node: Node): void {
  const line = node.loc.start.line;
  if (node.type === "TSAnyKeyword") draft.any.push(line);
  if (BRANCH_TYPES.test(node.type)) draft.branches.push(line);
  if (node.type === "SwitchStatement") draft.unnamed.push(...unnamedKinds(draft.text, node));
  if (isBareStated(node)) draft.bareStated.push(line);
  if (FUNCTION_TYPES.has(node.type)) {
    const parameters = (node["params"] as Node[]).filter((each) => each["name"] !== "this");
    const lines = node.loc.end.line - line + 1;
    draft.functions.push({ line, lines, parameters: parameters.length });
  }
  const from = importedFrom(node);
  if (from !== undefined) {
    const isDynamic = node.type === "ImportExpression";
    draft.imports.push({ from, typeOnly: isTypeOnly(node), isDynamic, line });
  }
  const name = globalUsed(node);
  if (name !== undefined) draft.globals.push({ name, line });
}

/** `answer.is === "stated"`, or `!==`. */
function isBareStated(node: Node): boolean {
  if (node.type !== "BinaryExpression") return false;
  const [of, value] = [node["left"], node["right"]].filter(isNode);
  return nameOf(of?.["property"]) === "is" && value?.["value"] === "stated";
}

/** What a switch is over where it tells kinds of a closed union apart. */
const KIND = /(^|\.)(kind|is|op|in|by|condition)$/;

function unnamedKinds(text: string, node: Node): number[] {
  const of = node["discriminant"] as Node;
  if (!KIND.test(text.slice(of.start, of.end))) return [];
  const other = (node["cases"] as Node[]).filter((each) => each["test"] === null);
  return other
    .filter((each) => !/\bnever\b/.test(text.slice(each.start, each.end)))
    .map((each) => each.loc.start.line);
}

function importedFrom(node: Node): string | undefined {
  if (!IMPORT_TYPES.test(node.type)) return undefined;
  const from = [node["source"], node["argument"]].find(isNode);
  const literal = isNode(from?.["literal"]) ? from["literal"] : from;
  return typeof literal?.["value"] === "string" ? literal["value"] : undefined;
}

function isTypeOnly(node: Node): boolean {
  if (node.type === "TSImportType") return true;
  if (node["importKind"] === "type" || node["exportKind"] === "type") return true;
  const specifiers = (node["specifiers"] ?? []) as Node[];
  const isType = (each: Node) => each["importKind"] === "type" || each["exportKind"] === "type";
  return specifiers.length > 0 && specifiers.every(isType);
}

function globalUsed(node: Node): string | undefined {
  if (node.type === "NewExpression" && nameOf(node["callee"]) === "Date") {
    return (node["arguments"] as Node[]).length === 0 ? "new Date()" : undefined;
  }
  if (node.type === "CallExpression") {
    const name = nameOf(node["callee"]) ?? "";
    return GLOBALS.has(name) ? name : undefined;
  }
  if (node.type !== "MemberExpression") return undefined;
  const name = nameOf(node["object"]) ?? "";
  const whole = `${name}.${nameOf(node["property"])}`;
  return GLOBALS.has(name) || /^(Math\.random|Date\.now)$/.test(whole) ? whole : undefined;
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" ? (node["name"] as string) : undefined;
}

function declaredNames(program: Node): Set<string> {
  const names = new Set<string>();
  walk(program, (node) => {
    const ids = FUNCTION_TYPES.has(node.type) ? (node["params"] as Node[]) : [];
    if (/Declarator$|Specifier$|FunctionDeclaration$/.test(node.type)) {
      ids.push(...[node["id"], node["local"]].filter(isNode));
    }
    for (const id of ids) names.add(nameOf(id) ?? "");
  });
  return names;
}

function noteExports(draft: Draft, program: Node): void {
  for (const statement of program["body"] as Node[]) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const { line } = statement.loc.start;
    const declaration = statement["declaration"];
    const declared = isNode(declaration)
      ? ((declaration["declarations"] as Node[] | undefined) ?? [declaration])
      : [];
    const listed = statement["specifiers"] as Node[];
    const ids = [...declared.map((each) => each["id"]), ...listed.map((each) => each["exported"])];
    const isType = statement["exportKind"] === "type";
    draft.names.push(...ids.map((id) => ({ name: nameOf(id) ?? "", line, isType })));
  }
  const local = new Map<string, Node>();
  for (const statement of program["body"] as Node[]) {
    const declaration = isNode(statement["declaration"]) ? statement["declaration"] : statement;
    for (const name of functionNames(declaration)) {
      if (local.has(name)) continue;
      local.set(name, statement);
      if (!statement.type.startsWith("Export")) continue;
      draft.exported.push({ name, start: statement.start, line: statement.loc.start.line });
    }
  }
  for (const statement of program["body"] as Node[]) {
    if (statement.type !== "ExportNamedDeclaration" || isNode(statement["source"])) continue;
    for (const specifier of statement["specifiers"] as Node[]) {
      const name = nameOf(specifier["local"]) ?? "";
      const found = local.get(name);
      if (found === undefined) continue;
      draft.exported.push({ name, start: found.start, line: found.loc.start.line });
    }
  }
}

function functionNames(declaration: Node): string[] {
  if (/^(FunctionDeclaration|TSDeclareFunction)$/.test(declaration.type)) {
    return [nameOf(declaration["id"]) ?? "default"];
  }
  if (declaration.type !== "VariableDeclaration") return [];
  return (declaration["declarations"] as Node[])
    .filter((each) => isNode(each["init"]) && FUNCTION_TYPES.has(each["init"].type))
    .map((each) => nameOf(each["id"]) ?? "");
}
