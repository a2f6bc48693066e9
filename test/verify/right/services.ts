/** Services that were written by hand and are right, and what `lacuna verify` says of them. */
import { join } from "node:path";
import { lacuna } from "../../cli/world.ts";
import { ROOT } from "../../peers/served.ts";
import { listen, Manner, type Service } from "./manner.ts";
import { PlainTodos } from "./todo-plain.ts";
import { TableTodos } from "./todo-table.ts";

interface Right {
  readonly name: string;
  readonly document: string;
  readonly make: (manner: Manner) => Service;
  /** Arguments of `lacuna verify` besides. */
  readonly args?: readonly string[];
}

export const right: readonly Right[] = [
  {
    name: "todo-plain",
    document: "examples/todo/spec.md",
    make: (manner) => new PlainTodos(manner),
  },
  {
    name: "todo-table",
    document: "examples/todo/spec.md",
    make: (manner) => new TableTodos(manner),
  },
];

interface Report {
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: readonly object[];
  readonly messages: readonly object[];
  readonly run: { readonly requests: number; readonly ended: string };
}

/** Verifies one of them in the manner of the seed. `crowd`: how often other clients act. */
export async function verifiedRight(
  { document, make, args = [] }: Right,
  { seed, crowd, more = [] }: { seed: number; crowd?: number; more?: readonly string[] },
): Promise<Report> {
  const manner = new Manner(seed);
  const service = await listen(make(manner), manner, crowd);
  try {
    const all = [...args, "--format", "json", "--seed", String(seed), ...more];
    const { out, err } = await lacuna(["verify", join(ROOT, document), service.address, ...all]);
    if (out === "") throw new Error(err);
    return JSON.parse(out) as Report;
  } finally {
    await service.stop();
  }
}
