/** Objects of OpenAPI that say what is sent: parameters, bodies, responses. */
import { isObject } from "../../schemas/json.ts";
import { at, type Objects, since32, type Version } from "./objects.ts";
import { any, type Fit, flag, judged, list, map, object, schema, text, word } from "./values.ts";

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/;

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ["matrix", "label", "simple"],
  header: ["simple"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

const BODY = ["schema", "content"];
const EXAMPLES = ["example", "examples"];

/** With one member, not more and not less. */
const single =
  (fit: Fit): Fit =>
  (value) =>
    isObject(value) && Object.keys(value).length === 1 ? fit(value) : { isWhole: false };

const examplesOf = (objects: Objects): Record<string, Fit> => ({
  example: any,
  examples: map(at(objects, "example")),
});

function media(objects: Objects, version: Version): Objects {
  const encoding = at(objects, "encoding");
  const nested = since32(version, {
    encoding: map(encoding),
    prefixEncoding: list(encoding),
    itemEncoding: encoding,
  });
  const alone = [
    ["encoding", "prefixEncoding"],
    ["encoding", "itemEncoding"],
  ];
  return {
    content: map(at(objects, "media")),
    headers: map(at(objects, "header"), version === "3.2" ? TOKEN : /^/),
    media: object({
      members: {
        ...{ schema, encoding: map(encoding), ...examplesOf(objects), ...nested },
        ...since32(version, { description: text, itemSchema: schema }),
      },
      either: [EXAMPLES, ...alone],
      refers: version === "3.2",
    }),
    encoding: object({
      members: {
        ...{ contentType: text, headers: at(objects, "headers"), explode: flag },
        ...{ style: word(...(STYLES["query"] ?? [])), allowReserved: flag, ...nested },
      },
      either: alone,
    }),
  };
}

/** What of a parameter or a header there is beside a schema alone: in 3.2 examples always. */
function described(objects: Objects, version: Version, hasSchema: boolean): Record<string, Fit> {
  return {
    ...{ description: text, required: flag, deprecated: flag, schema },
    content: single(at(objects, "content")),
    ...(hasSchema || version === "3.2" ? examplesOf(objects) : {}),
  };
}

function parameter(objects: Objects, version: Version): Fit {
  const styles: Readonly<Record<string, readonly string[]>> = {
    ...STYLES,
    cookie: version === "3.2" ? ["form", "cookie"] : ["form"],
  };
  const reserved = version === "3.2" ? ["query", "path", "cookie"] : ["query"];
  const places = [...Object.keys(styles), ...(version === "3.2" ? ["querystring"] : [])];
  const names: Readonly<Record<string, RegExp>> = {
    path: /^[^{}]+$/,
    ...(version === "3.2" ? { header: TOKEN } : {}),
  };
  return object({
    members: (value) => {
      const place = String(value["in"]);
      const hasSchema = value["schema"] !== undefined;
      const name = judged((one) => typeof one === "string" && (names[place] ?? /^/).test(one));
      const styled = {
        style: word(...(styles[place] ?? [])),
        explode: flag,
        ...(reserved.includes(place) ? { allowReserved: flag } : {}),
      };
      return {
        ...{ ...described(objects, version, hasSchema), name, in: word(...places) },
        ...(place === "path" ? { required: judged((one) => one === true) } : {}),
        ...(place === "query" ? { allowEmptyValue: flag } : {}),
        ...(hasSchema ? styled : {}),
      };
    },
    needs: [["name"], ["in"], BODY],
    either: [BODY, EXAMPLES],
    always: (value) => (value["in"] === "path" ? { required: true } : {}),
    refers: true,
  });
}

/** Parameters, bodies, headers and responses, by their names in `objects`. */
export function bodies(objects: Objects, version: Version): Objects {
  return {
    ...media(objects, version),
    parameter: parameter(objects, version),
    header: object({
      members: ({ schema: own }) => ({
        ...described(objects, version, own !== undefined),
        ...(own === undefined ? {} : { style: word("simple"), explode: flag }),
      }),
      needs: [BODY],
      either: [BODY, EXAMPLES],
      refers: true,
    }),
    requestBody: object({
      members: { description: text, content: at(objects, "content"), required: flag },
      needs: [["content"]],
      refers: true,
    }),
    response: object({
      members: {
        ...{ description: text, headers: at(objects, "headers") },
        ...{ content: at(objects, "content"), links: map(at(objects, "link")) },
        ...since32(version, { summary: text }),
      },
      needs: version === "3.2" ? [] : [["description"]],
      refers: true,
    }),
  };
}
