/** Code behind calls at an address, as code in any language would be: for a test to watch. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Asked {
  readonly call: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly undoes: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export type Answer = (asked: Asked, response: ServerResponse) => unknown;

export interface Web {
  readonly address: string;
  readonly port: number;
  readonly asked: Asked[];
  /** Answers an object as JSON; undefined: the answer is its own affair. */
  answer: Answer;
  close(): Promise<void>;
}

function unquoted(text: string | string[] | undefined): string | undefined {
  return typeof text === "string" ? text.replace(/^"|"$/g, "") : undefined;
}

/** Listens; closed when the test ends. */
export async function web(t: TestContext, answer: Answer, port = 0): Promise<Web> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: Asked = {
      call: decodeURIComponent((request.url ?? "").split("/").at(-1) ?? ""),
      given: JSON.parse(Buffer.concat(chunks).toString()) as Asked["given"],
      key: unquoted(request.headers["idempotency-key"]) ?? "",
      undoes: unquoted(request.headers["lacuna-undoes"]),
      headers: request.headers,
    };
    made.asked.push(asked);
    const said = await made.answer(asked, response);
    if (said === undefined) return;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  t.after(close);
  const at = (server.address() as AddressInfo).port;
  const made: Web = { address: `http://127.0.0.1:${at}/code`, port: at, asked: [], answer, close };
  return made;
}
