/** Dotted names as nested objects: puts written members together as JSON text. */

interface Node {
  readonly name: string;
  /** Place of the member, or the members inside. */
  readonly leaf: number | undefined;
  readonly inside: Node[];
}

function grow(nodes: Node[], path: readonly string[], leaf: number): void {
  const [name = "", ...rest] = path;
  const isLast = rest.length === 0;
  let node = isLast ? undefined : nodes.find((one) => one.name === name && one.leaf === undefined);
  if (node === undefined) {
    node = { name, leaf: isLast ? leaf : undefined, inside: [] };
    nodes.push(node);
  }
  if (!isLast) grow(node.inside, rest, leaf);
}

/** The text before each value; a value that is undefined is left out with its name. */
type Assemble = (values: readonly (string | undefined)[]) => string;

function assembler(nodes: readonly Node[]): Assemble {
  const parts = nodes.map((node) => ({
    name: `${JSON.stringify(node.name)}:`,
    leaf: node.leaf,
    inside: node.leaf === undefined ? assembler(node.inside) : undefined,
  }));
  return (values) => {
    let text = "{";
    for (const part of parts) {
      const value = part.leaf === undefined ? part.inside?.(values) : values[part.leaf];
      if (value === undefined) continue;
      text += text.length === 1 ? part.name + value : `,${part.name}${value}`;
    }
    return `${text}}`;
  };
}

/** Compiles members that stand at these paths, in their order, to the text of an object. */
export function compileTree(paths: readonly (readonly string[])[]): Assemble {
  const nodes: Node[] = [];
  paths.forEach((path, i) => grow(nodes, path, i));
  return assembler(nodes);
}
