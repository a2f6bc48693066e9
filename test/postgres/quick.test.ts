/** What need not be waited for is written where requests are accepted, and the rest elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/serve/engine/engine.ts";
import { openEngine, prepareEngine, type Setup } from "../../src/serve/engine/open.ts";
import type { Job, Reply } from "../../src/serve/jobs/job.ts";
import { QuickWriter } from "../../src/serve/threads/quick-writer.ts";
import { inlineWriter, type Writer } from "../../src/serve/threads/writer.ts";
import { connectionOf } from "../../src/store/index.ts";
import { lockOf } from "../../src/store/postgres/statements.ts";
import { planOf } from "../histories/subjects.ts";
import { jobOf } from "../histories/together.ts";
import { nodesDocument } from "../nodes/document.ts";
import { skip, testServer } from "./server.ts";

const { url } = testServer();
const SILENT = { due: () => {}, news: () => {} };
const WAITS_MS = 20;

/** A store with a writer that waits, and a quick one before it. */
class Both {
  readonly quick: QuickWriter;
  /** Jobs that the one that waits was given. */
  readonly handed: Job[] = [];
  engine: Engine;
  private readonly whole: Engine;
  private readonly open: () => Promise<Engine>;
  private readonly writer: Writer;
  now = 1_750_000_000_000_000n;

  private constructor(whole: Engine, engine: Engine, open: () => Promise<Engine>) {
    this.whole = whole;
    this.engine = engine;
    this.open = open;
    const writer = inlineWriter(whole, SILENT);
    this.writer = {
      ...writer,
      get waiting() {
        return writer.waiting;
      },
      submit: (job, done) => {
        this.handed.push(job);
        writer.submit(job, done);
      },
    };
    this.quick = new QuickWriter(this.writer, SILENT);
    this.quick.use(engine);
  }

  static async open(name: string, plan = planOf("examples/todo/spec.md")): Promise<Both> {
    const store = { postgres: url(name), node: name, explains: true };
    const setup: Setup = { plan, store, settings: {} };
    const now = 0n;
    const connection = await connectionOf(store);
    const whole = openEngine(setup, { mode: "write", now, connection });
    const open = async (): Promise<Engine> => {
      const beside = { now, connection: await connectionOf(store), isQuick: true };
      return prepareEngine(setup, "read").open(beside);
    };
    return new Both(whole, await open(), open);
  }

  /** Takes another document in the place of the one before. */
  async renew(take: () => Promise<void>): Promise<void> {
    this.writer.renew = async () => ({ take, drop: () => {} });
    await (await this.quick.renew({} as Setup)).take();
  }

  async reopen(): Promise<void> {
    this.engine = await this.open();
    this.quick.use(this.engine);
  }

  /** The replies of requests that come together. */
  async ask(...all: readonly (readonly [line: string, body?: unknown])[]): Promise<Reply[]> {
    this.now += 1_000n;
    const jobs = await Promise.all(all.map(([line, body]) => this.jobOf(line, body)));
    return await Promise.all(
      jobs.map((job) => new Promise<Reply>((done) => this.quick.submit(job, done))),
    );
  }

  async jobOf(line: string, body?: unknown): Promise<Job> {
    const [method = "", target = ""] = line.split(" ");
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = body === undefined ? [] : [["Content-Type", "application/json"] as const];
    const job = await jobOf(this.engine, { method, target, headers, body: text }, this.now);
    return job ?? assert.fail(`${line} comes to no endpoint`);
  }

  /** What the quick one asks of its connection. */
  get shared() {
    return this.engine.parts.storage.shared ?? assert.fail("the store is not shared");
  }

  titles(): readonly unknown[] {
    const { storage } = this.whole.parts;
    storage.begin("read");
    try {
      return storage.session.all("Todo").map(({ values }) => values[1]);
    } finally {
      storage.rollback();
    }
  }

  async stop(): Promise<void> {
    await this.quick.stop();
  }
}

