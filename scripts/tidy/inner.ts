/** The inner rooms of the large rooms, in the order in which arrows between them may go. */
import type { Problem, Source } from "./source.ts";

/**
 * For each room the folders in it, and the files that stand beside them: each imports from those
 * before it alone. A file that is not named here stands in one of the folders.
 */
export const innerRooms: Readonly<Record<string, readonly string[]>> = {
  "src/read": ["blocks", "forms", "document", "index.ts"],
  "src/check": [
    ...["types.ts", "review-codes.ts", "codes.ts", "counts.ts", "kept.ts", "plan.ts"],
    ...["resolve", "rules", "review", "assume", "index.ts"],
  ],
  "src/check/resolve": [
    ...["names", "resources", "steps", "access", "failures"],
    ...["endpoints", "states", "outside", "about", "index.ts"],
  ],
  "src/run": [
    ...["chance", "evaluate", "ports", "wire", "read", "context", "query", "compile"],
    ...["states", "rows", "limits", "show", "answers", "checks", "effects", "steps"],
    ...["work", "program", "index.ts"],
  ],
  "src/verify": [
    "entries.ts",
    "world",
    "judge",
    "generate",
    "rivals",
    "talk",
    "races",
    "events",
    "streams",
    "operator.ts",
    "spent.ts",
    "evidence.ts",
    "verdicts.ts",
    "session.ts",
    "streams.ts",
    "messages.ts",
    "probe",
    "shrink",
    "racing",
    "options.ts",
    "proxy",
    "verify.ts",
    "why.ts",
    "index.ts",
  ],
  "src/openapi": ["tree", "model", "survey", "compare", "write", "index.ts"],
  "src/store": [
    ...["entries.ts", "place.ts", "schema", "query", "sqlite", "whole", "memory"],
    ...["opened.ts", "postgres", "copy", "open.ts", "index.ts"],
  ],
  "src/serve": [
    ...[
      "entries.ts",
      "crypto",
      "settings",
      "time",
      "jobs",
      "client",
      "credentials",
      "limits",
      "secrets",
    ],
    ...["calls", "delivery", "streams", "engine", "threads", "http", "watch"],
    ...[
      "options.ts",
      "opened.ts",
      "watching.ts",
      "generations.ts",
      "host.ts",
      "serve.ts",
      "index.ts",
    ],
  ],
};

/** What of the room at `room` the path stands in: a folder or a file; undefined: outside of it. */
function within(room: string, path: string): string | undefined {
  return path.startsWith(`${room}/`) ? path.slice(room.length + 1).split("/")[0] : undefined;
}

/** Files that stand in no inner room though their room has some. */
export function judgePlacesOf(sources: readonly Source[]): Problem[] {
  return Object.entries(innerRooms).flatMap(([room, inner]) =>
    sources.flatMap(({ path }) => {
      const own = within(room, path);
      if (own === undefined || inner.includes(own)) return [];
      const message = `\`${own}\` is no inner room of \`${room}\`, and no file named beside them`;
      return [{ path, line: 1, rule: "inner-room", message }];
    }),
  );
}

/** Why the file at `path` may not import the one at `target`, as far as inner rooms go. */
export function innerRefusal(path: string, target: string): string | undefined {
  for (const [room, inner] of Object.entries(innerRooms)) {
    const [own, other] = [within(room, path), within(room, target)];
    if (own === undefined || other === undefined || own === other) continue;
    if (inner.indexOf(other) > inner.indexOf(own)) {
      return `\`${own}\` may not import \`${other}\`, which stands behind it in \`${room}\``;
    }
  }
  return undefined;
}
