/** Counts of what a survey tells, made anew from the plain values of a file: no code is shared. */

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const plain = (value: unknown): Plain => (isPlain(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface One {
  readonly method: string;
  readonly path: string;
  readonly own: Plain;
  readonly parameters: readonly Plain[];
  readonly body: Plain | undefined;
  readonly answers: readonly (readonly [status: string, answer: Plain])[];
  readonly security: readonly unknown[] | undefined;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Follows references within the file. */
function followed(root: Plain, value: unknown): Plain {
  let found = plain(value);
  for (let times = 0; times < 20 && typeof found["$ref"] === "string"; times += 1) {
    let at: unknown = root;
    for (const each of found["$ref"].slice(2).split("/")) {
      at = plain(at)[decodeURIComponent(each).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    found = plain(at);
  }
  return found;
}

function operationsOf(root: Plain): One[] {
  return Object.entries(plain(root["paths"])).flatMap(([path, unread]) => {
    const item = plain(unread);
    return METHODS.filter((method) => isPlain(item[method])).map((method): One => {
      const own = plain(item[method]);
      const named = new Map<string, Plain>();
      for (const each of [...list(item["parameters"]), ...list(own["parameters"])]) {
        const one = followed(root, each);
        named.set(`${String(one["in"])} ${String(one["name"])}`, one);
      }
      return {
        method: method.toUpperCase(),
        path,
        own,
        parameters: [...named.values()],
        body: own["requestBody"] === undefined ? undefined : followed(root, own["requestBody"]),
        answers: Object.entries(plain(own["responses"]))
          .filter(([status]) => !status.startsWith("x-"))
          .map(([status, answer]) => [status, followed(root, answer)]),
        security: (own["security"] ?? root["security"]) as readonly unknown[] | undefined,
      };
    });
  });
}

const is = (status: string, first: string): boolean => status.startsWith(first);
const hasBody = ([, answer]: One["answers"][number]): boolean =>
  Object.keys(plain(answer["content"])).length > 0;
const has = (one: One, ...statuses: readonly string[]): boolean =>
  one.answers.some(([status]) =>
    statuses.some((each) => status === each || status.toUpperCase() === `${each[0]}XX`),
  );
const isDefault = (one: One): boolean => one.answers.some(([status]) => status === "default");
const fails = (one: One): boolean =>
  one.answers.some(([status]) => is(status, "4") || is(status, "5") || status === "default");
const tellsBody = (one: One): boolean =>
  one.answers.some((each) => (is(each[0], "4") || each[0] === "default") && hasBody(each));
const guarded = ({ security }: One): boolean =>
  security !== undefined &&
  security.length > 0 &&
  security.every((each) => Object.keys(plain(each)).length > 0);
const sends = ({ parameters, body }: One): boolean => parameters.length > 0 || body !== undefined;
const header = (one: One, name: RegExp): boolean =>
  one.parameters.some((each) => each["in"] === "header" && name.test(String(each["name"])));

/** How many of how many, by code; what is met nowhere is left out. */
export function recounted(root: Plain): Map<string, readonly [count: number, of: number]> {
  const all = operationsOf(root);
  const counts = new Map<string, readonly [number, number]>();
  const count = <T>(code: string, of: readonly T[], met: (one: T) => boolean): void => {
    const met_ = of.filter(met).length;
    if (met_ > 0) counts.set(code, [met_, of.length]);
  };
  const failing = all.filter(fails);
  const answers = all.flatMap((one) => one.answers.map((answer) => ({ one, answer })));
  const parameters = all.flatMap((one) => one.parameters);
  const changing = all.filter(({ method }) => ["PUT", "PATCH", "DELETE"].includes(method));
  count("effect", all, () => true);
  count("errors-unstated", all, (one) => !fails(one));
  count("error-body", all, (one) => one.method !== "HEAD" && !tellsBody(one));
  const without = counts.get("errors-unstated")?.[0];
  if (without === counts.get("error-body")?.[0]) counts.delete("errors-unstated");
  count("default-only", all.filter(isDefault), (one) => !one.answers.some(([at]) => is(at, "4")));
  count("wrong-input", failing.filter(sends), (one) => !isDefault(one) && !has(one, "400", "422"));
  count(
    "not-found",
    failing.filter((one) => one.parameters.some((each) => each["in"] === "path")),
    (one) => !isDefault(one) && !has(one, "404", "410"),
  );
  count(
    "server-error",
    failing,
    (one) => !isDefault(one) && !one.answers.some(([status]) => is(status, "5")),
  );
  count("who", all, ({ security }) => security === undefined);
  count("unauthenticated", failing.filter(guarded), (one) => !isDefault(one) && !has(one, "401"));
  count("forbidden", failing.filter(guarded), (one) => !isDefault(one) && !has(one, "403", "404"));
  count(
    "asked-twice",
    all.filter(({ method }) => method === "POST"),
    (one) => !header(one, /idempotency/i),
  );
  count("lost-update", changing, (one) => !header(one, /^if-(match|unmodified-since)$/i));
  count(
    "body-left-out",
    all.flatMap(({ body }) => (body === undefined ? [] : [body])),
    (body) => body["required"] !== true,
  );
  count(
    "get-body",
    all.filter(({ method }) => ["GET", "HEAD", "DELETE"].includes(method)),
    ({ body }) => body !== undefined,
  );
  count(
    "deprecated-when",
    all.filter(({ own }) => own["deprecated"] === true),
    () => true,
  );
  count(
    "parameter-default-absent",
    parameters.filter((each) => each["in"] === "query" && each["required"] !== true),
    (each) =>
      each["schema"] !== undefined && followed(root, each["schema"])["default"] === undefined,
  );
  count(
    "success-body",
    answers.filter(({ answer: [status] }) => is(status, "2") && !/^20[45]$/.test(status)),
    ({ one, answer }) => one.method !== "HEAD" && !hasBody(answer),
  );
  count(
    "error-without-body",
    answers.filter(({ one, answer: [status] }) => is(status, "4") && tellsBody(one)),
    ({ answer }) => !hasBody(answer),
  );
  count(
    "too-many-requests",
    answers.filter(({ answer: [status] }) => status === "429"),
    () => true,
  );
  const paths = Object.keys(plain(root["paths"])).filter((path) => path.startsWith("/"));
  const shapes = paths.map((path) => path.replaceAll(/\{[^{}]*\}/g, "{}"));
  count("same-path", [...shapes.entries()], ([at, shape]) => shapes.indexOf(shape) < at);
  const pairs = paths.filter((path) =>
    paths.some(
      (other) => other.startsWith(`${path}/{`) && /^\{[^{}]*\}$/.test(other.slice(path.length + 1)),
    ),
  );
  const things = pairs.filter((path) => !path.endsWith("}")).length;
  if (all.length > 0) counts.set("resources", [Math.max(1, things), Math.max(1, things)]);
  return counts;
}
