/** Endpoints of the resources of a document made at random. */
import { ASKED, type Choice, CONDITIONS, type Made, ORDERS } from "./choice.ts";

const LINKS = ', header `Link` = `page_links(request.url, "limit", query.limit, 3)`';

/** The endpoint that finds, orders and pages. */
export function listEndpoint({ random, nested }: Choice, made: Made, who: string): string {
  const { name, word, refers } = made;
  const conditions = Array.from(
    { length: 1 + random.below(3) },
    () => `   - \`${random.pick(CONDITIONS)}\``,
  );
  const further = [
    "   - `!has(query.kind) || it.kind == query.kind`",
    "   - `!has(query.part) || it.title.contains(query.part)`",
  ];
  if (refers !== undefined) further.push("   - `it.parent.size > 0`");
  const keys = [
    ...new Set(Array.from({ length: random.below(3) }, () => random.pick([...ORDERS, ASKED]))),
  ].map((key) => `\`${key}\` ${random.pick(["ascending", "descending"])}`);
  const cursor = random.chance(0.4);
  const byRow = cursor && random.chance(0.4);
  const at = byRow ? 4 : 3;
  const row = `3. Let \`cursor\` be the \`${name}\` where \`query.after != null && it.id == query.after\`, or null.\n`;
  const page = cursor
    ? `${byRow ? row : ""}${at}. Let \`page\` be \`found\` ${random.pick(["after", "after", "before"])} \`${byRow ? "cursor" : "query.after"}\`, at most \`query.limit\`, else \`bad_cursor\` on \`after\`.`
    : "3. Let `page` be `found` from `query.offset`, at most `query.limit`.";
  const input = cursor
    ? "| `after` | query | string or null | no | absent means `null` |"
    : "| `offset` | query | integer | no | at least 0; absent means `0` |";
  const nests =
    nested === undefined || random.chance(0.5)
      ? ""
      : "\n| `like` | query | `Spot` or absent | no | none |\n| `marks` | query | map of list of integer | no | at most 2 items; absent means `{}` |";
  return `### \`GET /${made.many}\`: some ${word}s

${who}
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`kind\` | query | one of \`red\`, \`green\`, \`blue\` | no | none |
| \`part\`, sent as \`part[x]\` | query | string | no | none |
| \`limit\` | query | integer | no | 1 to 5; absent means \`3\` |
${input}${nests}

1. Let \`found\` be every \`${name}\` where all of:
${(random.chance(0.3) ? further : [...further, ...conditions]).join("\n")}
2. Order \`found\` by ${[...keys, "`it.id` ascending"].join(", then ")}.
${page}
${at + 1}. Respond \`200\` with list of \`${random.pick([name, `${name}Card`])}\` of \`page\`${random.chance(0.3) ? LINKS : ""}.
`;
}

function ownerOf({ tenant }: Made): string {
  return tenant ? " with `owner` = `caller`" : "";
}

