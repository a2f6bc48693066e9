/** `lacuna verify` of a file in OpenAPI: what it states of answers is judged, and no more. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { folder, lacuna } from "../cli/world.ts";

const FILE = `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: /v1 }]
paths:
  /pets:
    get:
      responses:
        "200":
          description: All pets
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Pet" } }
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Pet" }
      responses:
        "201": { description: Made }
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: One pet
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Pet" }
        "404": { description: No such pet }
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties: { name: { type: string }, age: { type: integer } }
`;

type Sent = readonly [status: number, type: string, body: string];

async function verified(t: TestContext, pets: Sent) {
  const send = (outgoing: ServerResponse, [status, type, body]: Sent): void =>
    void outgoing.writeHead(status, { "Content-Type": type, "X-Own": "a" }).end(body);
  let changes = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    if (incoming.method === "POST") changes += 1;
    if (incoming.url?.split("?")[0] === "/v1/pets") send(outgoing, pets);
    else send(outgoing, [404, "text/plain", "none"]);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const file = join(folder(t), "pets.yaml");
  writeFileSync(file, FILE);
  const { port } = server.address() as AddressInfo;
  const bounds = ["--requests", "30", "--seconds", "20", "--shrink", "0"];
  const args = ["verify", file, `http://127.0.0.1:${port}`, "--format", "json", ...bounds];
  const { code, out, err } = await lacuna(args);
  server.closeAllConnections();
  assert.ok(out !== "", err);
  return { code, report: JSON.parse(out), changes };
}

const pets: readonly [name: string, sent: Sent, code: number][] = [
  ["what the file says", [200, "application/json", '[{"name":"Tom","age":3,"more":[1]}]'], 0],
  ["a status that it does not name", [503, "text/plain", "later"], 0],
  ["a member that is missing", [200, "application/json", '[{"age":3}]'], 1],
  ["a member of another type", [200, "application/json", '[{"name":"Tom","age":"3"}]'], 1],
  ["another form", [200, "application/json; charset=utf-8", '{"name":"Tom"}'], 1],
  ["no JSON", [200, "application/json", "Tom"], 1],
  ["another media type", [200, "text/csv", "Tom,3"], 1],
];

for (const [name, sent, expected] of pets) {
  test(`a file in OpenAPI, and a service that answers with ${name}`, async (t) => {
    const { code, report, changes } = await verified(t, sent);
    assert.equal(code, expected, JSON.stringify(report.broken));
    assert.ok(report.run.requests > 0);
    // Nobody can foresee what a change does of which the file does not tell.
    assert.equal(changes, 0);
    const named = report.broken.flatMap((one: { items: readonly string[] }) => one.items);
    assert.ok(named.every((one: string) => one.startsWith("endpoints/GET /pets")));
    if (expected === 1) return;
    const held = report.items.filter((one: { verdict: string }) => one.verdict === "held");
    assert.equal(held.length > 0, true);
  });
}
