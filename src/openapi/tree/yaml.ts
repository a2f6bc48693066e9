/** YAML text to nodes, from a library's events; aliases are bounded, tags are those of JSON. */
import {
  boolCoreTag,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  type MappingEvent,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from "js-yaml";
import type { ProblemCode } from "./codes.ts";
import { DEPTH_MAX, judgeNames, tooDeep } from "./json.ts";
import { ListNode, MapNode, type Node, ScalarNode } from "./node.ts";
import { Unreadable } from "./problem.ts";

/** Values that aliases may add to those that are written. */
const ALIASED_MAX = 500_000;

/** Reads a YAML text of one document; throws `Unreadable`. */
export function readYaml(file: number, text: string): Node {
  return new Builder(file, text).build(events(file, text));
}

function events(file: number, text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: DEPTH_MAX });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const start = error.mark?.position ?? 0;
    throw new Unreadable({
      code: "unreadable",
      message: `This is not well-formed YAML: ${error.reason}.`,
      place: { file, start, end: start + 1 },
    });
  }
}

/** An object or list that is open, with the name that waits for its value. */
interface Open {
  readonly node: MapNode | ListNode;
  readonly anchor: string | undefined;
  name?: string;
  nameStart: number;
  /** Values in it so far, with those that aliases stand for; and how deep they nest. */
  size: number;
  height: number;
  /** Where `<<` stood: all names so far, and the index of each that came by it. */
  known?: { readonly names: Set<string>; readonly merged: Map<string, number> };
}

class Builder {
  private readonly file: number;
  private readonly text: string;
  private readonly anchors = new Map<string, { node: Node; size: number; height: number }>();
  private readonly open: Open[] = [];
  private root: Node | undefined;
  private documents = 0;
  private aliased = 0;
  private last = 0;

  constructor(file: number, text: string) {
    this.file = file;
    this.text = text;
  }

  build(all: readonly Event[]): Node {
    for (const event of all) this.take(event);
    if (this.root !== undefined) return this.root;
    return new ScalarNode(this.file, 0, 0, null);
  }

  private fail(code: ProblemCode, start: number, message: string, hint?: string): never {
    const place = { file: this.file, start, end: start + 1 };
    throw new Unreadable({ code, message, place, ...(hint === undefined ? {} : { hint }) });
  }

  private take(event: Event): void {
    if (event.type === EVENT_ID.DOCUMENT) {
      this.documents += 1;
      if (this.documents > 1) {
        this.fail("several-documents", this.last, "The file holds more than one YAML document.");
      }
    } else if (event.type === EVENT_ID.SCALAR) this.scalar(event);
    else if (event.type === EVENT_ID.ALIAS) this.alias(event.anchorStart, event.anchorEnd);
    else if (event.type === EVENT_ID.POP) this.pop();
    else this.collection(event);
  }

  private scalar(event: ScalarEvent): void {
    const top = this.open.at(-1);
    const start = event.valueStart < 0 ? this.last : event.valueStart;
    const end = Math.max(start, event.valueEnd);
    this.last = end;
    const source = getScalarValue(this.text, event);
    if (top?.node.kind === "map" && top.name === undefined) {
      top.name = source;
      top.nameStart = start;
      return;
    }
    const node = new ScalarNode(this.file, start, end, this.resolve(event, source));
    this.keep(event, node, 1);
    this.add(node, 1, 0);
  }

  /** The value of a scalar by the core schema of YAML 1.2, section 10.3. */
  private resolve(event: ScalarEvent, source: string): string | number | boolean | null {
    const tag = event.tagStart < 0 ? "" : this.text.slice(event.tagStart, event.tagEnd);
    if (tag !== "" && !CORE_TAGS.has(tag)) {
      this.fail("yaml-tag", event.tagStart, `The tag \`${tag}\` is none of JSON's kinds of value.`);
    }
    if (tag === "!!str" || tag === "!") return source;
    if (tag === "" && event.style !== SCALAR_STYLE.PLAIN) return source;
    for (const [name, each] of CORE) {
      if (tag !== "" && tag !== name) continue;
      const value = each.resolve(source, tag !== "", name);
      if (value !== NOT_RESOLVED) return this.finite(value, event);
    }
    if (tag === "") return source;
    return this.fail("yaml-tag", event.tagStart, `\`${source}\` is no value of \`${tag}\`.`);
  }

