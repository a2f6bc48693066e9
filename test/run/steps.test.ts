import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { document } from "./document.ts";
import { type Reply, Service, type ServiceOptions } from "./service.ts";

/** Runs a test on both stores. */
function onBoth(
  name: string,
  text: string,
  run: (service: Service) => void,
  options: ServiceOptions = {},
): void {
  for (const kind of ["memory", "sqlite"] as const) {
    test(`${name} (${kind})`, () => {
      const folder = mkdtempSync(join(tmpdir(), "lacuna-steps-"));
      const store = kind === "memory" ? kind : { file: join(folder, "store.db") };
      const service = new Service(text, { ...options, store });
      try {
        run(service);
      } finally {
        service.close();
        rmSync(folder, { recursive: true });
      }
    });
  }
}

function ok(reply: Reply, status = 200): unknown {
  assert.equal(reply.status, status, `${reply.text} ${reply.outcome.effects.fault ?? ""}`);
  return reply.json;
}

const THINGS = `### \`Thing\`, many \`things\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`n\` | integer | no | no | yes | counts up from 1 |
| \`name\` | string | required | optional | yes | unique, else \`taken\` on \`name\` |
| \`size\` | integer or null | optional | optional | yes | starts \`null\` |
| \`note\` | string or absent | optional | optional | yes | none |
| \`tags\` | list of string | optional | optional | yes | starts \`[]\`; in the order given |
| \`version\` | integer | no | no | yes | counts up from 1 on every change |
| \`slug\` | string | no | no | no | set to \`slug(it.name)\` when \`name\` changes |
| \`changed\` | timestamp or null | no | no | no | starts \`null\`; set to \`now\` on update |

### \`Full\`, a view of \`Thing\`

- Fields: \`n\`, \`name\`, \`slug\`, \`changed\``;

const CRUD = `### \`POST /things\`

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.

### \`GET /things\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`min\` | query | integer | no | none |
| \`from\` | query | integer | no | at least 0; absent means \`0\` |
| \`most\` | query | integer | no | at least 0; absent means \`100\` |

1. Let \`found\` be every \`Thing\` where all of:
   - \`!has(query.min) || (it.size != null && it.size >= query.min)\`
2. Order \`found\` by \`it.size\` descending, then \`it.n\` ascending.
3. Let \`page\` be \`found\` from \`query.from\`, at most \`query.most\`.
4. Respond \`200\` with \`{"names": page.map(t, t.name), "all": [string(size(found))]}\`.

### \`PATCH /things/{n}\`

- Body: changed \`Thing\`
- Path \`n\`: \`thing\`, the \`Thing\` by \`n\`, else \`gone\` on \`n\`

1. Set \`thing\` from \`body\`, given members only.
2. Respond \`200\` with \`Thing\` of \`thing\`.

### \`GET /things/{n}/full\`

- Path \`n\`: \`thing\`, the \`Thing\` by \`n\`, else \`gone\` on \`n\`

1. Respond \`200\` with \`Full\` of \`thing\`.

### \`DELETE /things/{n}\`

- Path \`n\`: \`thing\`, the \`Thing\` by \`n\`, else \`gone\` on \`n\`

1. Delete \`thing\`.
2. Respond \`204\` with no body.`;

const crud = document({ resources: THINGS, states: "- No states: `Thing`", endpoints: CRUD });

onBoth("create: starts, counts, absent left out", crud, (service) => {
  const made = ok(service.request("POST", "/things", { body: `{"name":"One Two"}` }), 201);
  const { id, ...rest } = made as { id: string };
  assert.match(id, /^[0-9a-z]{26}$/);
  assert.deepEqual(rest, { n: 1, name: "One Two", size: null, tags: [], version: 1 });
  const next = service.request("POST", "/things", { body: `{"name":"b","note":"","size":7}` });
  assert.match(next.text ?? "", /"n":2,"name":"b","size":7,"note":"","tags":\[\],"version":1\}$/);
});

onBoth("set: given members only, version once, set on change and on update", crud, (service) => {
  ok(service.request("POST", "/things", { body: `{"name":"One Two","note":"x"}` }), 201);
  service.now += 5_000_000n;
  const size = "1234567890123456789012345678901234567";
  const set = service.request("PATCH", "/things/1", { body: `{"size":${size},"tags":["b","a"]}` });
  ok(set);
  assert.match(
    set.text ?? "",
    new RegExp(`"size":${size},"note":"x","tags":\\["b","a"\\],"version":2`),
  );
  ok(service.request("PATCH", "/things/1", { body: `{"name":"New Name","size":null}` }));
  const full = ok(service.request("GET", "/things/1/full"));
  assert.deepEqual(full, {
    n: 1,
    name: "New Name",
    slug: "new-name",
    changed: "2027-01-15T08:00:05.000000Z",
  });
});

