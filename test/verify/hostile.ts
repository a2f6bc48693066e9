/** A service that answers wrongly with texts that a report must not obey, and its document. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What would end a script, a CDATA section, an attribute, a terminal's line; or turn it round. */
export const EVIL = "</script><img src=x onerror=alert(1)>]]>&\"'\u001b[31m\u202e\u0000\ud800";

/** The operator's secret, and one that the client makes. */
export const SECRETS = ["key_0123456789abcdef", "REDACTED"] as const;

export const GIVEN = { rows: { Account: [{ key: SECRETS[0] }] } };

export const DOCUMENT = `# Notes of \`</script><script>alert(1)</script>\` and \`]]>\`
## What the service does
- Base path: none
- Body format: \`application/json\`
- Timestamps: in milliseconds
- Cross-origin: none

## Resources and their fields
### \`Account\`, many \`accounts\`
- Rows at the start: given when the service starts

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`key\` | secret | no | no | no | kept as SHA-256 |

### \`Note\`, many \`notes\`
- Rows at the start: none

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`note_\` | no | no | yes | none |
| \`text\` | string | required | no | yes | 1 to 500 characters; matches \`[^<>]*\` |
| \`pin\` | secret | required | no | no | 4 to 40 characters; kept as SHA-256 |

## Endpoints
### Every endpoint
1. Check the caller.
2. Check the inputs.

### \`GET /open\`: see \`<b onload="alert(2)">\` and \`]]>\`
- Who: \`anyone\`
1. Respond 200 with \`"stated"\`.

### \`POST /notes\`
- Who: \`owner\`
- Body: new \`Note\`
1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond 201 with \`Note\` of \`note\`.

### \`GET /late\`
- Who: \`owner\`
1. What it does: not shown.

## Authentication
| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`owner\` | \`caller.id == caller.id\` |

### \`key\`, a scheme
- Sent in: header \`Authorization\`, form \`Bearer {credential}\`
- Credential: opaque
- Caller: the \`Account\` where \`password_matches(it.key, credential)\`, else \`unauthorized\`

## Errors
- Failures reported: first
- Every Body: none

| Error | Status | Failures |
|---|---|---|
| \`unauthorized\` | 401 | no credentials; bad credentials |
| \`broken\` | 500 | fault inside |
`;

/** Listens on a port of its own; whatever is asked is answered wrongly. */
export async function hostileService(): Promise<{ readonly address: string; stop(): void }> {
  const server: Server = createServer((request, response) => {
    request.resume().on("end", () => {
      const { authorization = "nobody" } = request.headers;
      response.setHeader(
        "X-Evil",
        Buffer.from(EVIL.replaceAll(/[\0-\x1f]/g, "")).toString("latin1"),
      );
      response.setHeader("Set-Cookie", "session=cookie_0123456789; Path=/");
      response.setHeader("Content-Type", "application/json");
      const said = authorization.replace("Bearer ", "");
      response.end(JSON.stringify({ [EVIL]: EVIL, said, pin: "pin_0123456789" }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}`, stop };
}
