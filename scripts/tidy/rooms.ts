/** The table of rooms, and the judgement of each import against it; knows nothing of syntax. */
import { innerRefusal } from "./inner.ts";
import type { Problem, Source } from "./source.ts";

/** What files below `src/NAME` may import. `types`: rooms that lend their types only. */
interface Room {
  readonly name: string;
  readonly rooms: readonly string[];
  readonly types?: readonly string[];
  /** Whether `node:` modules and the globals of the platform may be used. */
  readonly platform?: boolean;
  readonly packages?: readonly string[];
}

export const rooms: readonly Room[] = [
  { name: "base", rooms: [] },
  { name: "expr", rooms: ["base"], packages: ["re2js"] },
  { name: "plan", rooms: ["base", "expr"] },
  { name: "schema", rooms: ["base"], packages: ["re2js"] },
  { name: "change", rooms: ["base", "expr", "plan"] },
  { name: "language", rooms: ["base"], types: ["plan"] },
  { name: "spec", rooms: ["base", "language"], types: ["plan"] },
  { name: "read", rooms: ["base", "expr", "language", "spec"], types: ["plan"] },
  { name: "write", rooms: ["base", "expr", "language", "spec"], types: ["plan"] },
  { name: "check", rooms: ["base", "expr", "language", "spec", "plan", "schema"] },
  { name: "run", rooms: ["base", "expr", "plan", "schema"], packages: ["re2js"] },
  {
    name: "store",
    rooms: ["base", "expr", "plan", "change"],
    types: ["run"],
    platform: true,
    packages: ["better-sqlite3", "pg", "pg-protocol"],
  },
  {
    name: "serve",
    rooms: ["base", "expr", "plan", "change", "run", "store"],
    platform: true,
    packages: ["prom-client"],
  },
  {
    name: "verify",
    rooms: ["base", "expr", "spec", "plan", "run", "store"],
    platform: true,
  },
  { name: "openapi", rooms: ["base", "language", "schema"], packages: ["js-yaml", "jsonc-parser"] },
  { name: "propose", rooms: ["base", "plan"] },
  { name: "export", rooms: ["base", "expr", "language", "spec", "plan", "read", "check"] },
  {
    name: "cli",
    rooms: [
      ...["base", "expr", "language", "spec", "plan", "schema", "change", "read", "write", "check"],
      ...["run", "store", "serve", "export", "openapi", "propose", "verify"],
    ],
    platform: true,
    packages: ["commander", "jsonc-parser", "picocolors"],
  },
];

const byName = new Map(rooms.map((room) => [room.name, room]));

/** The room of a path below src: its first folder; "" for the files directly in src. */
export function roomOf(path: string): string {
  const [, first, rest] = path.split("/");
  return first !== undefined && rest !== undefined ? first : "";
}

/** Whether the platform (`node:` modules, clock, randomness) is open to the file at `path`. */
export function mayUsePlatform(path: string): boolean {
  return byName.get(roomOf(path))?.platform === true;
}

/** Judges every import of the files below src; a path in a problem is relative to the root. */
export function judgeImports(sources: readonly Source[]): Problem[] {
  return sources
    .filter((source) => source.path.startsWith("src/"))
    .flatMap((source) => {
      const room = roomOf(source.path);
      if (room !== "" && !byName.has(room)) {
        return [{ path: source.path, line: 1, rule: "room", message: `no room \`${room}\`` }];
      }
      return source.imports.flatMap((each) => {
        const message = refusal(source.path, each.from, each.typeOnly);
        return message === undefined
          ? []
          : [{ path: source.path, line: each.line, rule: "import", message }];
      });
    });
}

function refusal(path: string, from: string, typeOnly: boolean): string | undefined {
  const own = roomOf(path);
  const room = byName.get(own);
  if (from.startsWith("node:")) {
    return room?.platform === true ? undefined : `\`${from}\` is not open to \`${own}\``;
  }
  if (!from.startsWith(".")) {
    const name = from
      .split("/")
      .slice(0, from.startsWith("@") ? 2 : 1)
      .join("/");
    return room?.packages?.includes(name) === true
      ? undefined
      : `package \`${name}\` is not open to \`${own}\``;
  }
  const target = resolveFrom(path, from);
  if (!target.startsWith("src/")) return `\`${from}\` leaves src`;
  const other = roomOf(target);
  if (other === own) return innerRefusal(path, target);
  if (target !== `src/${other}/index.ts`) return `\`${other}\` is entered through its index.ts`;
  if (own === "" || room?.rooms.includes(other) === true) return undefined;
  if (room?.types?.includes(other) !== true) return `\`${own}\` may not import \`${other}\``;
  return typeOnly ? undefined : `\`${own}\` may import types only of \`${other}\``;
}

/** The path that a relative import names, from the root of the repository. */
export function resolveFrom(path: string, from: string): string {
  const parts = path.split("/").slice(0, -1);
  for (const part of from.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Import cycles between files (types included), each once, as a list of paths. */
export function cycles(sources: readonly Source[]): string[][] {
  const known = new Map(sources.map((source) => [source.path, source]));
  const state = new Map<string, "open" | "done">();
  const found: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seen = state.get(path);
    if (seen === "open") found.push(trail.slice(trail.indexOf(path)));
    if (seen !== undefined) return;
    state.set(path, "open");
    for (const each of known.get(path)?.imports ?? []) {
      const target = each.from.startsWith(".") ? resolveFrom(path, each.from) : undefined;
      if (target !== undefined && known.has(target)) visit(target, [...trail, path]);
    }
    state.set(path, "done");
  };
  for (const path of known.keys()) visit(path, []);
  return found;
}
