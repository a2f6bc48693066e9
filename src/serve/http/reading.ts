/** Reads the content of a request that has found its endpoint, and makes a job of both. */
import { createHash } from "node:crypto";
import type { HttpCondition } from "../../plan/index.ts";
import type { Job, Needs, Reply } from "../jobs/job.ts";
import { MOVED } from "../jobs/moved.ts";
import { peerOf } from "../jobs/peer.ts";
import type { HostBounds } from "./bounds.ts";
import type { Content } from "./content.ts";
import { hasContent, readContent, textOf } from "./content.ts";
import { pickHeaders } from "./fields.ts";
import { Held } from "./held.ts";
import { bytesOf } from "./judge.ts";
import type { Exchange } from "./line.ts";

/** The endpoint that was found, and the segments of the path that stand for its parameters. */
interface Found {
  readonly endpoint: number;
  readonly params: ReadonlyMap<string, string>;
}

/** What becomes of a request. */
interface Answering {
  /** It begins under another document, with the content that it has. */
  again(exchange: Exchange): void;
  send(exchange: Exchange, reply: Reply): void;
  refuse(exchange: Exchange, condition: HttpCondition): void;
}

export class Reader {
  private readonly bounds: HostBounds;
  private readonly answering: Answering;
  private readonly held: Held;

  constructor(bounds: HostBounds, answering: Answering) {
    this.bounds = bounds;
    this.answering = answering;
    this.held = new Held(bounds.heldBytesMax);
  }

  read(exchange: Exchange, found: Found): void {
    const { request, response, content: whole } = exchange;
    if (whole !== undefined) {
      this.answerAgain(exchange, found, whole);
      return;
    }
    if (!hasContent(request)) {
      this.answer(exchange, found, { bytes: undefined, byteCount: 0 }, () => {});
      return;
    }
    const stated = exchange.service.bodyBytesMax;
    const host = this.bounds.bodyBytesMax;
    const bounds = { keptMax: stated ?? host, readMax: host };
    const length = Number(request.headers["content-length"] ?? 0);
    const take = (content: Content | "too large", over: () => void): void => {
      if (content !== "too large") this.answer(exchange, found, content, over);
      else if (stated === undefined) this.answering.refuse(exchange, "body too large");
      else {
        this.answer(exchange, found, { bytes: undefined, byteCount: bounds.readMax + 1 }, over);
      }
    };
    // Who asks before sending so much is told before.
    if (exchange.expects === "continue" && length > bounds.readMax) {
      take("too large", () => {});
      return;
    }
    if (exchange.expects === "continue") {
      exchange.continued = true;
      response.writeContinue();
    }
    const upload = this.held.begin(peerOf(exchange.address), () => {
      stop();
      upload.over();
      this.answering.refuse(exchange, "too busy");
    });
    let isWhole = false;
    const stop = readContent(request, bounds, {
      kept: (bytes) => upload.add(bytes),
      done: (content) => {
        isWhole = true;
        upload.whole();
        take(content, () => upload.over());
      },
    });
    response.once("close", () => {
      if (isWhole) return;
      stop();
      upload.over();
    });
  }

  /** `over`: nobody holds the content any more. */
  private answer(
    exchange: Exchange,
    { endpoint, params }: Found,
    content: Content,
    over: () => void,
  ): void {
    const needs = exchange.service.needs(endpoint);
    exchange.endpoint = endpoint;
    const values = needs.params.map((name) => params.get(name) ?? "");
    const job = this.job(exchange, needs, content, { endpoint, params: values });
    const done = (reply: Reply): void => {
      if (reply === MOVED) {
        exchange.content = { content, over };
        this.answering.again(exchange);
        return;
      }
      over();
      this.answering.send(exchange, reply);
    };
    exchange.service.answer(job, done, exchange.id);
  }

  /** Content that the document before let nobody keep is not there to be read again. */
  private answerAgain(
    exchange: Exchange,
    found: Found,
    { content, over }: NonNullable<Exchange["content"]>,
  ): void {
    const most = exchange.service.bodyBytesMax ?? this.bounds.bodyBytesMax;
    const isLost = content.bytes === undefined && content.byteCount > 0;
    if (!isLost || content.byteCount > most) this.answer(exchange, found, content, over);
    else {
      over();
      this.answering.refuse(exchange, "too busy");
    }
  }

  private job(
    { request, target, line, address, service, id }: Exchange,
    needs: Needs,
    { bytes, byteCount }: Content,
    { endpoint, params }: Pick<Job, "endpoint" | "params">,
  ): Job {
    return {
      id,
      endpoint,
      params,
      path: target.path,
      query: target.query,
      headers: pickHeaders(request.rawHeaders, needs.headers),
      body: textOf(bytes, needs.binary),
      bodyBytes: byteCount,
      bodyHash: needs.bodyHash
        ? createHash("sha256")
            .update(bytes ?? "")
            .digest("hex")
        : undefined,
      pathBytes: request.url?.length ?? 0,
      headerBytes: bytesOf(request.rawHeaders),
      address,
      line: line.number,
      now: service.now(),
    };
  }
}
