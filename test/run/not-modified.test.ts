/**
 * `304` is answered only where the version tag of the row stands for the whole of the answer: each
 * form of answer is asked for with the tag that it came with, before and behind a change of what it
 * is made of, and no answer that differs is kept back.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { whyNotCompared } from "../../src/plan/index.ts";
import { document } from "./document.ts";
import { planOf, Service } from "./service.ts";

const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";

interface Case {
  /** Whether a tag that is sent is compared. */
  readonly isCompared: boolean;
  /** More fields of the thing. */
  readonly fields?: string;
  /** A view, a shape, a part. */
  readonly forms?: string;
  readonly path?: string;
  readonly binding?: string;
  readonly inputs?: string;
  readonly steps: string;
  /** Asked for instead of `/things/1`. */
  readonly target?: string;
}

const view = (fields: string, taken = ""): string =>
  `### \`Shown\`, a view of \`Thing\`

${taken}${fields === "" ? "" : `| Field | Type | Value |\n|---|---|---|\n${fields}`}`;

const SHOWN = "1. Respond `200` with `Shown` of `thing`.";

const CASES: Readonly<Record<string, Case>> = {
  "the row itself": { isCompared: true, steps: "1. Respond `200` with `Thing` of `thing`." },
  "a field that nobody is shown": {
    isCompared: true,
    fields: '| `hidden` | string | no | no | no | starts `"h"` |',
    steps: "1. Respond `200` with `Thing` of `thing`.",
  },
  "a view of some fields": {
    isCompared: true,
    forms: view("", "- Fields: `id`, `size`\n\n"),
    steps: SHOWN,
  },
  "a member made of the row's own": {
    isCompared: true,
    forms: view("| `twice` | string | `string(it.size) + it.title` |"),
    steps: SHOWN,
  },
  "a list made of the row's own": {
    isCompared: true,
    forms: view("| `all` | list of integer | `[it.size].map(x, x)` |"),
    steps: SHOWN,
  },
  "the name of a row whose key stays": {
    isCompared: true,
    fields: "| `friend` | `Owner` or null | no | no | yes | starts `null` |",
    steps: "1. Respond `200` with `Thing` of `thing`.",
  },
  "the name of a row whose key is changed": {
    isCompared: false,
    fields:
      "| `sort` | `Kind` or null | no | no | yes | starts `it.kind`; its deletion is refused, else `taken` |",
    steps: "1. Respond `200` with `Thing` of `thing`.",
  },
  "another row as it is shown": {
    isCompared: false,
    forms: view("| `owner` | `Owner` | `it.owner` |"),
    steps: SHOWN,
  },
  "a list of other rows": {
    isCompared: false,
    forms: view("| `owners` | list of `Owner` | `[it.owner]` |"),
    steps: SHOWN,
  },
  "a shape in the view": {
    isCompared: false,
    forms: `${view("| `by` | `Name` | `it.owner` |")}

### \`Name\`, a shape

- Given \`of\`: \`Owner\`

| Field | Type | Value |
|---|---|---|
| \`name\` | string | \`of.name\` |`,
    steps: SHOWN,
  },
  "a part of the row": {
    isCompared: true,
    fields: '| `mark` | `Mark` | optional | no | no | starts `{"word": "w"}` |',
    forms: `${view("| `mark` | `Mark` | `it.mark` |")}

### \`Mark\`, a part

${FIELDS}
| \`word\` | string | required | no | yes | none |`,
    steps: SHOWN,
  },
  "a member of another row": {
    isCompared: false,
    forms: view("| `name` | string | `it.owner.name` |"),
    steps: SHOWN,
  },
  "a number of other rows": {
    isCompared: false,
    forms: view("| `count` | integer | `size(owners)` |"),
    steps: SHOWN,
  },
  "the time": {
    isCompared: false,
    forms: view("| `at` | timestamp in microseconds | `now` |"),
    steps: SHOWN,
  },
  "a list of rows": {
    isCompared: false,
    steps: "1. Respond `200` with list of `Thing` of `[thing]`.",
  },
  "a shape that is given the row": {
    isCompared: false,
    forms: `### \`Given\`, a shape

- Given \`thing\`: \`Thing\`
- Given \`word\`: string

| Field | Type | Value |
|---|---|---|
| \`thing\` | \`Thing\` | \`thing\` |
| \`word\` | string | \`word\` |`,
    inputs: '| `word` | query | string | no | absent means `"a"` |',
    steps: "1. Respond `200` with `Given` where `thing` = `thing` and `word` = `query.word`.",
  },
  "one of two answers, by a parameter": {
    isCompared: false,
    forms: view("", "- Fields: `id`\n\n"),
    inputs: "| `short` | query | boolean | no | absent means `false` |",
    steps:
      "1. When `query.short`, respond `200` with `Shown` of `thing`.\n" +
      "2. Respond `200` with `Thing` of `thing`.",
  },
  "a row that is named by what changes": {
    isCompared: false,
    path: "/things/by/{title}",
    binding: "- Path `title`: `thing`, the `Thing` by `title`, else `gone`",
    steps: "1. Respond `200` with `Thing` of `thing`.",
    target: "/things/by/a",
  },
  "another row than the path names": {
    isCompared: false,
    steps:
      "1. Let `found` be every `Thing`.\n2. Order `found` by `it.size` descending, then `it.id` ascending.\n" +
      "3. Let `first` be `size(found) > 0 ? found[0] : thing`.\n" +
      "4. Respond `200` with `Thing` of `first`.",
  },
};

