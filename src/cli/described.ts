/** Descriptions of interfaces on the command line: told by their content, surveyed, reported. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { type Finding, lineTable, type Span } from "../base/index.ts";
import {
  type Cause,
  type Description,
  describe,
  type Load,
  type Place,
  type Problem,
  type Survey,
  survey,
  Unreadable,
} from "../openapi/index.ts";
import { type Input, reasonOf } from "./files.ts";
import type { Report, Source, Told } from "./report/model.ts";

/** Bytes of a file that another refers to. */
const OTHER_BYTES_MAX = 65 * 1024 * 1024;

/** Gives files below the folder of the first one, whatever their links lead to. */
function loadBeside(file: string): Load {
  if (file === "-") return () => "what came by the standard input has no folder";
  return (path) => {
    try {
      const folder = realpathSync(dirname(file));
      const found = realpathSync(join(folder, path));
      if (!found.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) {
        return "it is not below the folder of the first file";
      }
      const about = statSync(found);
      if (!about.isFile()) return "it is no file";
      if (about.size > OTHER_BYTES_MAX) return "it is larger than 64 MiB";
      return readFileSync(found);
    } catch (error) {
      return reasonOf(error);
    }
  };
}

/** What a file states, or the problem that keeps it from being read, with the files so far. */
export function describeInput({ file, bytes }: Input): Description | Problem {
  try {
    return describe(basename(file), bytes, loadBeside(file));
  } catch (error) {
    if (error instanceof Unreadable) return error.problem;
    throw error;
  }
}

const spanOf = ({ file, start, end }: Problem["place"]): Span =>
  file === 0 ? { start, end } : { start, end, file };

/** Another place; what it is called is looked up where it is wanted: there may be thousands. */
class Related {
  readonly span: Span;
  private readonly place: Place;
  private readonly nameOf: Survey["nameOf"];

  constructor(place: Place, nameOf: Survey["nameOf"]) {
    this.span = spanOf(place);
    this.place = place;
    this.nameOf = nameOf;
  }

  get message(): string {
    return this.nameOf(this.place);
  }
}

/** A cause as a finding at its first place. */
function findingOf(cause: Cause, nameOf: Survey["nameOf"]): Finding {
  const { code, severity, message, hint, question, places, count, of, subject } = cause;
  const [first, ...more] = places;
  return {
    code,
    severity,
    message,
    span: first === undefined ? { start: 0, end: 0 } : spanOf(first),
    counted: { count, of, subject },
    ...(hint === undefined ? {} : { hint }),
    ...(question === undefined ? {} : { question }),
    ...(more.length === 0 ? {} : { related: more.map((each) => new Related(each, nameOf)) }),
  };
}

function toldOf(description: Description): Told {
  const { title, parts, causes, nameOf } = survey(description);
  const facets = parts.flatMap((part) => part.facets);
  const having = (...statuses: readonly string[]): number =>
    facets.filter(({ status }) => statuses.includes(status)).length;
  return {
    title,
    parts: parts.map(({ name, facets: own }) => ({
      name,
      facets: own.map(({ place, ...each }) => ({ ...each, ...spanOf(place) })),
    })),
    gaps: [],
    findings: causes.map((each) => findingOf(each, nameOf)),
    counts: {
      stated: having("stated"),
      none: having("none"),
      free: 0,
      notShown: 0,
      silent: having("silent", "mentioned"),
    },
  };
}

const NOTHING = { stated: 0, none: 0, free: 0, notShown: 0, silent: 0 };

/** The report on a file that cannot be read as what it seems to be. */
export function unreadable({ file, bytes }: Input, problem: Problem): Report {
  const text = new TextDecoder().decode(bytes);
  const { code, message, hint, place } = problem;
  const finding: Finding = {
    code,
    severity: "error",
    message,
    span: { start: place.start, end: place.end },
    ...(hint === undefined ? {} : { hint }),
  };
  const checked: Told = { title: "", parts: [], gaps: [], findings: [finding], counts: NOTHING };
  return { file, text, table: lineTable(text), checked };
}

/** The report on one description. */
export function describedReport(input: Input): Report {
  const described = describeInput(input);
  if ("code" in described) return unreadable(input, described);
  const checked = toldOf(described);
  const [first, ...others] = described.files.all.map(
    ({ name, text }): Source => ({ file: name, text, table: lineTable(text) }),
  );
  const { text = "", table = lineTable("") } = first ?? {};
  return { file: input.file, text, table, checked, counts: described.source, others };
}