async function wireTo(name: string) {
  const connection = await connectionOf({ postgres: url(name) });
  return connection?.wire ?? assert.fail("there is no connection");
}

const idOf = ({ body = "" }: Reply): string => (JSON.parse(body) as { id: string }).id;

test("what is known before it is run is written here", { skip }, async () => {
  const both = await Both.open("here");
  try {
    const made = await both.ask(["POST /todos", { title: "a" }], ["POST /todos", { title: "b" }]);
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201],
    );
    const path = `/todos/${idOf(made[0] as Reply)}`;
    const [changed] = await both.ask([`PATCH ${path}`, { title: "c" }]);
    assert.equal(changed?.status, 200);
    assert.deepEqual(both.titles(), ["c", "b"]);
    assert.deepEqual(both.handed, []);
    // A look-up and a change: the turn, what is asked for, and the end.
    const [explained] = (changed?.notes ?? []).filter(({ what }) => what === "explained");
    assert.match(explained?.text ?? "", /: 3 round trips/);
  } finally {
    await both.stop();
  }
});

test("a long body is for the one who waits", { skip }, async () => {
  const both = await Both.open("body");
  try {
    const [made] = await both.ask(["POST /todos", { title: "a", note: "n".repeat(40_000) }]);
    assert.equal(both.handed.length, 1);
    assert.equal(made?.status, 413, made?.body);
  } finally {
    await both.stop();
  }
});

test("what asks for more than was foreseen is done by the other, once", { skip }, async () => {
  const both = await Both.open("more");
  try {
    const [made] = await both.ask(["POST /todos", { title: "a" }]);
    const path = `/todos/${idOf(made as Reply)}`;
    const { learn } = both.shared;
    Object.assign(both.shared, { learn: async () => false });
    const all = [
      [`PATCH ${path}`, { title: "b" }],
      ["POST /todos", { title: "c" }],
    ] as const;
    const replies = await both.ask(...all);
    Object.assign(both.shared, { learn });
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 201],
    );
    assert.deepEqual(
      both.handed.map(({ path: at }) => at),
      [path],
    );
    assert.deepEqual(both.titles(), ["b", "c"]);
  } finally {
    await both.stop();
  }
});

test("an endpoint whose jobs are tried in vain is left to the other for a time", {
  skip,
}, async () => {
  const both = await Both.open("vain");
  try {
    const [made] = await both.ask(["POST /todos", { title: "a" }]);
    const path = `/todos/${idOf(made as Reply)}`;
    let tried = 0;
    const { attempt } = both.shared;
    const counting = (run: () => unknown): unknown => {
      tried++;
      return attempt(run);
    };
    Object.assign(both.shared, { learn: async () => false, attempt: counting });
    for (let i = 0; i < 12; i++) await both.ask([`PATCH ${path}`, { title: `${i}` }]);
    assert.ok(tried > 1 && tried < 12, `${tried} tries`);
    assert.equal(both.handed.length, 12);
    assert.deepEqual(both.titles(), ["11"]);
  } finally {
    await both.stop();
  }
});

test("what is due is done before, by the other", { skip }, async () => {
  const both = await Both.open("due", nodesDocument("as it is", false).plan);
  try {
    const ids: string[] = [];
    for (const tag of ["a", "b"]) {
      const [made] = await both.ask(["POST /tasks", { tag }]);
      assert.equal(made?.status, 201, made?.body);
      ids.push(idOf(made as Reply));
    }
    const [early] = await both.ask([`POST /tasks/${ids[0]}/claim`, { tag: "c" }]);
    assert.equal(early?.status, 200, early?.body);
    assert.equal(both.handed.length, 0);
    both.now += 1_000_000n;
    const [late] = await both.ask([`POST /tasks/${ids[1]}/claim`, { tag: "c" }]);
    assert.equal(late?.status, 409, late?.body);
    assert.equal(both.handed.length, 1);
    const [told] = await both.ask(["GET /late"]);
    assert.equal(told?.body, '{"count":0}');
  } finally {
    await both.stop();
  }
});