function textOf(one: Case): string {
  const { fields = "", forms = "", inputs = "", steps } = one;
  const {
    path = "/things/{id}",
    binding = "- Path `id`: `thing`, the `Thing` by `id`, else `gone`",
  } = one;
  const table = "| Input | In | Type | Needed | Rules |\n|---|---|---|---|---|";
  const row = (name: string, by: string) => `### \`POST /${name}s\`

- Body: new \`${by}\`

1. Create a \`${by}\` as \`made\` from \`body\`.
2. Respond \`204\` with no body.

### \`PATCH /${name}s/{id}\`

- Body: changed \`${by}\`
- Path \`id\`: \`made\`, the \`${by}\` by \`id\`, else \`gone\`

1. Set \`made\` from \`body\`, given members only.
2. Respond \`204\` with no body.`;
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Thing\`, many \`things\`

- Version tag: \`version\`, strong; none sent: not shown; another sent: not shown

${FIELDS}
| \`id\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`title\` | string | required | optional | yes | unique, else \`taken\` |
| \`size\` | integer | required | optional | yes | none |
| \`owner\` | \`Owner\` | required | optional | no | its deletion is refused, else \`taken\` |
| \`kind\` | \`Kind\` | required | optional | no | its deletion is refused, else \`taken\` |
${fields}${fields === "" ? "" : "\n"}| \`version\` | integer | no | no | no | counts up from 1 on every change |

### \`Owner\`, many \`owners\`

${FIELDS}
| \`id\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`name\` | string | required | optional | yes | none |

### \`Kind\`, many \`kinds\`

${FIELDS}
| \`code\` | string | required | optional | yes | key; unique, else \`taken\` |
| \`id\` | integer | required | no | no | unique, else \`taken\` |

${forms}`,
    states: "- No states: `Thing`, `Owner`, `Kind`",
    endpoints: `### \`GET ${path}\`

${binding}

${inputs === "" ? "" : `${table}\n${inputs}\n\n`}${steps}

${row("thing", "Thing")}

${row("owner", "Owner")}

${row("kind", "Kind")}`,
  });
}

const CHANGES: readonly (readonly [target: string, body: string])[] = [
  ["PATCH /owners/1", '{"name":"o2"}'],
  ["PATCH /kinds/1", '{"code":"k2"}'],
  ["POST /owners", '{"id":2,"name":"x"}'],
  ["PATCH /things/2", '{"size":99}'],
  ["PATCH /things/1", '{"title":"c"}'],
  ["PATCH /things/2", '{"title":"a"}'],
  ["PATCH /things/1", '{"size":7}'],
];

for (const [name, one] of Object.entries(CASES)) {
  test(`304: ${name}: ${one.isCompared ? "compared" : "not compared"}`, () => {
    const text = textOf(one);
    const plan = planOf(text);
    const endpoint = plan.endpoints.find(({ method }) => method === "GET");
    assert.ok(endpoint);
    assert.equal(whyNotCompared(plan, endpoint) === undefined, one.isCompared);
    const service = new Service(text);
    const send = (what: string, body: string) => {
      const [method = "", target = ""] = what.split(" ");
      const { status, text: told } = service.request(method, target, { body });
      assert.equal(status, 204, `${what}: ${told}`);
    };
    const get = (tag?: string) =>
      service.request("GET", one.target ?? "/things/1", {
        headers: tag === undefined ? {} : { "if-none-match": tag },
      });
    try {
      send("POST /owners", '{"id":1,"name":"o"}');
      send("POST /kinds", '{"id":1,"code":"k"}');
      send("POST /things", '{"id":1,"title":"a","size":3,"owner":1,"kind":"k"}');
      send("POST /things", '{"id":2,"title":"b","size":2,"owner":1,"kind":"k"}');
      let isKept = false;
      let before = get();
      for (const [what, body] of CHANGES) {
        const tag = before.headers["ETag"] ?? '"1"';
        isKept ||= get(tag).status === 304;
        send(what, body);
        const now = get();
        if (get(tag).status === 304) assert.equal(now.text, before.text, `${what} ${body}`);
        before = now;
      }
      assert.equal(isKept, one.isCompared);
    } finally {
      service.close();
    }
  });
}
