/** Finds the references that values of a type hold, at any depth. */
import { isScalar } from "./type-kinds.ts";
import type { Field, Part, Resource } from "./types/service.ts";
import type { BaseType, ValueType } from "./types/value.ts";

/** A reference that a field is, or that items of its lists and members of its maps are. */
export interface HeldReference {
  readonly resource: string;
  /** The reference itself may be null. */
  readonly orNull: boolean;
  /** It stands in a list or a map of the field. */
  readonly inside: boolean;
}

/** The reference that a type comes down to through lists and maps; undefined: none. */
export function heldReference(type: ValueType): HeldReference | undefined {
  const within = (value: ValueType, inside: boolean): HeldReference | undefined => {
    if (isScalar(value.type)) return undefined;
    switch (value.type.kind) {
      case "reference":
        return { resource: value.type.resource, orNull: value.orNull, inside };
      case "list":
      case "map":
        return within(value.type.of, true);
      case "structure":
        return undefined;
    }
  };
  return within(type, false);
}

/** The part or shape that a type comes down to through lists and maps; undefined: none. */
export function heldStructure(
  type: BaseType,
  inside = false,
): { readonly name: string; readonly inside: boolean } | undefined {
  if (isScalar(type)) return undefined;
  switch (type.kind) {
    case "structure":
      return { name: type.name, inside };
    case "list":
    case "map":
      return heldStructure(type.of.type, true);
    case "reference":
      return undefined;
  }
}

/** A reference and where it stands: names of members joined by dots, the field's first. */
export interface ReferencePath {
  readonly path: string;
  /** The fields on the way: the resource's own, those of parts, last the one that it stands in. */
  readonly way: readonly Field[];
}

/** Members on the way to a field, from it back to the resource's own. */
interface Way {
  readonly field: Field;
  readonly before: Way | undefined;
  readonly depth: number;
}

function fieldsOf(way: Way): readonly Field[] {
  const fields: Field[] = [];
  for (let at: Way | undefined = way; at !== undefined; at = at.before) fields.unshift(at.field);
  return fields;
}

/** No JSON body is deeper. */
const DEPTH_MAX = 64;

/** Finds references through parts; what all fields of a service share is made once. */
export class References {
  readonly #parts: ReadonlyMap<string, Part>;
  /** For each part, the resources of which its values name rows. */
  readonly #named = new Map<string, Set<string>>();

  constructor(parts: readonly Part[]) {
    this.#parts = new Map(parts.map((part) => [part.name, part]));
    const holders = new Map<string, string[]>();
    const open: { part: string; resource: string }[] = [];
    for (const { name, fields } of parts) {
      for (const { type } of fields) {
        const held = heldReference(type);
        if (held !== undefined) open.push({ part: name, resource: held.resource });
        const inner = heldStructure(type.type)?.name;
        if (inner !== undefined) holders.set(inner, [...(holders.get(inner) ?? []), name]);
      }
    }
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const { part, resource } = one;
      const named = this.#named.get(part) ?? new Set<string>();
      if (named.has(resource)) continue;
      this.#named.set(part, named.add(resource));
      for (const holder of holders.get(part) ?? []) open.push({ part: holder, resource });
    }
  }

  /** The resources of which values of a type name rows, at any depth. */
  named(type: ValueType): ReadonlySet<string> {
    const held = heldReference(type);
    if (held !== undefined) return new Set([held.resource]);
    return this.#named.get(heldStructure(type.type)?.name ?? "") ?? NONE;
  }

  /** The references in values of a field, at most so many; a part in itself is entered once. */
  paths(field: Field, most: number): readonly ReferencePath[] {
    const found: ReferencePath[] = [];
    const open: Way[] = [{ field, before: undefined, depth: 1 }];
    for (let way = open.pop(); way !== undefined && found.length < most; way = open.pop()) {
      const { type } = way.field;
      if (heldReference(type) !== undefined) {
        const fields = fieldsOf(way);
        found.push({ path: fields.map(({ name }) => name).join("."), way: fields });
      }
      const part = heldStructure(type.type)?.name ?? "";
      if (!this.#named.has(part) || way.depth >= DEPTH_MAX || isInside(part, way)) continue;
      for (const member of this.#parts.get(part)?.fields.toReversed() ?? []) {
        open.push({ field: member, before: way, depth: way.depth + 1 });
      }
    }
    return found;
  }
}

/** The resources of which a row may keep values of a part; of a resource's name: itself. */
export function keepersOf(
  { resources, partTypes }: { resources: readonly Resource[]; partTypes: readonly Part[] },
  part: string,
): readonly string[] {
  const holding = new Set([part]);
  for (let before = 0; before < holding.size; ) {
    before = holding.size;
    for (const { name, fields } of [...partTypes, ...resources]) {
      const holds = fields.some(({ type }) => holding.has(heldStructure(type.type)?.name ?? ""));
      if (holds) holding.add(name);
    }
  }
  return resources.flatMap(({ name }) => (holding.has(name) ? [name] : []));
}

const NONE: ReadonlySet<string> = new Set();

/** Whether a way has gone through the part already. */
function isInside(part: string, { before }: Way): boolean {
  for (let at = before; at !== undefined; at = at.before) {
    if (heldStructure(at.field.type.type)?.name === part) return true;
  }
  return false;
}
