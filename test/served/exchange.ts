/** One request of an `http` block, sent as it stands, and what its answer has otherwise. */
import assert from "node:assert/strict";
import { type IncomingMessage, request as send } from "node:http";
import type { ExampleExchange } from "../../src/spec/index.ts";
import { bodyDiffers, filled, headerFits, type Kept } from "./answers.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

function ask(address: string, one: ExampleExchange, kept: Kept): Promise<Answer> {
  const { request } = one;
  const headers: Record<string, string> = {};
  for (const { name, value } of request.headers) headers[name.text] = filled(value.text, kept);
  let body = request.body === undefined ? undefined : filled(request.body.text, kept);
  if (/^multipart\//i.test(headers["Content-Type"] ?? "")) body = body?.replaceAll("\n", "\r\n");
  if (body !== undefined) headers["Content-Length"] ??= String(Buffer.byteLength(body));
  const options = { method: request.method.text, headers, agent: false };
  return new Promise((resolve, reject) => {
    const target = filled(request.target.text, kept);
    const sent = send(`${address}${target}`, options, (got) => {
      const pieces: Buffer[] = [];
      got.on("data", (piece: Buffer) => pieces.push(piece));
      got.on("end", () =>
        resolve({
          status: got.statusCode ?? 0,
          headers: got.headers,
          body: Buffer.concat(pieces).toString(),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends the request and fails where the answer is not the one stated. */
export async function exchange(
  address: string,
  one: ExampleExchange,
  kept: Kept,
  where: string,
): Promise<void> {
  const { response } = one;
  const got = await ask(address, one, kept);
  assert.equal(got.status, response.status, `${where}: ${got.body}`);
  for (const header of response.headers) {
    const value = got.headers[header.name.text.toLowerCase()];
    assert.ok(
      headerFits(header.value.text, value === undefined ? null : String(value), kept),
      `${where}: header ${header.name.text} is ${value}, not ${filled(header.value.text, kept)}`,
    );
  }
  if (response.body !== undefined) {
    assert.equal(bodyDiffers(response.body.text, got.body, kept), undefined, where);
  }
}
