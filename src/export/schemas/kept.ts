/** What a document keeps for this notation: blocks `json openapi`, and examples of answers. */
import type { ItemId } from "../../plan/index.ts";
import type { FenceNode, SectionNode, Spec } from "../../spec/index.ts";
import { PARTS, SECTION } from "../openapi/sections.ts";
import {
  exactJson,
  isObject,
  isRight,
  type Json,
  type JsonObject,
  laidOver,
  unfolded,
} from "./json.ts";

/** A body that an endpoint may answer. */
export interface AnswerExample {
  readonly status: string;
  /** Undefined: that of all bodies. */
  readonly media: string | undefined;
  readonly name: string | undefined;
  readonly value: Json;
}

/** Members that say where the text of the document is: no block has them. */
const OWN: ReadonlySet<string> = new Set([SECTION, PARTS]);

function membersIn(fences: readonly FenceNode[]): JsonObject {
  let found: JsonObject = {};
  for (const { block, content } of fences) {
    if (block !== "openapi") continue;
    const read = exactJson(content.text);
    const value = read === undefined ? read : unfolded(read, isRight);
    // Members that nest too deep stay in the text of their section alone.
    if (!isObject(value)) continue;
    const kept = Object.entries(value).filter(([name]) => !OWN.has(name));
    found = laidOver(found, Object.fromEntries(kept));
  }
  return found;
}

function exampleIn({ block, name, content }: FenceNode): AnswerExample[] {
  if (block !== "answer example") return [];
  const [status = "", ...words] = name.text.split(" ");
  const media = words[0]?.includes("/") === true ? words.shift() : undefined;
  const value = exactJson(content.text);
  if (value === undefined) return [];
  const named = words.join(" ");
  return [{ status, media, name: named === "" ? undefined : named, value }];
}

/** What is kept of each section, by the item that it is about. */
export class Kept {
  readonly #sections: ReadonlyMap<ItemId, SectionNode>;
  readonly #members = new Map<ItemId, JsonObject>();
  /** Members of the whole file. */
  readonly root: JsonObject;

  constructor({ parts }: Spec) {
    const sections = parts.flatMap((part) => part.sections);
    const headed = sections.filter(({ heading }) => heading !== undefined);
    this.#sections = new Map(headed.map((one) => [one.id, one]));
    const above = sections.filter(({ heading }) => heading === undefined);
    this.root = membersIn(above.flatMap(({ fences }) => fences));
  }

  /** The members of the object that the item is written as. */
  of(id: ItemId): JsonObject {
    const known = this.#members.get(id);
    if (known !== undefined) return known;
    const found = membersIn(this.#sections.get(id)?.fences ?? []);
    this.#members.set(id, found);
    return found;
  }

  examplesOf(id: ItemId): AnswerExample[] {
    return (this.#sections.get(id)?.fences ?? []).flatMap(exampleIn);
  }
}
