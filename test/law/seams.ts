/** Finds, in a source file, each table and switch that must have an entry for every kind. */
import { parse } from "@babel/parser";

/** A place that must not forget an entry: taking the entry out must not compile. */
export interface Seam {
  readonly file: string;
  readonly what: string;
  /** Lines in which an error about it stands, first and last. */
  readonly from: number;
  readonly to: number;
  /** The text of its first entry, by offsets. */
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: {
    readonly start: { readonly line: number };
    readonly end: { readonly line: number };
  };
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield one;
  }
}

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|.*Method)$/;

/** Without what is said around it: `x as const satisfies T` is `x`. */
function bare(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  return /^TS(As|Satisfies)/.test(node.type) ? bare(node["expression"]) : node;
}

const text = (source: string, node: unknown): string =>
  isNode(node) ? source.slice(node.start, node.end) : "";

/** The type of a table's keys: `K` of `Record<K, V>` or of a mapped type. */
function keysOf(annotation: string): string | undefined {
  const record = /Record<\s*([^<>,]+(?:<[^<>]*>)?(?:\["[^"]+"\])?)\s*,/.exec(annotation)?.[1];
  return record ?? /\[\s*\w+ in ([^\]]+\])\s*\]/.exec(annotation)?.[1];
}

/** Whether the keys are a closed union and all of them are wanted. */
function isClosed(keys: string | undefined, annotation: string): boolean {
  return (
    keys !== undefined &&
    !/^(string|number|ItemId)$/.test(keys.trim()) &&
    !/Partial</.test(annotation)
  );
}

function tableSeam(file: string, source: string, node: Node): Seam[] {
  const id = node["id"] as Node;
  const annotation = text(source, id["typeAnnotation"]);
  const table = bare(node["init"]);
  if (table?.type !== "ObjectExpression" || !isClosed(keysOf(annotation), annotation)) return [];
  const [first] = table["properties"] as readonly Node[];
  if (first === undefined || first.type === "SpreadElement") return [];
  const end = source.indexOf(",", first.end - 1) + 1;
  return [
    {
      file,
      what: `table ${String(id["name"])}`,
      from: node.loc.start.line,
      to: node.loc.end.line,
      start: first.start,
      end: Math.max(end, first.end),
    },
  ];
}

function switchSeam(file: string, source: string, node: Node, around: Node): Seam[] {
  const cases = node["cases"] as readonly Node[];
  const first = cases.find((one) => isNode(one["test"]));
  const other = cases.find((one) => one["test"] === null);
  const isKind = /^(\w+\.)*(kind|is|op|type|in|by|condition)$|^(kind|is|on|type|what)$/.test(
    text(source, node["discriminant"]),
  );
  // A default that takes all else is refused by the rules of the repository, where it is a kind.
  if (first === undefined || !isKind) return [];
  if (other !== undefined && !text(source, other).includes("never(")) return [];
  // A case that falls through to the next is the label alone.
  const body = first["consequent"] as readonly Node[];
  return [
    {
      file,
      what: `switch over ${text(source, node["discriminant"])}`,
      from: around.loc.start.line,
      to: around.loc.end.line,
      start: first.start,
      end: body.length === 0 ? first.end : (body.at(-1)?.end ?? first.end),
    },
  ];
}

/** All seams of a file, in its order. */
export function seamsOf(file: string, source: string): Seam[] {
  const tree = parse(source, { sourceType: "module", plugins: ["typescript"] }) as unknown as Node;
  const found: Seam[] = [];
  const visit = (node: Node, around: Node): void => {
    const inside = FUNCTIONS.test(node.type) ? node : around;
    if (node.type === "VariableDeclarator") found.push(...tableSeam(file, source, node));
    if (node.type === "SwitchStatement") found.push(...switchSeam(file, source, node, inside));
    for (const child of childrenOf(node)) visit(child, inside);
  };
  const program = tree["program"] as Node;
  visit(program, program);
  return found;
}
