/** The files of one description: the one that was named, and those that it refers to. */
import { type LineTable, lineTable, positionOf } from "../../base/index.ts";
import {
  type Node,
  type Place,
  type Problem,
  readTree,
  textOf,
  Unreadable,
} from "../tree/index.ts";

/**
 * Gives the bytes of a file, by its path from the folder of the first file, with `/`; a text says
 * why there are none. It must give nothing from outside that folder.
 */
export type Load = (path: string) => Uint8Array | string;

interface SourceFile {
  /** Path from the folder of the first file; of the first file the name that was given. */
  readonly name: string;
  readonly text: string;
  readonly root: Node;
}

/** Files that a description may refer to. */
const FILES_MAX = 1000;

/** Every file of a description, each read once. */
export class Files {
  readonly all: SourceFile[] = [];
  private readonly tables: (LineTable | undefined)[] = [];
  private readonly known = new Map<string, number | Problem>();
  private readonly load: Load;

  constructor(load: Load) {
    this.load = load;
  }

  /** Takes the first file; throws `Unreadable`. */
  first(name: string, bytes: Uint8Array): Node {
    const text = this.textOf(0, name, bytes);
    const root = readTree(0, text);
    this.all[0] = { name, text, root };
    return root;
  }

  /** The text stays known where it cannot be read, so that the place can be printed. */
  private textOf(file: number, name: string, bytes: Uint8Array): string {
    const text = textOf(file, bytes);
    this.all[file] = { name, text, root: undefined as unknown as Node };
    return text;
  }

  /** The root of another file, or why there is none. `from` is the place of the reference. */
  other(path: string, from: Place): Node | Problem {
    const known = this.known.get(path);
    if (typeof known === "number") return (this.all[known] as SourceFile).root;
    if (known !== undefined) return known;
    const found = this.read(path, from);
    this.known.set(path, typeof found === "number" ? found : found);
    return typeof found === "number" ? (this.all[found] as SourceFile).root : found;
  }

  private read(path: string, place: Place): number | Problem {
    if (this.all.length >= FILES_MAX) {
      const message = `The file refers to more than ${FILES_MAX} files.`;
      return { code: "ref-file", message, place };
    }
    const bytes = this.load(path);
    if (typeof bytes === "string") {
      return { code: "ref-file", message: `\`${path}\` is not read: ${bytes}.`, place };
    }
    const file = this.all.length;
    try {
      const text = this.textOf(file, path, bytes);
      this.all[file] = { name: path, text, root: readTree(file, text) };
      return file;
    } catch (error) {
      if (error instanceof Unreadable) return error.problem;
      throw error;
    }
  }

  /** One-based line and column of an offset. */
  positionOf(file: number, offset: number): { readonly line: number; readonly column: number } {
    this.tables[file] ??= lineTable(this.all[file]?.text ?? "");
    return positionOf(this.tables[file] as LineTable, offset);
  }

  /** `file:line:column`. */
  locator({ file, start }: Place): string {
    const { line, column } = this.positionOf(file, start);
    return `${this.all[file]?.name ?? "?"}:${line}:${column}`;
  }
}
