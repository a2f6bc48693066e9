/** Answers that an assumption determines say so, and no others. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { assumedBy, type Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { AssumptionHeaders } from "../../src/serve/engine/assumption-headers.ts";
import { serve } from "../../src/serve/index.ts";
import { document } from "../run/document.ts";

const text = document({
  about: "- Cross-origin: none\n- One request: all or nothing, as if alone",
  resources: `### \`Card\`, many \`cards\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |

### \`Pot\`, many \`pots\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else not shown |`,
  states: "- No states: `Card`, `Pot`",
  endpoints: ["Card", "Pot"]
    .map(
      (one) => `### \`POST /${one.toLowerCase()}s\`

- Body: new \`${one}\`

1. Create a \`${one}\` as \`made\` from \`body\`.
2. Respond \`201\` with \`${one}\` of \`made\`.`,
    )
    .join("\n\n"),
  errors: "| `odd` | not shown | `Problem` |",
  failures: "| unknown path | `gone` |\n| unknown method | not shown |\n| malformed body | `odd` |",
});

const assumptions = `# Assumptions for Test

## Resources and their fields

### \`Pot\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | unique, else \`taken\` |

## Errors

| Error | Status | Body |
|---|---|---|
| \`odd\` | 418 | \`Problem\` |

| Failure | Error |
|---|---|
| unknown method | \`refused\` |
`;

function made(assumed?: string): Plan {
  const checked = check(
    read(Buffer.from(text)),
    ...(assumed === undefined ? [] : ([read(Buffer.from(assumed))] as const)),
  );
  const planned = plan(checked);
  assert.ok(planned, checked.findings.map((one) => one.message).join("\n"));
  return planned.plan;
}

test("an answer that an assumption determines is marked, another is not", async (t) => {
  const running = await serve(made(assumptions), { memory: true });
  t.after(() => running.stop());
  const ask = async (
    method: string,
    path: string,
    body?: string,
  ): Promise<[number, string | null]> => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${running.address}${path}`, { method, headers, body });
    return [answer.status, answer.headers.get("lacuna-assumed")];
  };
  const card = JSON.stringify({ name: "a" });
  assert.deepEqual(await ask("POST", "/cards", card), [201, null]);
  assert.deepEqual(await ask("POST", "/cards", card), [409, null]);
  assert.deepEqual(await ask("GET", "/nowhere"), [404, null]);
  assert.deepEqual(await ask("POST", "/pots", card), [201, null]);
  const [taken, other] = await ask("POST", "/pots", card);
  assert.equal(taken, 409);
  assert.match(other ?? "", /"resources\/Pot\/name/);
  assert.deepEqual(await ask("POST", "/cards", "{"), [418, '"errors/odd/status"']);
  assert.deepEqual(await ask("DELETE", "/cards"), [422, '"errors/unknown method"']);
});

test("without assumptions nothing is marked, and a mark is bounded and plain", async (t) => {
  const running = await serve(made(), { memory: true });
  t.after(() => running.stop());
  const gap = await fetch(`${running.address}/cards`, { method: "DELETE" });
  assert.deepEqual([gap.status, gap.headers.get("lacuna-assumed")], [501, null]);
  const { plan: whole } = { plan: made(assumptions) };
  const ids = Array.from({ length: 40 }, (_, i) => `about/${i} "é\\${"x".repeat(300)}`);
  const columns = ids.map((id) => ({ name: id, value: { is: "stated", id, value: "" } as const }));
  const many = new AssumptionHeaders({
    ...whole,
    assumed: ids,
    errors: whole.errors.map((one) => ({ ...one, columns })),
  });
  const [name, value = ""] = many.of({ conditions: ["unknown path"] });
  assert.equal(name, "Lacuna-Assumed");
  assert.match(value, /, more;count=28$/);
  assert.ok(value.length < 2_000 && /^[ -~]*$/.test(value));
});

test("who is given a token is told which of its terms are assumed", () => {
  const part = (name: string) => {
    const path = new URL(`../../examples/conduit/${name}.md`, import.meta.url);
    return read(readFileSync(path));
  };
  const planned = plan(check(part("spec"), part("assumptions")));
  assert.ok(planned);
  const { endpoints } = planned.plan;
  const of = (id: string): string => {
    const at = endpoints.findIndex((one) => one.id === `endpoints/${id}`);
    return assumedBy(planned.plan, { endpoint: at }).join(" ");
  };
  for (const id of ["POST /users", "POST /users/login"]) {
    assert.match(of(id), /authentication\/token\/credential/, id);
    assert.match(of(id), /authentication\/token\/lifetime/, id);
  }
  assert.doesNotMatch(of("GET /tags"), /authentication/);
});
