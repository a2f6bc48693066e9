/** Credentials that are no caller's: refused where they are needed, else the stated condition. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { document } from "./document.ts";
import { Service } from "./service.ts";

function serviceOf(otherwise: string, optional: string): Service {
  return new Service(
    document({
      resources:
        "### `User`\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n" +
        "| `id` | id | no | no | yes | none |\n| `key` | secret | required | no | no | kept as SHA-256 |",
      states: "- No states: `User`",
      every: "1. Check the caller.\n2. Check the inputs.",
      endpoints: ["needed", "optional"]
        .map(
          (path) => `### \`GET /${path}\`

- Who: \`user\`${path === "optional" ? " or `anyone`" : ""}

1. Respond \`200\` with \`{"known": caller != null}\`.
`,
        )
        .join("\n"),
      authentication: `| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`user\` | \`true\` |

### \`key\`, a scheme

- Sent in: header \`Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`User\` where \`password_matches(it.key, credential)\`, else ${otherwise}
- Revocation: none`,
      failures: `| no credentials | \`bad\` |
| bad credentials | \`bad\` |
| bad credentials where optional | ${optional} |
| not permitted | \`bad\` |`,
    }),
  );
}

function ask(service: Service, path: string): number {
  const presented = [{ is: "opaque", credential: "nobody's" } as const];
  return service.request("GET", path, { presented }).status;
}

test("a credential that is no caller's gets the Caller bullet's error, or where it is optional the condition's", () => {
  for (const [otherwise, optional, statuses] of [
    ["`gone`", "`taken`", [404, 409]],
    ["`gone`", "ignored", [404, 200]],
    ["not shown", "`taken`", [501, 409]],
    ["not shown", "ignored", [501, 200]],
    ["`gone`", "not shown", [404, 501]],
  ] as const) {
    const service = serviceOf(otherwise, optional);
    assert.deepEqual(
      [ask(service, "/needed"), ask(service, "/optional")],
      statuses,
      `${otherwise}, ${optional}`,
    );
    service.close();
  }
});