onBoth("unique: refused, nothing is left; free again after a delete", crud, (service) => {
  ok(service.request("POST", "/things", { body: `{"name":"a"}` }), 201);
  const twice = service.request("POST", "/things", { body: `{"name":"a"}` });
  assert.deepEqual(ok(twice, 409), { error: "taken", field: "name" });
  assert.equal(twice.outcome.commit, false);
  ok(service.request("POST", "/things", { body: `{"name":"A"}` }), 201);
  const renamed = service.request("PATCH", "/things/2", { body: `{"name":"a"}` });
  assert.equal(renamed.status, 409);
  assert.equal(service.request("DELETE", "/things/1").status, 204);
  assert.equal(service.request("GET", "/things/1/full").status, 404);
  ok(service.request("PATCH", "/things/2", { body: `{"name":"a"}` }));
  // Numbers are not given again, and a refused request takes none.
  assert.match(service.request("POST", "/things", { body: `{"name":"z"}` }).text ?? "", /"n":3/);
});

onBoth("lists: condition, order with null, page and count", crud, (service) => {
  for (const [name, size] of [
    ["a", 5],
    ["b", null],
    ["c", 9],
    ["d", 5],
    ["e", -1],
  ] as const) {
    ok(service.request("POST", "/things", { body: JSON.stringify({ name, size }) }), 201);
  }
  const names = (query: string) => service.request("GET", `/things${query}`).text;
  assert.equal(names(""), `{"names":["c","a","d","e","b"],"all":["5"]}`);
  assert.equal(names("?min=5"), `{"names":["c","a","d"],"all":["3"]}`);
  assert.equal(names("?from=1&most=2"), `{"names":["a","d"],"all":["5"]}`);
  assert.equal(names("?from=99999999999999999999999999&most=2"), `{"names":[],"all":["5"]}`);
  assert.equal(names("?min=99999999999999999999999"), `{"names":[],"all":["0"]}`);
});

const FLOW = `### \`POST /flow/{kind}\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`kind\` | path | one of \`keep\`, \`lose\`, \`none\` | yes | none |
| \`names\` | body | list of string | yes | none |

1. Create a \`Thing\` as \`first\` with \`name\` = \`"first"\`.
2. By \`path.kind\`:
   - \`"keep"\`: refuse with \`refused\` on \`kind\`, keeping what was done.
   - \`"lose"\`: refuse with \`refused\`.
   - any other: do nothing.
3. For each \`name\` in \`body.names\`, each on its own, into \`results\`:
   1. Create a \`Thing\` as \`made\` with \`name\` = \`name\`.
   2. When \`name == "bad"\`, refuse with \`bad\`.
   3. Do \`stretch\` with \`thing\` = \`made\`.
4. Respond \`200\` with \`results.map(r, r.element + (r.done ? "" : "!"))\`.

### \`stretch\`, steps

- Given \`thing\`: \`Thing\`

1. Set \`thing.size\` = \`size(thing.name)\`.
2. Require \`size(thing.name) < 5\`, else \`refused\`.

### \`POST /order\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`a\` | body | integer | yes | none |
| \`b\` | body | integer | yes | none |

1. In any order:
   1. Require \`body.a > 0\`, else \`bad\`.
   2. Require \`body.b > 0\`, else \`refused\`.
2. Create a \`Thing\` with \`name\` = \`string(body.a)\`, unless one is there.
3. Respond \`200\` with \`{"n": size(things)}\`.`;

const flow = document({
  resources: THINGS,
  states: "- No states: `Thing`",
  endpoints: `${CRUD}\n\n${FLOW}`,
});

onBoth("refuse: keeping what was done, and not", flow, (service) => {
  const body = `{"names":[]}`;
  assert.deepEqual(ok(service.request("POST", "/flow/lose", { body }), 422), {
    error: "refused",
    field: null,
  });
  assert.equal(service.request("GET", "/things").text, `{"names":[],"all":["0"]}`);
  assert.deepEqual(ok(service.request("POST", "/flow/keep", { body }), 422), {
    error: "refused",
    field: "kind",
  });
  assert.equal(service.request("GET", "/things").text, `{"names":["first"],"all":["1"]}`);
});

onBoth("for each on its own: one that is refused undoes itself alone", flow, (service) => {
  const body = `{"names":["ab","bad","toolong","cd"]}`;
  assert.deepEqual(ok(service.request("POST", "/flow/none", { body })), [
    "ab",
    "bad!",
    "toolong!",
    "cd",
  ]);
  assert.equal(service.request("GET", "/things").text, `{"names":["ab","cd","first"],"all":["3"]}`);
});