/** The endpoints that make, show, change and delete one. */
export function writeEndpoints(choice: Choice, made: Made, who: string): string {
  const { random, base, caller } = choice;
  const { name, many, word } = made;
  const path = `- Path \`id\`: \`${word}\`, the \`${name}\` by \`id\`${random.chance(0.2) ? " where `it.size < 9`" : ""}, else \`not_found\``;
  const tag = made.tagged ? `1. Check the tag of \`${word}\`.\n` : "";
  const at = (step: number): number => step + (made.tagged ? 1 : 0);
  const keyed = random.chance(0.6)
    ? `- Idempotency key: header \`Idempotency-Key\`
- Key kept: 1 h
- Key per: ${random.pick(caller ? ["everyone", "address", "caller"] : ["everyone", "address"])}${random.chance(0.3) ? ", at every endpoint" : ""}
- Same key and same body: first answer again
- Same key and other body: \`key_reused\`
- Same key while the first runs: waits for it
- Answers kept under a key: ${random.pick(["every answer", "2xx answers", "2xx and 4xx answers"])}
- Bodies are the same when: their ${random.pick(["values", "bytes"])} are the same
`
    : "";
  const input =
    keyed === ""
      ? ""
      : `
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Idempotency-Key\` | header | string | ${random.pick(["yes", "no"])} | 1 to 20 characters |
`;
  const unless = random.chance(0.15) && !made.tenant;
  return `### \`POST /${many}\`: make one

${who}- Body: new \`${name}\`
${keyed}${input}
1. Create ${/^[AEIOU]/.test(name) ? "an" : "a"} \`${name}\` as \`${word}\` from \`body\`${ownerOf(made)}${unless ? ", unless one is there" : ""}.
2. When \`${word}.size == 7\`, refuse with \`in_use\`${random.chance(0.5) ? ", keeping what was done" : ""}.
3. Respond \`201\` with \`${name}\` of \`${word}\`, header \`Location\` = \`"${base}/${many}/" + ${word}.id\`.

### \`GET /${many}/{id}\`: look at one

${who}${path}

1. Respond \`200\` with \`${random.pick([name, `${name}Card`])}\` of \`${word}\`.

### \`PATCH /${many}/{id}\`: change one

${who}- Body: changed \`${name}\`${random.chance(0.5) ? "; at least one member" : ""}
${path}

${tag}${at(1)}. Set \`${word}\` from \`body\`, given members only.
${at(2)}. Respond \`200\` with \`${name}\` of \`${word}\`.

### \`DELETE /${many}/{id}\`: away with one

${who}${path}

1. Delete \`${word}\`.
2. Respond \`204\` with no body.
`;
}

/** The endpoints that move one, and that change or delete many. */
export function otherEndpoints({ random }: Choice, made: Made, who: string): string {
  const { name, many, word, machine } = made;
  const path = `- Path \`id\`: \`${word}\`, the \`${name}\` by \`id\`, else \`not_found\``;
  const moves = machine
    ? `
### \`POST /${many}/{id}${random.pick(["/moves", ":move"])}\`: move one

${who}${path}

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`move\` | body | one of \`start\`, \`stop\`, \`back\` | yes | none |
| \`dueIn\` | body | integer | no | 1 to 600; absent means \`60\` |

1. When \`body.move == "start"\`:
   1. Require that \`${word}\` may \`start\`.
   2. Set \`${word}.dueAt\` = \`now + duration("1m")\`.
2. By \`body.move\`:
   - \`"start"\`: fire \`start\` on \`${word}\`.
   - \`"stop"\`: fire \`stop\` on \`${word}\`, else \`in_use\` on \`move\`.
   - \`"back"\`: fire \`back\` on \`${word}\`.
3. Respond \`200\` with \`${name}\` of \`${word}\`.
`
    : "";
  const places = random.chance(0.3)
    ? `
### \`GET /${many}/v{name}.x\`: text around

1. Respond \`200\` with \`path.name\`.

### \`GET /${many}/{path...}\`: the rest

1. Respond \`200\` with \`path.path\`.

### \`GET /${many}/\`: a slash at the end

1. Respond \`204\` with no body.
`
    : "";
  return `${moves}${places}
### \`POST /${many}/batch\`: many at once

${who}
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`ids\` | body | list of string | yes | 1 to 4 items |
| \`size\` | body | integer | yes | 1 to 9 |

1. For each \`one\` in \`body.ids\`, each on its own, into \`results\`:
   1. Let \`${word}\` be the \`${name}\` where \`it.id == one\`, else \`not_found\`.
   2. Set \`${word}.size\` = \`body.size\`.
   3. Require \`${word}.kind != "green"\`, else \`in_use\`.
2. Let \`good\` be \`results.filter(r, r.done)\`.
3. Respond \`200\` with \`{"good": size(good), "all": size(results)}\`.

### \`DELETE /${many}\`: away with some

${who}
1. Delete every \`${name}\` where \`${random.pick(CONDITIONS)}\`.
2. Let \`rest\` be every \`${name}\`.
3. Let \`kinds\` be the different values of \`kind\` in \`rest\`.
4. Respond \`200\` with \`{"left": size(rest), "kinds": size(kinds)}\`.
`;
}
