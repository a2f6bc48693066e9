/** Runs a request on a store and tells which queries it made, with the database's plan of each. */

import type { Plan } from "../../src/plan/index.ts";
import type { Invocation, Members, Query, Session } from "../../src/run/index.ts";
import { compile } from "../../src/run/index.ts";
import { digest } from "../../src/serve/crypto/digest.ts";
import { openStore, type SqliteSession } from "../../src/store/index.ts";

export interface Asked {
  readonly path: string;
  readonly query: Members;
  /** The subject of the caller's token; undefined: nobody. */
  readonly subject?: string;
}

export interface Traced {
  readonly status: number;
  /** For each query its resource and the lines of its plan; "whole table" where all is read. */
  readonly queries: readonly (readonly string[])[];
}

/** The session with a note of each query that is run on it. */
function noting(session: SqliteSession, note: (lines: readonly string[]) => void): Session {
  return new Proxy(session as Session, {
    get: (target, name: keyof Session) => {
      const method = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === "all") note([String(args[0]), "whole table"]);
        if (name === "differentItems") note([`${String(args[0])} ${name}`, "by the list's index"]);
        if (name === "rows" || name === "columns" || name === "count" || name === "exists") {
          const query = args[0] as Query;
          const plan = session.explain(query, name === "columns" ? "rows" : name);
          note([`${query.resource} ${name}`, ...(plan ?? ["in memory"])]);
        }
        return method.apply(target, args);
      };
    },
  });
}

/** Executes a GET in a read transaction of the store in `file`. */
export function trace(plan: Plan, file: string, { path, query, subject }: Asked): Traced {
  const program = compile(plan);
  const store = openStore(plan, { store: { file }, mode: "read" });
  const queries: (readonly string[])[] = [];
  const session = noting(store.session as SqliteSession, (lines) => queries.push(lines));
  const match = program.match("GET", path);
  if (match.is !== "endpoint") throw new Error(`${path}: ${match.is}`);
  const nothing: Members = new Map();
  const invocation: Invocation = {
    endpoint: match.endpoint,
    address: "127.0.0.1",
    asked: { id: "r", method: "GET", url: "/" },
    presented: plan.schemes.map(() =>
      subject === undefined
        ? { is: "none" as const }
        : { is: "token" as const, claims: new Map([["sub", subject]]) },
    ),
    inputs: {
      path: match.params,
      query,
      header: nothing,
      cookie: nothing,
      body: undefined,
      failures: [],
      bodyBytes: 0,
    },
  };
  store.begin("read");
  const now = BigInt(Date.now()) * 1000n;
  const ambient = {
    now,
    random: (bytes: number) => new Uint8Array(bytes),
    hooks: {},
    settings: nothing,
    digest,
  };
  const { response } = program.execute(invocation, session, ambient);
  store.rollback();
  store.close();
  return { status: response.status, queries };
}
