/** Traffic through the proxy is what it would be without it, and nothing waits for the judge. */
import assert from "node:assert/strict";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import { Forwarder } from "../../../src/verify/proxy/forward.ts";
import type { Passed } from "../../../src/verify/proxy/passed.ts";

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

let handler: Handler = (_, outgoing) => void outgoing.end();
const told: Passed[] = [];
let service: Server;
let forwarder: Forwarder;
let port = 0;

before(async () => {
  service = createServer((incoming, outgoing) => handler(incoming, outgoing));
  service.on("upgrade", (incoming, socket) => {
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n",
    );
    socket.write(`${incoming.headers.upgrade} `);
    socket.pipe(socket);
  });
  service.on("checkContinue", (incoming, outgoing) => {
    outgoing.writeContinue();
    handler(incoming, outgoing);
  });
  await new Promise<void>((done) => service.listen(0, "127.0.0.1", done));
  const url = new URL(`http://127.0.0.1:${(service.address() as AddressInfo).port}/base`);
  const contentMax = 1_000_000;
  const tell = (one: Passed): void => void told.push(one);
  forwarder = new Forwarder({ url, keepHost: false, contentMax, tell });
  port = await forwarder.listen(0, "127.0.0.1");
});
after(async () => {
  await forwarder.close(0);
  service.closeAllConnections();
  service.close();
});

interface Got {
  readonly status: number;
  readonly body: string;
  readonly answer: IncomingMessage;
  readonly infos: readonly number[];
}

function ask(
  options: RequestOptions,
  send: (asking: ReturnType<typeof request>) => void,
): Promise<Got> {
  told.length = 0;
  return new Promise((done, fail) => {
    const infos: number[] = [];
    const asking = request({ port, host: "127.0.0.1", ...options }, (answer) => {
      let body = "";
      answer.on("data", (chunk) => (body += chunk));
      answer.on("end", () => done({ status: answer.statusCode ?? 0, body, answer, infos }));
      answer.on("error", fail);
    });
    asking.on("information", ({ statusCode }) => infos.push(statusCode));
    asking.on("error", fail);
    send(asking);
  });
}

const plainly = (asking: ReturnType<typeof request>): void => void asking.end();

test("a request and its answer go through as they are, but for what is of one hop", async () => {
  handler = (incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming;
    outgoing.writeHead(201, "Made So", [
      ...["X-Twice", "a", "X-Twice", "b", "Set-Cookie", "x=1", "Set-Cookie", "y=2"],
      ...["Connection", "X-Hop", "X-Hop", "1"],
    ]);
    outgoing.end(JSON.stringify({ method, url, rawHeaders }));
  };
  const headers = { "X-Own": ["1", "2"], Connection: "keep-alive, X-Mine", "X-Mine": "3" };
  const got = await ask({ path: "/a%20b?c=d%2F", headers }, plainly);
  const asked = JSON.parse(got.body);
  assert.equal(asked.url, "/base/a%20b?c=d%2F");
  const names = asked.rawHeaders.filter((_: string, i: number) => i % 2 === 0);
  assert.ok(!names.includes("X-Mine"), names.join());
  assert.equal(names.filter((one: string) => one === "X-Own").length, 2);
  assert.equal(asked.rawHeaders[asked.rawHeaders.indexOf("Via") + 1], "1.1 lacuna");
  assert.match(asked.rawHeaders[asked.rawHeaders.indexOf("Host") + 1], /^127\.0\.0\.1:/);
  assert.deepEqual([got.status, got.answer.statusMessage], [201, "Made So"]);
  const kept = got.answer.rawHeaders.filter((_, i) => i % 2 === 0);
  assert.equal(kept.filter((one) => one === "X-Twice").length, 2);
  assert.deepEqual(got.answer.headers["set-cookie"], ["x=1", "y=2"]);
  assert.ok(!kept.includes("X-Hop"));
  const [one] = told;
  assert.equal(one?.target, "/a%20b?c=d%2F");
  assert.equal(String(one?.answerBody), got.body);
});

const bodies: readonly (readonly [name: string, options: RequestOptions, chunks: string[]])[] = [
  ["with its length", { method: "POST", headers: { "Content-Length": "4" } }, ["ab", "cd"]],
  ["in chunks", { method: "POST", headers: { "Transfer-Encoding": "chunked" } }, ["ab", "cd"]],
  ["of DELETE", { method: "DELETE", headers: { "Transfer-Encoding": "chunked" } }, ["abcd"]],
  ["none of POST", { method: "POST", headers: { "Content-Length": "0" } }, []],
];
for (const [name, options, chunks] of bodies) {
  test(`a content goes through: ${name}`, async () => {
    handler = (incoming, outgoing) => {
      let body = "";
      incoming.on("data", (chunk) => (body += chunk));
      incoming.on("end", () => outgoing.end(`${incoming.method} ${body}`));
    };
    const got = await ask(options, (asking) => {
      for (const chunk of chunks) asking.write(chunk);
      asking.end();
    });
    assert.equal(got.body, `${options.method} ${chunks.join("")}`);
    assert.equal(String(told[0]?.body ?? ""), chunks.join(""));
  });
}

