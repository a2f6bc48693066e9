/** The rules about texts: paths that the documents name exist; nothing names one machine. */
import type { Problem } from "./source.ts";

const TOP_FOLDERS = new Set("src test scripts docs bench examples ui .ci".split(" "));
const ROOT_FILE = /^([A-Z][A-Z-]+\.md|LICENSE|(package|package-lock|biome|tsconfig[.a-z]*)\.json)$/;
const MACHINE_PATH = new RegExp(`(?<![\\w.)\\]-])/(${"home|root|work|Users"})/[\\w.-]`);
const REGISTRY_HOST = /https?:\/\/[\w.-]*(npmjs|registry|artifactory|verdaccio|nexus)[\w.-]*/i;
const TEXT_LENGTH_MAX = 1_000_000;

/** Problems of the paths in code spans of a Markdown text; `known` are the files there are. */
export function judgePaths(path: string, text: string, known: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  let isFenced = false;
  text.split("\n").forEach((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) return;
    for (const [, span = ""] of line.matchAll(/`([^`]+)`/g)) {
      const named = span
        .replace(/^\.\//, "")
        .replace(/:\d+(:\d+)?$/, "")
        .replace(/\/$/, "");
      if (!isPath(named) || exists(named, known)) continue;
      const message = `\`${span}\` does not exist`;
      problems.push({ path, line: index + 1, rule: "named-path", message });
    }
  });
  return problems;
}

function isPath(named: string): boolean {
  if (!/^[\w.*@/-]+$/.test(named)) return false;
  const [top = "", ...rest] = named.split("/");
  return rest.length > 0 ? TOP_FOLDERS.has(top) : ROOT_FILE.test(named);
}

/** A star, or a folder in capitals such as `NAME`, stands for any one name. */
function exists(named: string, known: readonly string[]): boolean {
  const pattern = named
    .split("/")
    .map((part) => {
      if (part === "**") return ".*";
      if (/^[A-Z]+$/.test(part) && part !== "LICENSE") return "[^/]+";
      return part.replace(/[.]/g, "\\.").replace(/\*/g, "[^/]*");
    })
    .join("/");
  const expression = new RegExp(`^${pattern}(/|$)`);
  return known.some((each) => expression.test(each));
}

/** Problems of a text that names a path of one machine, or a host that serves packages. */
export function judgePlaces(path: string, text: string): Problem[] {
  if (text.length > TEXT_LENGTH_MAX || text.includes("\0")) return [];
  return text.split("\n").flatMap((line, index) => {
    const [found] = MACHINE_PATH.exec(line) ?? REGISTRY_HOST.exec(line) ?? [];
    if (found === undefined) return [];
    const message = `\`${found}\` belongs to one machine`;
    return [{ path, line: index + 1, rule: "place", message }];
  });
}

interface LockEntry {
  readonly resolved?: string;
  /** A package of this repository: `resolved` is its folder. */
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Problems of package-lock.json: it names no addresses, and it holds each optional dependency of
 * its packages (`npm ci` refuses one that is missing, whatever the platform).
 */
export function judgeLock(path: string, text: string): Problem[] {
  const { packages } = JSON.parse(text) as { packages: Record<string, LockEntry> };
  const names = Object.keys(packages);
  return Object.entries(packages).flatMap(([name, entry]) => {
    const missing = Object.keys(entry.optionalDependencies ?? {}).filter(
      (each) => !names.some((known) => known.endsWith(`node_modules/${each}`)),
    );
    const messages = missing.map((each) => `\`${each}\`, optional in \`${name}\`, is missing`);
    if (entry.resolved !== undefined && entry.link !== true) {
      messages.push(`\`${name}\` has an address in \`resolved\``);
    }
    return messages.map((message) => ({ path, line: 1, rule: "lock", message }));
  });
}