test("where the connection is cut the other does it, and this one again when it is back", {
  skip,
}, async () => {
  const both = await Both.open("cut");
  const wire = await wireTo("cut");
  try {
    await both.ask(["POST /todos", { title: "a" }]);
    wire.ask("SELECT pg_advisory_lock($1::bigint)", [lockOf("cut")]);
    const made = both.ask(["POST /todos", { title: "b" }]);
    const waiting = "FROM pg_stat_activity WHERE wait_event = 'advisory'";
    while (wire.ask(`SELECT 1 ${waiting}`).length === 0) await passed();
    assert.equal(both.quick.waiting, 1);
    wire.ask(`SELECT pg_terminate_backend(pid) ${waiting}`);
    while (both.handed.length === 0) await passed();
    wire.ask("SELECT pg_advisory_unlock($1::bigint)", [lockOf("cut")]);
    assert.equal((await made)[0]?.status, 201);
    while (both.shared.isAway()) await passed();
    assert.equal((await both.ask(["POST /todos", { title: "c" }]))[0]?.status, 201);
    assert.equal(both.handed.length, 1);
    assert.deepEqual(both.titles(), ["a", "b", "c"]);
  } finally {
    wire.close();
    await both.stop();
  }
});

test("another document is written for when what is under way has ended, or the former one still", {
  skip,
}, async () => {
  const both = await Both.open("renewed");
  const former = both.engine;
  try {
    const [made] = await Promise.all([
      both.ask(["POST /todos", { title: "a" }]),
      assert.rejects(
        both.renew(() => Promise.reject(new Error("refused"))),
        /refused/,
      ),
    ]);
    assert.equal(made[0]?.status, 201);
    await both.ask(["POST /todos", { title: "b" }]);
    const before = both.handed.length;
    assert.ok(before <= 1, "what comes meanwhile is for the other");
    await both.renew(async () => {});
    assert.throws(() => former.parts.storage.begin("read"));
    await both.ask(["POST /todos", { title: "c" }]);
    assert.equal(both.handed.length, before + 1);
    await both.reopen();
    await both.ask(["POST /todos", { title: "d" }]);
    assert.equal(both.handed.length, before + 1);
    assert.deepEqual(both.titles(), ["a", "b", "c", "d"]);
  } finally {
    await both.stop();
  }
});

test("a transaction that fails in the middle is made by the other, once for each", {
  skip,
}, async () => {
  const both = await Both.open("fails");
  try {
    const { attempt } = both.shared;
    let tried = 0;
    const failing = (run: () => unknown): unknown => {
      const made = attempt(run);
      if (++tried === 2) throw new Error("in the middle");
      return made;
    };
    Object.assign(both.shared, { attempt: failing });
    const turns = [1, 2, 3].map(() => new Int32Array(new SharedArrayBuffer(4)));
    const jobs = await Promise.all(
      turns.map(async (turn, i) => {
        return { ...(await both.jobOf("POST /todos", { title: `${i}` })), turn };
      }),
    );
    const replies = await Promise.all(
      jobs.map((job) => new Promise<Reply>((done) => both.quick.submit(job, done))),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(both.handed.length, 3);
    assert.deepEqual(both.titles(), ["0", "1", "2"]);
  } finally {
    await both.stop();
  }
});

test("who stops waits for what is under way", { skip }, async () => {
  const both = await Both.open("stop");
  const wire = await wireTo("stop");
  try {
    wire.ask("SELECT pg_advisory_lock($1::bigint)", [lockOf("stop")]);
    const made = both.ask(["POST /todos", { title: "a" }]);
    while (both.quick.waiting === 0) await passed();
    await passed();
    let isOver = false;
    const stopped = both.stop().then(() => {
      isOver = true;
    });
    await passed();
    assert.equal(isOver, false);
    wire.ask("SELECT pg_advisory_unlock($1::bigint)", [lockOf("stop")]);
    assert.equal((await made)[0]?.status, 201);
    await stopped;
  } finally {
    wire.close();
  }
});

function passed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, WAITS_MS));
}