test("trailers go through both ways", async () => {
  handler = (incoming, outgoing) => {
    incoming.resume().on("end", () => {
      outgoing.writeHead(200, { Trailer: "X-Sum" });
      outgoing.write("content");
      outgoing.addTrailers({ "X-Sum": incoming.trailers["x-check"] ?? "none" });
      outgoing.end();
    });
  };
  const headers = { "Transfer-Encoding": "chunked", Trailer: "X-Check", TE: "trailers" };
  const got = await ask({ method: "POST", headers }, (asking) => {
    asking.write("body");
    asking.addTrailers({ "X-Check": "7" });
    asking.end();
  });
  assert.equal(got.answer.trailers["x-sum"], "7");
});

test("answers without content keep what they say of it", async () => {
  handler = (incoming, outgoing) => {
    if (incoming.method === "HEAD") outgoing.writeHead(200, { "Content-Length": "1234" });
    else outgoing.writeHead(304, { ETag: '"1"' });
    outgoing.end();
  };
  const head = await ask({ method: "HEAD" }, plainly);
  assert.deepEqual([head.body, head.answer.headers["content-length"]], ["", "1234"]);
  const same = await ask({}, plainly);
  assert.deepEqual([same.status, same.body, same.answer.headers.etag], [304, "", '"1"']);
});

test("answers before the answer go through", async () => {
  handler = (_, outgoing) => {
    outgoing.writeProcessing();
    outgoing.writeEarlyHints({ link: "</a.css>; rel=preload" });
    outgoing.end("done");
  };
  const got = await ask({ method: "PUT", headers: { Expect: "100-continue" } }, (asking) => {
    asking.on("continue", () => asking.end("content"));
  });
  assert.deepEqual([got.body, got.infos], ["done", [100, 102, 103]]);
});

test("what comes bit by bit is passed bit by bit, and an open stream holds up nobody", async () => {
  let more = (): void => {};
  handler = (_, outgoing) => {
    outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
    outgoing.flushHeaders();
    more = () => void outgoing.write("data: 1\n\n");
    outgoing.on("close", () => (more = () => assert.fail("it is closed")));
  };
  told.length = 0;
  const first = await new Promise<string>((done) => {
    const asking = request({ port, host: "127.0.0.1" }, (answer) => {
      more();
      answer.once("data", (chunk) => {
        done(String(chunk));
        asking.destroy();
      });
    });
    asking.end();
  });
  assert.equal(first, "data: 1\n\n");
  assert.equal(told[0]?.missing, "a stream");
  assert.equal(forwarder.oldest, Number.POSITIVE_INFINITY);
});

test("a content that is too large to keep goes through, and is not judged", async () => {
  const large = "x".repeat(3_000_000);
  handler = (incoming, outgoing) => void incoming.pipe(outgoing);
  const got = await ask({ method: "POST" }, (asking) => void asking.end(large));
  assert.equal(got.body.length, large.length);
  assert.equal(told[0]?.missing, "too large");
});

test("a client that leaves ends the request; a service that breaks off ends the answer", async () => {
  const left = new Promise<void>((done) => {
    handler = (_, outgoing) => outgoing.on("close", done);
  });
  told.length = 0;
  const asking = request({ port, host: "127.0.0.1" });
  asking.on("error", () => {});
  asking.end();
  setTimeout(() => asking.destroy(), 20);
  await left;
  assert.equal(told[0]?.missing, "cut off");
  handler = (_, outgoing) => {
    outgoing.writeHead(200, { "Content-Length": "100" });
    outgoing.write("half");
    setTimeout(() => outgoing.destroy(), 10);
  };
  await assert.rejects(ask({}, plainly), /aborted|ECONNRESET|hang up/);
  while (told.length === 0) await new Promise((next) => setImmediate(next));
  assert.equal(told[0]?.missing, "cut off");
});

test("a connection that the service closed while it was kept is no failure", async () => {
  handler = (_, outgoing) => void outgoing.end("here");
  const agent = new Agent({ keepAlive: true });
  try {
    assert.equal((await ask({ agent }, plainly)).body, "here");
    service.closeIdleConnections();
    assert.equal((await ask({ agent }, plainly)).body, "here");
  } finally {
    agent.destroy();
  }
});

test("a connection may be taken over by another protocol", async () => {
  told.length = 0;
  const got = await new Promise<string>((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    let all = "";
    let isAsked = false;
    socket.on("data", (chunk) => {
      all += chunk;
      if (!isAsked && all.includes("\r\n\r\necho ")) {
        isAsked = true;
        socket.write("hello");
      }
      if (all.endsWith("hello")) {
        socket.destroy();
        done(all);
      }
    });
  });
  assert.match(got, /^HTTP\/1\.1 101 /);
  assert.equal(told[0]?.missing, "an upgrade");
});

test("a service that is not there is told of, and stays the client's to know", async () => {
  const url = new URL("http://127.0.0.1:1/");
  const other = new Forwarder({ url, keepHost: true, contentMax: 1, tell: () => {} });
  const free = await other.listen(0, "127.0.0.1");
  const got = await ask({ port: free }, plainly);
  await other.close(0);
  assert.equal(got.status, 502);
  assert.match(got.body, /the service gave no answer/);
});
