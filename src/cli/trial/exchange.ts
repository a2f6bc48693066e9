/** Sends the request of one exchange and judges the answer; knows no document. */
import { request as openHttp } from "node:http";
import { request as openHttps } from "node:https";
import type { ExampleExchange, ExampleText } from "../../spec/index.ts";
import { bodyDiffers, filled, headerFits, type Kept } from "./answers.ts";

const TIMEOUT_MS = 30_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What is otherwise than the example says, and where in the block it says it. */
export interface Difference {
  readonly message: string;
  readonly at: ExampleText;
  /** The body that was got, where the status is another: it mostly says why. */
  readonly body?: string;
}

function send(address: string, { request }: ExampleExchange, kept: Kept): Promise<Answer> {
  const headers: Record<string, string[]> = {};
  for (const { name, value } of request.headers) {
    headers[name.text] = [...(headers[name.text] ?? []), filled(value.text, kept)];
  }
  const body = request.body === undefined ? undefined : filled(request.body.text, kept);
  if (body !== undefined) headers["Content-Length"] ??= [String(Buffer.byteLength(body))];
  const { protocol, hostname, port, pathname } = new URL(address);
  const open = protocol === "https:" ? openHttps : openHttp;
  const path = pathname.replace(/\/$/, "") + filled(request.target.text, kept);
  return new Promise((done, fail) => {
    const sent = open(
      { hostname, port, path, method: request.method.text, headers, timeout: TIMEOUT_MS },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", fail);
        answer.on("end", () =>
          done({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    sent.on("error", fail);
    sent.end(body);
  });
}

function judge({ response }: ExampleExchange, got: Answer, kept: Kept): Difference | undefined {
  if (got.status !== response.status) {
    return { message: `The answer is ${got.status}.`, at: response.statusText, body: got.body };
  }
  for (const { name, value } of response.headers) {
    const field = got.headers[name.text.toLowerCase()];
    const text = Array.isArray(field) ? field.join(", ") : (field ?? null);
    if (headerFits(value.text, text, kept)) continue;
    const what = text === null ? "is not sent" : `is \`${text}\``;
    return { message: `\`${name.text}\` ${what}.`, at: value };
  }
  if (response.body === undefined) return undefined;
  const differs = bodyDiffers(response.body.text, got.body, kept);
  return differs === undefined ? undefined : { message: differs, at: response.body };
}

/** Does one exchange; what placeholders stand for goes into `kept`. */
export async function exchange(
  address: string,
  one: ExampleExchange,
  kept: Kept,
): Promise<Difference | undefined> {
  try {
    return judge(one, await send(address, one, kept), kept);
  } catch (fault) {
    return { message: `There is no answer: ${(fault as Error).message}.`, at: one.request.target };
  }
}
