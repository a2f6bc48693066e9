/** The plan whose answers tell by which refusal, failure row or ignored failure they came about. */
import type { Plan } from "../../src/plan/index.ts";
import type { RawAnswer } from "../histories/talk.ts";

type Defined = Plan["errors"][number];

/** The header field that names what has refused. */
const FIELD = "Refused-By";
const REPORTED = "errors/failures reported";

/** Whether what changes no answer of its own is a gap: what is ignored, and several failures. */
interface Telling {
  readonly ignored: boolean;
}

class Teller {
  readonly errors = new Map<string, Defined>();
  private readonly plan: Plan;
  private readonly telling: Telling;

  constructor(plan: Plan, telling: Telling) {
    this.plan = plan;
    this.telling = telling;
  }

  /** An error of its own for each piece that refuses, which is answered as the one it stands for. */
  private own(error: string, id: string): string {
    const found = this.plan.errors.find(({ name }) => name === error);
    if (found === undefined) return error;
    const name = `${error} ${id}`;
    const value = { is: "stated", id: `${id}/told`, value: encodeURIComponent(id) } as const;
    const headers = [...found.headers, { name: FIELD, value }];
    this.errors.set(name, { ...found, name, headers });
    return name;
  }

  told(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((one) => this.told(one));
    if (typeof node !== "object" || node === null) return node;
    const { is, id, error, condition, answer } = node as Record<string, unknown>;
    if (this.telling.ignored && is === "stated" && id === REPORTED) return { is: "gap", gap: id };
    if (is === "error" && typeof id === "string" && typeof error === "string") {
      return { ...node, error: this.own(error, id) };
    }
    const pairs = Object.entries(node).map(([name, one]) => [name, this.told(one)] as const);
    const made = Object.fromEntries(pairs);
    if (typeof condition !== "string" || typeof id !== "string") return made;
    const given = (answer ?? {}) as { readonly is?: string; readonly error?: string };
    const { is: answers, error: name } = given;
    if (answers === "ignored" && this.telling.ignored) {
      return { ...made, answer: { is: "gap", gap: id } };
    }
    if (answers !== "error" || typeof name !== "string") return made;
    return { ...made, answer: { ...given, error: this.own(name, id) } };
  }
}

/** A plan that answers as another does, but for what its answers tell by a header field. */
export function telling(plan: Plan, how: Telling): Plan {
  const teller = new Teller(plan, how);
  const { errors, ...others } = plan;
  const made = teller.told(others) as Omit<Plan, "errors">;
  return { ...made, errors: [...errors, ...teller.errors.values()] };
}

/** What an answer of such a plan was refused by; empty where it was not. */
export function refusedBy({ headers }: RawAnswer): string {
  const field = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return field(FIELD.toLowerCase()) ?? field("lacuna-gap")?.split(";")[0] ?? "";
}
