/** `$ref` followed, within a file and to files below the folder of the first one. */
import { nearest } from "../../base/index.ts";
import {
  type MapNode,
  type Node,
  type Place,
  type Problem,
  type ProblemCode,
  textAt,
} from "../tree/index.ts";
import type { Files } from "./files.ts";

/** A member of the way to a value: RFC 6901 section 4, behind RFC 3986 section 2.1. */
function unescape(token: string): string {
  return decodeOr(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodeOr(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a reference leads to; `problem` where it leads nowhere. */
export type Target =
  | { readonly node: Node; readonly problem?: undefined }
  | { readonly problem: Problem; readonly node?: undefined };

/** References that lead on to other references, one behind the other. */
const CHAIN_MAX = 64;

/** Follows references; each text of a file is resolved once, each problem told once. */
export class Refs {
  readonly problems: Problem[] = [];
  private readonly told = new Set<string>();
  /** References with members beside them, which nobody reads who follows. */
  readonly accompanied = new Set<MapNode>();
  private readonly files: Files;
  private readonly known = new Map<string, Target>();
  private readonly anchors = new Map<number, Map<string, Node>>();

  constructor(files: Files) {
    this.files = files;
  }

  /** The value itself, or what its `$ref` leads to in the end; undefined where nowhere. */
  follow(node: Node | undefined): Node | undefined {
    let at = node;
    for (let steps = 0; at !== undefined; steps += 1) {
      const ref = refOf(at);
      if (ref === undefined) return at;
      const place = refPlace(at as MapNode);
      if ((at as MapNode).keys.length > 1) this.accompanied.add(at as MapNode);
      if (steps > CHAIN_MAX) return this.tell("ref-circle", place, `\`${ref}\` leads in a circle.`);
      const target = this.target(ref, place);
      if (target.node === at) {
        return this.tell("ref-circle", place, `\`${ref}\` leads back to itself.`);
      }
      at = target.node;
    }
    return undefined;
  }

  /** As `follow`, where it is an object. */
  map(node: Node | undefined): MapNode | undefined {
    const found = this.follow(node);
    return found?.kind === "map" ? found : undefined;
  }

  private tell(code: ProblemCode, place: Place, message: string, hint?: string): undefined {
    const name = `${code} ${place.file} ${place.start}`;
    if (this.told.has(name)) return undefined;
    this.told.add(name);
    this.problems.push({ code, message, place, ...(hint === undefined ? {} : { hint }) });
    return undefined;
  }

  /** What one reference names, without following it on. */
  target(ref: string, place: Place): Target {
    const key = `${place.file} ${ref}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = this.find(ref, place);
    this.known.set(key, found);
    if (found.problem !== undefined) this.problems.push(found.problem);
    return found;
  }

  private find(ref: string, place: Place): Target {
    const cut = ref.indexOf("#");
    const path = cut < 0 ? ref : ref.slice(0, cut);
    const root = this.rootOf(path, place);
    if ("problem" in root) return root;
    const pointer = cut < 0 ? "" : ref.slice(cut + 1);
    if (pointer === "") return { node: root.node };
    if (!pointer.startsWith("/")) return this.anchor(root.node, pointer, ref, place);
    return walk(root.node, pointer, ref, place);
  }

  private rootOf(path: string, place: Place): { node: Node } | { problem: Problem } {
    const own = this.files.all[place.file];
    if (path === "" && own !== undefined) return { node: own.root };
    if (/^[a-z][a-z0-9+.-]+:/i.test(path)) {
      const message = `\`${path}\` is not fetched: files below the folder of this one are read.`;
      const hint = "Keep a copy of it beside this file.";
      return { problem: { code: "ref-remote", message, hint, place } };
    }
    const base = place.file === 0 ? "" : (own?.name ?? "");
    const joined = joinPath(base, decodeOr(path));
    if (joined === undefined) {
      const message = `\`${path}\` leads out of the folder of the first file, and is not read.`;
      return { problem: { code: "ref-outside", message, place } };
    }
    const node = this.files.other(joined, place);
    return "code" in node ? { problem: node } : { node };
  }

  /** A fragment that is no pointer names an `$anchor` (JSON Schema 2020-12 core, 8.2.2). */
  private anchor(root: Node, name: string, ref: string, place: Place): Target {
    let table = this.anchors.get(root.file);
    if (table === undefined) {
      table = anchorsOf(root);
      this.anchors.set(root.file, table);
    }
    const node = table.get(name);
    if (node !== undefined) return { node };
    const message = `\`${ref}\` names no \`$anchor\` of that file.`;
    return { problem: { code: "ref-nowhere", message, place } };
  }
}

/** The text of a reference, where the value is an object that has one. */
function refOf(node: Node): string | undefined {
  return node.kind === "map" && node.keys.length > 0 ? textAt(node, "$ref") : undefined;
}

function refPlace(node: MapNode): Place {
  return node.get("$ref") ?? node;
}

/** A path from the folder of the file `base`; undefined where it leads out of the first folder. */
function joinPath(base: string, path: string): string | undefined {
  if (path.startsWith("/") || path.includes("\\")) return undefined;
  const parts = base.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function walk(root: Node, pointer: string, ref: string, place: Place): Target {
  let at: Node = root;
  for (const token of pointer.slice(1).split("/").map(unescape)) {
    const next: Node | undefined =
      at.kind === "map" ? at.get(token) : at.kind === "list" ? at.items[indexOf(token)] : undefined;
    if (next === undefined) return { problem: nowhere(at, token, ref, place) };
    at = next;
  }
  return { node: at };
}

const indexOf = (token: string): number => (/^\d{1,9}$/.test(token) ? Number(token) : -1);

function nowhere(at: Node, token: string, ref: string, place: Place): Problem {
  const near = at.kind === "map" ? nearest(token, at.keys.slice(0, 5000)) : undefined;
  return {
    code: "ref-nowhere",
    message: `\`${ref}\` leads nowhere: there is no \`${token}\`.`,
    ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
    place,
  };
}

/** Every `$anchor` and `$dynamicAnchor` of a file. */
function anchorsOf(root: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  const left: Node[] = [root];
  const seen = new Set<Node>();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === "scalar" || seen.has(node)) continue;
    seen.add(node);
    for (const key of ["$anchor", "$dynamicAnchor"]) {
      const name = textAt(node, key);
      if (name !== undefined) found.set(name, node);
    }
    left.push(...(node.kind === "map" ? node.values : node.items));
  }
  return found;
}
