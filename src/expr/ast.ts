/** The syntax tree that the parser makes: untyped, with places; knows no environment. */

/** Half-open range of UTF-16 offsets into the text of the expression. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * `value` is canonical text: integers in decimal digits, decimals with all their places, numbers
 * as JavaScript prints them with an exponent. A leading minus sign is folded into the literal.
 */
export interface LiteralAst extends Place {
  readonly kind: "literal";
  readonly literal: "integer" | "decimal" | "number" | "string" | "boolean" | "null";
  readonly value: string | boolean | null;
}

export interface NameAst extends Place {
  readonly kind: "name";
  readonly name: string;
}

export interface MemberAst extends Place {
  readonly kind: "member";
  readonly of: Ast;
  readonly member: string;
  readonly memberStart: number;
}

export interface IndexAst extends Place {
  readonly kind: "index";
  readonly of: Ast;
  readonly at: Ast;
}

export interface ListAst extends Place {
  readonly kind: "list";
  readonly items: readonly Ast[];
}

export interface MapAst extends Place {
  readonly kind: "map";
  readonly entries: readonly { readonly key: Ast; readonly value: Ast }[];
}

export interface UnaryAst extends Place {
  readonly kind: "unary";
  readonly operator: "!" | "-";
  readonly operand: Ast;
}

export interface BinaryAst extends Place {
  readonly kind: "binary";
  readonly operator: string;
  readonly left: Ast;
  readonly right: Ast;
}

export interface ConditionalAst extends Place {
  readonly kind: "conditional";
  readonly condition: Ast;
  readonly then: Ast;
  readonly otherwise: Ast;
}

/** A call, `f(x)` or `x.f()`; the macros (`has`, `exists`, `map` ...) are calls here too. */
export interface CallAst extends Place {
  readonly kind: "call";
  readonly fn: string;
  readonly fnStart: number;
  readonly receiver?: Ast;
  readonly args: readonly Ast[];
}

export type Ast =
  | LiteralAst
  | NameAst
  | MemberAst
  | IndexAst
  | ListAst
  | MapAst
  | UnaryAst
  | BinaryAst
  | ConditionalAst
  | CallAst;

/** The nodes directly below `ast`, in the order of the text. */
export function childrenOf(ast: Ast): readonly Ast[] {
  switch (ast.kind) {
    case "literal":
    case "name":
      return [];
    case "member":
      return [ast.of];
    case "index":
      return [ast.of, ast.at];
    case "list":
      return ast.items;
    case "map":
      return ast.entries.flatMap((entry) => [entry.key, entry.value]);
    case "unary":
      return [ast.operand];
    case "binary":
      return [ast.left, ast.right];
    case "conditional":
      return [ast.condition, ast.then, ast.otherwise];
    case "call":
      return ast.receiver ? [ast.receiver, ...ast.args] : ast.args;
  }
}

/** The same node with other nodes below it, given in the order of `childrenOf`. */
export function withChildren(ast: Ast, children: readonly Ast[]): Ast {
  const at = (index: number): Ast => children[index] as Ast;
  switch (ast.kind) {
    case "literal":
    case "name":
      return ast;
    case "member":
      return { ...ast, of: at(0) };
    case "index":
      return { ...ast, of: at(0), at: at(1) };
    case "list":
      return { ...ast, items: children };
    case "map":
      return {
        ...ast,
        entries: ast.entries.map((_, i) => ({ key: at(2 * i), value: at(2 * i + 1) })),
      };
    case "unary":
      return { ...ast, operand: at(0) };
    case "binary":
      return { ...ast, left: at(0), right: at(1) };
    case "conditional":
      return { ...ast, condition: at(0), then: at(1), otherwise: at(2) };
    case "call":
      return ast.receiver === undefined
        ? { ...ast, args: children }
        : { ...ast, receiver: at(0), args: children.slice(1) };
  }
}

/** Height of the tree (a leaf is 1), without recursion, so that any tree can be measured. */
export function heightOf(ast: Ast): number {
  let level: Ast[] = [ast];
  let height = 0;
  while (level.length > 0) {
    height++;
    const below: Ast[] = [];
    for (const node of level) for (const child of childrenOf(node)) below.push(child);
    level = below;
  }
  return height;
}