onBoth("in any order: two different failures are a gap", flow, (service) => {
  const post = (a: number, b: number) =>
    service.request("POST", "/order", { body: JSON.stringify({ a, b }) });
  assert.deepEqual(ok(post(0, 1), 400), { error: "bad", field: null });
  assert.deepEqual(ok(post(1, 0), 422), { error: "refused", field: null });
  const both = post(0, 0);
  assert.equal(both.status, 501);
  assert.equal(both.outcome.effects.gap?.sentence, "In any order:");
  assert.deepEqual(ok(post(1, 1)), { n: 1 });
  assert.deepEqual(ok(post(1, 1)), { n: 1 }, "unless one is there");
});

onBoth(
  "a gap among steps rolls everything back and says where",
  document({
    resources: THINGS,
    states: "- No states: `Thing`",
    endpoints: `${CRUD}

### \`POST /gap\`

- Body: none

1. Create a \`Thing\` with \`name\` = \`"x"\`.
2. How it goes on: not shown.`,
  }),
  (service) => {
    const met = service.request("POST", "/gap");
    assert.equal(met.status, 501);
    assert.equal(met.headers["Content-Type"], "application/problem+json");
    assert.match(met.text ?? "", /"gap":\{"id":"endpoints\/POST \/gap.*How it goes on: not shown/);
    assert.equal(service.request("GET", "/things").text, `{"names":[],"all":["0"]}`);
  },
);

onBoth(
  "a fault of an expression is answered as stated",
  document({
    resources: `### \`Count\`, many \`counts\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`key\` | string | no | no | yes | key; unique, else \`taken\`; starts \`"one"\` |
| \`n\` | integer | no | no | yes | starts \`1\` |`,
    states: "- No states: `Count`",
    endpoints: `### \`POST /counts\`

- Body: none

1. Create a \`Count\`.
2. Respond \`204\` with no body.

### \`POST /counts/{key}/times/{by}\`

- Body: none
- Path \`key\`: \`count\`, the \`Count\` by \`key\`, else \`gone\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`by\` | path | integer | yes | 0 to 1000000000000000000 |

1. Set \`count.n\` = \`count.n * path.by\`.
2. Respond \`200\` with \`{"result": count.n}\`.`,
  }),
  (service) => {
    const most = 10n ** 18n;
    assert.equal(service.request("POST", "/counts").status, 204);
    assert.equal(service.request("POST", `/counts/one/times/${most}`).text, `{"result":${most}}`);
    assert.equal(
      service.request("POST", `/counts/one/times/${most}`).text,
      `{"result":${most * most}}`,
    );
    // What grows from request to request comes to an end of its type some time.
    const fault = service.request("POST", `/counts/one/times/${most}`);
    assert.deepEqual(ok(fault, 500), { error: "broken", field: null });
    assert.match(fault.outcome.effects.fault ?? "", /38 digits|overflow|range/);
    assert.equal(service.request("POST", "/counts/one/times/1").text, `{"result":${most * most}}`);
    assert.deepEqual(ok(service.request("POST", "/counts/one/times/x"), 400), {
      error: "bad",
      field: "by",
    });
  },
);

onBoth(
  "endpoints whose names are long and begin alike have each their own gap",
  document({
    endpoints: ["", "/more"]
      .map(
        (
          end,
        ) => `### \`GET /a_rather_long_name/{first_parameter}/and_another_long_name/{second}${end}\`

1. When \`path.second == "x"\`, not shown.
2. Respond \`200\` with \`{"is": path.first_parameter}\`.`,
      )
      .join("\n\n"),
  }),
  (service) => {
    const at = "/a_rather_long_name/1/and_another_long_name";
    assert.deepEqual(ok(service.request("GET", `${at}/y/more`)), { is: "1" });
    const ids = ["", "/more"].map((end) => {
      const { status, json } = service.request("GET", `${at}/x${end}`);
      assert.equal(status, 501);
      return (json as { gap: { id: string } }).gap.id;
    });
    const name = "GET /a_rather_long_name/{first_parameter}/and_another_long_name/{second}";
    assert.ok(ids[0]?.startsWith(`endpoints/${name}/step`), ids[0]);
    assert.ok(ids[1]?.startsWith(`endpoints/${name}/more/step`), ids[1]);
  },
);

onBoth(
  "a header of the request comes back in the answer, and is left out where it was not sent",
  document({
    endpoints: `### \`GET /echo\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`X-Req\` | header | string | no | none |

1. Respond \`204\` with no body, header \`X-Req\` = \`has(header["X-Req"]) ? header["X-Req"] : null\`.`,
  }),
  (service) => {
    const headersOf = (headers: Readonly<Record<string, string>>) =>
      Object.entries(service.request("GET", "/echo", { headers }).headers).filter(
        ([name]) => name.toLowerCase() === "x-req",
      );
    assert.deepEqual(
      headersOf({ "X-Req": "a1" }).map(([, value]) => value),
      ["a1"],
    );
    assert.deepEqual(headersOf({}), []);
  },
);
