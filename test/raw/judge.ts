/** What an answer to a raw request is: stated, a named gap, the host's own, or unexplained. */
import type { Plan, Step } from "../../src/plan/index.ts";
import { compile } from "../../src/run/index.ts";
import { isOwn } from "../hostile/judge.ts";
import type { Answer, Exchange } from "../hostile/wire.ts";

export type Kind = "success" | "error" | "gap" | "own";

/** What was sent. `target`: that of its only request, where it is known. */
export interface RawCase {
  readonly kind: string;
  readonly bytes: Buffer;
  readonly methods: readonly string[];
  readonly open: boolean;
  readonly target?: string;
}

function statusesIn(steps: readonly Step[]): number[] {
  const found: number[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { kind, status } = value as { kind?: unknown; status?: unknown };
    if (kind === "respond" && typeof status === "number") found.push(status);
    for (const one of Object.values(value)) look(one);
  };
  look(steps);
  return found;
}

/** Judges answers by a plan. */
export class Judge {
  private readonly match: ReturnType<typeof compile>["match"];
  /** Statuses with which the steps of each endpoint respond. */
  private readonly successes: readonly ReadonlySet<number>[];
  private readonly everywhere: ReadonlySet<number>;
  private readonly errors: ReadonlyMap<number, boolean>;
  private readonly gaps: ReadonlySet<string>;

  constructor(plan: Plan) {
    this.match = compile(plan).match;
    const common = statusesIn(plan.routines.flatMap((one) => one.steps));
    this.successes = plan.endpoints.map(({ steps }) => new Set([...statusesIn(steps), ...common]));
    this.everywhere = new Set(this.successes.flatMap((one) => [...one]));
    this.errors = new Map(
      plan.errors.flatMap(({ status, body }) =>
        status.is === "stated" ? [[status.value, body.is === "stated"] as const] : [],
      ),
    );
    this.gaps = new Set(plan.gaps.map((one) => one.id));
  }

  /** The kind of one answer; a text says why it is none. */
  kindOf(answer: Answer, method: string, target: string | undefined): Kind | { why: string } {
    const { status, body } = answer;
    if (isOwn(answer)) return "own";
    if (status === 501) return this.isGap(answer, method) ? "gap" : { why: `501 ${body}` };
    if (method === "OPTIONS" && status === 204 && body === "") return "own";
    if (this.isSuccess(status, method, target)) return "success";
    const hasBody = this.errors.get(status);
    if (hasBody === undefined) return { why: `${status} ${body.slice(0, 200)}` };
    if (method === "HEAD" || !hasBody || body !== "") return "error";
    return { why: `${status} without its body` };
  }

  private isGap({ body }: Answer, method: string): boolean {
    if (method === "HEAD") return true;
    try {
      const { gap } = JSON.parse(body) as { gap?: { id?: string; silent?: boolean } };
      return gap?.id !== undefined && this.gaps.has(gap.id);
    } catch {
      return false;
    }
  }

  private isSuccess(status: number, method: string, target: string | undefined): boolean {
    if (status === 304) return method === "GET" || method === "HEAD";
    if (target === undefined) return this.everywhere.has(status);
    const found = this.match(method, target.split("?")[0] ?? "");
    return found.is === "endpoint" && this.successes[found.endpoint]?.has(status) === true;
  }

  /** Kinds of all answers, or what is wrong with the exchange. */
  judge(sent: RawCase, { answers, end }: Exchange): readonly Kind[] | { why: string } {
    if (end === "quiet") return { why: "neither an answer nor an end" };
    const kinds: Kind[] = [];
    for (const [i, answer] of answers.entries()) {
      // What follows a request whose end is not where it seems is a request of its own.
      const kind = this.kindOf(answer, sent.methods[i] ?? "GET", i === 0 ? sent.target : undefined);
      if (typeof kind === "object") return kind;
      kinds.push(kind);
    }
    if (kinds.length === 0 && /[^\r\n]/.test(sent.bytes.toString("latin1"))) {
      return { why: "no answer" };
    }
    if (!sent.open && kinds.length < sent.methods.length && kinds.at(-1) !== "own") {
      return { why: `${kinds.length} answers to ${sent.methods.length} requests` };
    }
    return kinds;
  }
}
