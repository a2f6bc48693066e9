/** A document as OpenAPI 3.1 or 3.2. What these cannot say stands under `x-lacuna-`. */
import { gapOf, isStated, statedOf } from "../../plan/index.ts";
import { fileText, type Json, type JsonObject } from "../schemas/json.ts";
import { namedSchemas, variantSchemas } from "../schemas/named.ts";
import { World } from "../schemas/world.ts";
import type { Exporter } from "../types.ts";
import { fitted } from "./fit/index.ts";
import { fileWith } from "./merge.ts";
import { pathsOf } from "./operations.ts";
import { PARTS, Sections } from "./sections.ts";
import { securitySchemes } from "./security.ts";
import { webhooksOf } from "./webhooks.ts";

const VERSIONS = { "3.1": "3.1.1", "3.2": "3.2.0" } as const;

/** Title, version and prose. */
export function infoOf(w: World): JsonObject {
  const { plan } = w;
  const { version } = plan.versioning;
  const gap = gapOf(version);
  const { prose } = plan.about;
  return {
    title: plan.title,
    // The format asks for a version, and a document need not have one.
    version: isStated(version) ? version.value : version.is === "gap" ? "not shown" : "none",
    ...(prose.length === 0 ? {} : { description: prose.join("\n") }),
    ...(gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) }),
  };
}

function serversOf(w: World): JsonObject {
  const { basePath } = w.plan.about;
  const gap = gapOf(basePath);
  if (gap !== undefined) return { "x-lacuna-servers": { "x-lacuna-gap": w.gap(gap) } };
  return { servers: [{ url: statedOf(basePath) ?? "/" }] };
}

/** Every gap of the document. */
export function gapsOf(w: World): Json[] {
  return w.plan.gaps.map(({ id, part }) => ({ part, ...w.gap(id) }));
}

/** What of the endpoints is known: none stated is not the same as none shown. */
function pathsMember(w: World, paths: JsonObject): JsonObject {
  const part = w.plan.parts.find(({ name }) => name === "Endpoints");
  const isHidden = part?.facets.some(({ status }) => status === "not shown" || status === "silent");
  return Object.keys(paths).length === 0 && isHidden === true ? {} : { paths };
}

/** Writes the document as JSON. */
export const openapi: Exporter = (from, options) => {
  const w = new World(from, "#/components/schemas/");
  const sections = new Sections(from.spec);
  const { paths, responses } = pathsOf({ w, sections, version: options.openapi });
  const webhooks = webhooksOf(w, sections);
  const schemes = securitySchemes(w, sections);
  const named = namedSchemas(w, (id) => sections.of(id));
  const schemas = [...named, ...variantSchemas(w)];
  const gaps = gapsOf(w);
  const file = {
    openapi: VERSIONS[options.openapi],
    info: infoOf(w),
    ...serversOf(w),
    ...pathsMember(w, paths),
    ...(webhooks === undefined ? {} : { webhooks }),
    components: {
      ...(schemas.length === 0 ? {} : { schemas: Object.fromEntries(schemas) }),
      ...(Object.keys(responses).length === 0 ? {} : { responses }),
      ...(schemes === undefined ? {} : { securitySchemes: schemes }),
    },
    ...(gaps.length === 0 ? {} : { "x-lacuna-gaps": gaps }),
  };
  const whole = fitted(fileWith(file, w.kept.root, options.openapi), options.openapi);
  return fileText({ ...whole, [PARTS]: sections.rest() });
};
