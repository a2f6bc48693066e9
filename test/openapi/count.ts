/** Counts what a description has straight from its values: another way than the model's. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const COMMON = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Members of a path that are operations, by the version. */
function methodsOf(root: { [name: string]: Json }): ReadonlySet<string> {
  if (root["swagger"] !== undefined) return new Set(COMMON);
  const is32 = String(root["openapi"]).startsWith("3.2");
  return new Set([...COMMON, "trace", ...(is32 ? ["query"] : [])]);
}

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a value is when `$ref`s within the file are followed. */
function at(root: Json, value: Json | undefined): Json | undefined {
  let found = value;
  while (isObject(found) && typeof found["$ref"] === "string") {
    const pointer = decodeURIComponent(found["$ref"].slice(2));
    found = pointer
      .split("/")
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<Json | undefined>(
        (node, token) =>
          isObject(node) || Array.isArray(node) ? (node as never)[token] : undefined,
        root,
      );
  }
  return found;
}

function entries(root: Json, value: Json | undefined): [string, Json][] {
  const found = at(root, value);
  if (!isObject(found)) return [];
  return Object.entries(found).filter(([name]) => !name.startsWith("x-"));
}

const parameterKey = (root: Json, value: Json): string => {
  const found = at(root, value);
  return isObject(found) ? `${String(found["in"])} ${String(found["name"])}` : "";
};

/** The counts of one file in OpenAPI or Swagger without references to other files. */
export function countsOf(root: { [name: string]: Json }): Record<string, number | string> {
  const isSwagger = root["swagger"] !== undefined;
  const counts = { operations: 0, parameters: 0, responses: 0, callbacks: 0 };
  const methods = methodsOf(root);
  for (const [, path] of entries(root, root["paths"])) {
    const item = at(root, path);
    if (!isObject(item)) continue;
    const own = Object.entries(item).filter(([method]) => methods.has(method));
    const more = methods.has("query") ? entries(root, item["additionalOperations"]) : [];
    for (const [, operation] of [...own, ...more]) {
      if (!isObject(operation)) continue;
      counts.operations += 1;
      const stated = [item["parameters"], operation["parameters"]].flatMap((list) =>
        Array.isArray(list) ? list : [],
      );
      counts.parameters += new Set(stated.map((each) => parameterKey(root, each))).size;
      counts.responses += entries(root, operation["responses"]).length;
      counts.callbacks += isSwagger ? 0 : entries(root, operation["callbacks"]).length;
    }
  }
  const components = at(root, root["components"]);
  const named = (key: string, swagger: string): number => {
    const all = isSwagger ? root[swagger] : isObject(components) ? components[key] : undefined;
    return isObject(all) ? Object.keys(all).length : 0;
  };
  return {
    kind: isSwagger ? "swagger" : "openapi",
    version: String(isSwagger ? root["swagger"] : root["openapi"]),
    ...counts,
    schemas: named("schemas", "definitions"),
    securitySchemes: named("securitySchemes", "securityDefinitions"),
    webhooks: entries(root, root["webhooks"]).length,
  };
}
