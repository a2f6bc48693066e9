/** Sends raw requests, malformed HTTP among them, and wants a reason for each answer. */
import { serve } from "../../src/serve/index.ts";
import { hostileBody, pick, type Random } from "../hostile/bodies.ts";
import { hostileFraming, type Parts, partsOf, pipelined, written } from "../hostile/framing.ts";
import { hostileHeaders } from "../hostile/headers.ts";
import { hostileTarget } from "../hostile/paths.ts";
import type { Seed } from "../hostile/targets.ts";
import { Line } from "../hostile/wire.ts";
import { settingsFor } from "../served/settings.ts";
import type { RawDocument } from "./documents.ts";
import { Judge, type Kind, type RawCase } from "./judge.ts";

export interface Unexplained {
  readonly document: string;
  readonly kind: string;
  readonly why: string;
  readonly bytes: Buffer;
}

export interface Result {
  readonly sent: number;
  readonly kinds: ReadonlyMap<Kind, number>;
  readonly statuses: ReadonlyMap<number, number>;
  readonly unexplained: readonly Unexplained[];
}

const LINES = 16;

/** A request in order, but for its method. */
const METHODS = ["FOO", "get", "M-SEARCH", "OPTIONS", "HEAD", "TRACE", "PUT", "DELETE", "CONNECT"];
const TARGETS = ["*", "x:80", "http://x/", "", "/", "//", "/?", "http://", "x", "/%", "?a"];

function single(kind: string, parts: Parts): RawCase {
  const { method, target } = parts;
  return { kind, bytes: written(parts), methods: [method], open: false, target };
}

function nextCase(seeds: readonly Seed[], random: Random): RawCase {
  const seed = pick(seeds, random);
  const parts = partsOf(seed);
  const roll = random();
  if (roll < 0.2) return single("in order", parts);
  if (roll < 0.3) {
    const made = single("method", { ...parts, method: pick(METHODS, random) });
    return { ...made, open: true };
  }
  if (roll < 0.36) {
    const { target: _, ...made } = single("target", { ...parts, target: pick(TARGETS, random) });
    return { ...made, open: true };
  }
  if (roll < 0.46) {
    const { kind, target } = hostileTarget(parts.target, random);
    return { ...single(kind, { ...parts, target }), target: undefined, open: true };
  }
  if (roll < 0.56) {
    const { kind, headers } = hostileHeaders(parts.headers, random);
    return { ...single(kind, { ...parts, headers }), open: true };
  }
  if (roll < 0.7) {
    const { kind, bytes } = hostileBody(seed.body ?? `{"x":1}`, random);
    const rest = parts.headers.filter(([name]) => name !== "Content-Length");
    const headers = [...rest, ["Content-Length", String(bytes.length)] as const];
    return { ...single(kind, { ...parts, headers, body: bytes }), open: true };
  }
  if (roll < 0.76) {
    const several = Array.from({ length: 2 + Math.floor(random() * 4) }, () =>
      partsOf(pick(seeds, random)),
    );
    return pipelined(several);
  }
  if (roll < 0.8) {
    const bytes = written(parts);
    const cut = bytes.subarray(0, Math.floor(random() * bytes.length));
    return { kind: "cut off", bytes: cut, methods: [parts.method], open: true };
  }
  if (roll < 0.84) {
    const bytes = Buffer.from(written(parts));
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return { kind: "one byte", bytes, methods: [parts.method], open: true };
  }
  return hostileFraming(parts, random);
}

/** Where a byte or a header is another one, so may be the method, and a second request follow. */
function methodsOf({ bytes, methods, kind }: RawCase): readonly string[] {
  const first = /^[^\s]+/.exec(bytes.toString("latin1").replace(/^(\r?\n)+/, ""))?.[0];
  return kind === "pipelined" ? methods : [first ?? "GET", ...methods.slice(1)];
}

interface Tally {
  sent: number;
  readonly kinds: Map<Kind, number>;
  readonly statuses: Map<number, number>;
  readonly unexplained: Unexplained[];
}

async function attack(document: RawDocument, count: number, random: Random, tally: Tally) {
  const { name, plan, seeds } = document;
  const running = await serve(plan, {
    memory: true,
    settings: settingsFor(plan),
    standIns: true,
  });
  const judge = new Judge(plan);
  let left = count;
  const work = async (): Promise<void> => {
    const line = new Line(running.port);
    while (left-- > 0) {
      const made = nextCase(seeds, random);
      const sent = { ...made, methods: methodsOf(made) };
      const exchange = await line.exchange(sent);
      tally.sent++;
      const kinds = judge.judge(sent, exchange);
      for (const { status } of exchange.answers) {
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      }
      if ("why" in kinds) {
        const { kind, bytes } = made;
        tally.unexplained.push({ document: name, kind, why: kinds.why, bytes });
      } else for (const one of kinds) tally.kinds.set(one, (tally.kinds.get(one) ?? 0) + 1);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: LINES }, work));
  await running.stop();
}

/** Sends as many requests in all, each document its share. */
export async function campaign(
  documents: readonly RawDocument[],
  count: number,
  random: Random,
): Promise<Result> {
  const tally: Tally = { sent: 0, kinds: new Map(), statuses: new Map(), unexplained: [] };
  const share = Math.ceil(count / documents.length);
  for (const document of documents) await attack(document, share, random, tally);
  return tally;
}
