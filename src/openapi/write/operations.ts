/** Operations of every dialect in the words of OpenAPI 3.1, references followed. */
import { type Description, methodsOf, type Operation, type Parameter } from "../model/index.ts";
import type { MapNode, Node } from "../tree/index.ts";
import { isEmpty, type Json, type JsonObject, jsonOf, objectOf, without } from "./json.ts";
import { KeptWriter } from "./kept.ts";
import type { SchemaWriter } from "./schemas.ts";
import { SwaggerWriter } from "./swagger.ts";

/** An operation as OpenAPI 3.1 has it; `parameters` are whole, `$ref`s to schemas alone. */
export interface WrittenOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  /** By status key. */
  readonly responses: JsonObject;
  /** All else. */
  readonly rest: JsonObject;
  readonly operation: Operation;
}

/** Writes the operations of one description. */
export class OperationWriter {
  private readonly description: Description;
  private readonly kept: KeptWriter;
  private readonly swagger: SwaggerWriter | undefined;
  /** Members of a path that stand at its operations. */
  private readonly ofOperations: readonly string[];

  constructor(description: Description, schemas: SchemaWriter) {
    this.description = description;
    this.kept = new KeptWriter(description, schemas);
    const isSwagger = description.kind === "swagger";
    this.swagger = isSwagger ? new SwaggerWriter(description, schemas) : undefined;
    const isLater = description.version.startsWith("3.2");
    this.ofOperations = [
      ...[...methodsOf(description), "parameters", "$ref"],
      ...(isLater ? ["additionalOperations"] : []),
    ];
  }

  of(operation: Operation): WrittenOperation {
    const { method, path, node, parameters, body } = operation;
    const apart = ["parameters", "requestBody", "responses", "callbacks"];
    const requestBody = body === undefined ? undefined : this.body(operation);
    const callbacks = this.callbacks(operation);
    const own = without(this.json(node), apart);
    const rest = this.swagger?.rest(own, operation) ?? own;
    return {
      method,
      path,
      parameters: parameters
        .filter((each) => each.in !== "body" && each.in !== "formData")
        .map((each) => this.parameter(each)),
      ...(requestBody === undefined ? {} : { requestBody }),
      responses: this.responses(operation),
      rest: { ...rest, ...(callbacks === undefined ? {} : { callbacks }) },
      operation,
    };
  }

  private json(node: MapNode): JsonObject {
    return objectOf(jsonOf(node, this.description.files));
  }

  /** What the paths of the file state beside their operations. */
  paths(): Record<string, Json> {
    const { async: events, refs, root } = this.description;
    return events === undefined ? this.items(refs.map(root.get("paths"))) : {};
  }

  /** What paths, callbacks or webhooks state beside their operations, by path. */
  items(owner: MapNode | undefined): Record<string, Json> {
    const found: Record<string, Json> = {};
    owner?.keys.forEach((name, index) => {
      const value = owner.values[index] as Node;
      const item = this.description.refs.map(value);
      if (name.startsWith("x-")) found[name] = jsonOf(value, this.description.files);
      else if (item !== undefined) {
        const own = without(this.json(item), this.ofOperations);
        const later = Object.entries(own).filter(([member]) => LATER.has(member));
        const stated = without(own, [...LATER]);
        if (later.length > 0) stated["x-lacuna-ignored"] = Object.fromEntries(later);
        if (!isEmpty(stated)) found[name] = stated;
      }
    });
    return found;
  }

  /** The parameter with its schema written. */
  parameter(each: Parameter): JsonObject {
    return this.swagger?.parameter(each) ?? this.objectOf(each.node);
  }

  /** An object of OpenAPI 3, its schemas written. */
  private objectOf(node: MapNode): JsonObject {
    return objectOf(this.kept.of(node));
  }

  private body(operation: Operation): JsonObject {
    const { body } = operation;
    if (this.swagger !== undefined) return this.swagger.body(operation);
    return body?.node === undefined ? {} : this.objectOf(body.node);
  }

  private responses(operation: Operation): JsonObject {
    const found: Record<string, Json> = {};
    const all = this.description.refs.map(operation.node.get("responses"));
    for (const [name, value] of Object.entries(all === undefined ? {} : this.json(all))) {
      if (name.startsWith("x-")) found[name] = value;
    }
    for (const { status, node, headers, content, links } of operation.responses) {
      const own = this.json(node);
      const apart = ["schema", "headers", "content", "examples", "links"];
      const result: Record<string, Json> = without(own, apart);
      result["description"] ??= "";
      if (headers.length > 0) {
        result["headers"] = Object.fromEntries(
          headers.map((each) => [each.name, this.header(each.node)]),
        );
      }
      Object.assign(result, this.swagger?.bodies(own, content) ?? this.bodies(node.get("content")));
      if (links.length > 0) {
        result["links"] = Object.fromEntries(
          links.map((each) => [each.name, this.json(each.node)]),
        );
      }
      found[status] = result;
    }
    return found;
  }

  private bodies(content: Node | undefined): JsonObject {
    return content === undefined ? {} : { content: this.kept.content(content) };
  }

  private header(node: MapNode): JsonObject {
    return this.swagger?.header(node) ?? this.objectOf(node);
  }

  private callbacks({ node, callbacks }: Operation): JsonObject | undefined {
    if (callbacks.length === 0) return undefined;
    const { refs } = this.description;
    const all = refs.map(node.get("callbacks"));
    return Object.fromEntries(
      callbacks.map(({ name, operations }) => {
        const paths = this.items(refs.map(all?.get(name)));
        for (const each of operations) {
          const item = { ...objectOf(paths[each.path]) };
          keep(item, each.method, whole(this.of(each)));
          paths[each.path] = item;
        }
        return [name, paths];
      }),
    );
  }
}

const OWN_MEMBERS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Names that are operations in a later version than the file's. */
const LATER: ReadonlySet<string> = new Set([...OWN_MEMBERS, "additionalOperations"]);

/** Puts an operation into a path: as its own member, or among `additionalOperations` (3.2). */
export function keep(item: Record<string, Json>, method: string, operation: JsonObject): void {
  const own = method.toLowerCase();
  if (OWN_MEMBERS.includes(own)) item[own] = operation;
  else {
    const others = objectOf(item["additionalOperations"]);
    item["additionalOperations"] = { ...others, [method]: operation };
  }
}

/** The operation object of OpenAPI 3.1. */
export function whole({ parameters, requestBody, responses, rest }: WrittenOperation): JsonObject {
  return {
    ...rest,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
  };
}