  private finite(value: unknown, event: ScalarEvent): number | boolean | null {
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.fail("yaml-number", event.valueStart, "Infinity and `nan` are no numbers of JSON.");
    }
    return value as number | boolean | null;
  }

  private collection(event: MappingEvent | SequenceEvent): void {
    const top = this.open.at(-1);
    if (top?.node.kind === "map" && top.name === undefined) {
      this.fail("yaml-key", event.start, "A name of a member is a text, not an object or a list.");
    }
    const { file } = this;
    const node =
      event.type === EVENT_ID.MAPPING
        ? new MapNode(file, event.start)
        : new ListNode(file, event.start);
    this.last = event.start;
    this.open.push({ node, anchor: this.anchorOf(event), nameStart: 0, size: 1, height: 0 });
  }

  private anchorOf(event: { anchorStart: number; anchorEnd: number }): string | undefined {
    if (event.anchorStart < 0) return undefined;
    return this.text.slice(event.anchorStart, event.anchorEnd).replace(/^[&*]/, "");
  }

  private keep(event: ScalarEvent, node: Node, size: number): void {
    const anchor = this.anchorOf(event);
    if (anchor !== undefined) this.anchors.set(anchor, { node, size, height: 0 });
  }

  private alias(start: number, end: number): void {
    const name = this.text.slice(start, end).replace(/^[&*]/, "");
    const top = this.open.at(-1);
    if (top?.node.kind === "map" && top.name === undefined) {
      this.fail("yaml-key", start, "A name of a member is a text, not an alias.");
    }
    this.last = end;
    const kept = this.anchors.get(name);
    if (kept === undefined) {
      const isOpen = this.open.some((each) => each.anchor === name);
      const what = isOpen ? "stands inside the value that it names" : "names no anchor above it";
      return this.fail("yaml-alias", start, `The alias \`*${name}\` ${what}.`);
    }
    this.aliased += kept.size;
    if (this.aliased > ALIASED_MAX) {
      this.fail(
        "yaml-aliases",
        start,
        `Aliases add more than ${ALIASED_MAX.toLocaleString("en")} values to this file.`,
        "Refer to schemas by `$ref` instead.",
      );
    }
    if (this.open.length + kept.height >= DEPTH_MAX) throw tooDeep(this.file, start);
    this.add(kept.node, kept.size, kept.height);
  }

  private pop(): void {
    const closed = this.open.pop();
    if (closed === undefined) return;
    closed.node.end = Math.max(this.last, closed.node.start);
    if (closed.node.kind === "map") judgeNames(closed.node);
    if (closed.anchor !== undefined) {
      const { node, size, height } = closed;
      this.anchors.set(closed.anchor, { node, size, height: height + 1 });
    }
    this.add(closed.node, closed.size, closed.height + 1);
  }

  private add(node: Node, size: number, height: number): void {
    const top = this.open.at(-1);
    if (top === undefined) {
      this.root = node;
      return;
    }
    top.size += size;
    top.height = Math.max(top.height, height);
    if (top.node.kind === "list") {
      top.node.items.push(node);
      return;
    }
    const name = top.name ?? "";
    delete top.name;
    if (name === "<<" && node.kind !== "scalar") this.merge(top, top.node, node);
    else this.member(top, top.node, name, node);
  }

  private member(top: Open, map: MapNode, name: string, node: Node): void {
    const index = top.known?.merged.get(name);
    if (index !== undefined) {
      top.known?.merged.delete(name);
      map.values[index] = node;
      map.keyStarts[index] = top.nameStart;
      return;
    }
    top.known?.names.add(name);
    map.keys.push(name);
    map.keyStarts.push(top.nameStart);
    map.values.push(node);
  }

  /** `<<`: the members of other objects, where the object has none of its own with that name. */
  private merge(top: Open, map: MapNode, from: Node): void {
    const sources = from.kind === "list" ? from.items : [from];
    top.known ??= { names: new Set(map.keys), merged: new Map() };
    const { names, merged } = top.known;
    for (const source of sources) {
      if (source.kind !== "map") {
        this.fail("yaml-key", top.nameStart, "`<<` takes an object, or a list of objects.");
      }
      source.keys.forEach((key, index) => {
        if (names.has(key)) return;
        names.add(key);
        merged.set(key, map.keys.length);
        map.keys.push(key);
        map.keyStarts.push(source.keyStarts[index] ?? source.start);
        map.values.push(source.values[index] as Node);
      });
    }
  }
}

const CORE = [
  ["!!null", nullCoreTag],
  ["!!bool", boolCoreTag],
  ["!!int", intCoreTag],
  ["!!float", floatCoreTag],
] as const;

const CORE_TAGS = new Set(["!", "!!str", "!!map", "!!seq", ...CORE.map(([name]) => name)]);
