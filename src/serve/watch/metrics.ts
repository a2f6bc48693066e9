/** Figures of a service in Prometheus' text format; no label holds what strangers send. */
import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { EngineFigures } from "../engine/figures.ts";
import type { Told } from "../http/told.ts";

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Instead of an endpoint: the request found none. */
const NO_ENDPOINT = "-";

/** What is measured only when it is asked for. */
export interface Figures {
  /** Requests that wait to be written. */
  readonly waiting: number;
  readonly connections: number;
  /** Requests that are not read on, because too much waits. */
  readonly held: number;
  readonly streams: number;
  /** Lines of the log that were lost because nobody took them. */
  readonly linesLost: number;
  /** Of the store; undefined: the writer has not answered. */
  readonly store: EngineFigures | undefined;
  /** Bytes of the store's file and of the disk that is free; undefined: it is in memory. */
  readonly disk: { readonly storeBytes: number; readonly freeBytes: number } | undefined;
}

/** A gap of the document as the port lists it. */
interface OpenGap {
  readonly id: string;
  readonly part: string;
  readonly sentence: string;
  readonly place: string;
  /** Whether any request can meet it. */
  readonly blocking: boolean;
}

/** The program and the document that is served now. */
export interface About {
  readonly version: string;
  readonly title: string;
  readonly gaps: readonly OpenGap[];
}

/** Versions of one document have gaps of the same names. */
function keyOf({ id, place }: NonNullable<Told["gap"]>): string {
  return `${id} ${place}`;
}

/** The figures of one service. */
export interface Metrics {
  answered(told: Told): void;
  /** A gap was met apart from requests. */
  gapMet(gap: NonNullable<Told["gap"]>): void;
  /** How often a gap was met since the start. */
  met(gap: NonNullable<Told["gap"]>): number;
  /** All figures as text, and its media type. */
  text(figures: Figures): Promise<{ readonly type: string; readonly text: string }>;
}

/** Loads the library and begins to count. */
export async function makeMetrics(about: () => About): Promise<Metrics> {
  const client = await import("prom-client");
  const registry: Registry = new client.default.Registry();
  return new PromMetrics(client.default, registry, about);
}

type Client = typeof import("prom-client");

class PromMetrics implements Metrics {
  private readonly registry: Registry;
  private readonly about: () => About;
  private readonly info: Gauge<"version" | "title">;
  private readonly requests: Counter<"endpoint" | "method" | "status">;
  private readonly took: Histogram<"endpoint">;
  private readonly gaps: Counter<"gap" | "place">;
  private readonly gauges: Readonly<Record<GaugeName, Gauge>>;
  private readonly counts = new Map<string, number>();

  constructor(client: Client, registry: Registry, about: () => About) {
    const registers = [registry];
    this.registry = registry;
    client.collectDefaultMetrics({ register: registry });
    this.requests = new client.Counter({
      name: "lacuna_requests_total",
      help: "Requests answered, by endpoint, method and status",
      labelNames: ["endpoint", "method", "status"],
      registers,
    });
    this.took = new client.Histogram({
      name: "lacuna_request_duration_seconds",
      help: "Time from the end of a request's head until its answer was known",
      labelNames: ["endpoint"],
      buckets: BUCKETS,
      registers,
    });
    this.gaps = new client.Counter({
      name: "lacuna_gaps_met_total",
      help: "Gaps of the document that were met, by their line",
      labelNames: ["gap", "place"],
      registers,
    });
    this.about = about;
    this.info = new client.Gauge({
      name: "lacuna_info",
      help: "The version of the program and the title of the document",
      labelNames: ["version", "title"],
      registers,
    });
    const names = Object.keys(GAUGES) as GaugeName[];
    this.gauges = Object.fromEntries(
      names.map((name) => [name, new client.Gauge({ name, help: GAUGES[name].help, registers })]),
    ) as Record<GaugeName, Gauge>;
  }

  answered({ method, endpoint = NO_ENDPOINT, status, tookMs, gap }: Told): void {
    this.requests.inc({ endpoint, method, status });
    this.took.observe({ endpoint }, tookMs / 1000);
    if (gap !== undefined) this.gapMet(gap);
  }

  gapMet(gap: NonNullable<Told["gap"]>): void {
    const { id, place } = gap;
    this.gaps.inc({ gap: id, place });
    this.counts.set(keyOf(gap), this.met(gap) + 1);
  }

  met(gap: NonNullable<Told["gap"]>): number {
    return this.counts.get(keyOf(gap)) ?? 0;
  }

  async text(figures: Figures): Promise<{ readonly type: string; readonly text: string }> {
    const { version, title, gaps } = this.about();
    this.info.reset();
    this.info.set({ version, title }, 1);
    this.gauges.lacuna_gaps_open.set(gaps.length);
    // A figure that is there before the first time tells how often it has risen since.
    for (const { id, place } of gaps) this.gaps.inc({ gap: id, place }, 0);
    for (const [name, { of }] of Object.entries<GaugeEntry>(GAUGES)) {
      if (of === undefined) continue;
      const value = of(figures);
      // What is not known is not told: an old figure would look like a new one.
      if (value === undefined) this.gauges[name as GaugeName].remove();
      else this.gauges[name as GaugeName].set(value);
    }
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}

interface GaugeEntry {
  readonly help: string;
  readonly of?: (figures: Figures) => number | undefined;
}

type GaugeName = keyof typeof GAUGES;

const GAUGES = {
  lacuna_gaps_open: { help: "Gaps that the document has" },
  lacuna_writer_waiting: {
    help: "Requests that wait to be written",
    of: (one: Figures) => one.waiting,
  },
  lacuna_connections_open: { help: "Open connections", of: (one: Figures) => one.connections },
  lacuna_requests_held: {
    help: "Requests that are not read on, because too much waits",
    of: (one: Figures) => one.held,
  },
  lacuna_streams_open: { help: "Open streams of events", of: (one: Figures) => one.streams },
  lacuna_outbox_messages: {
    help: "Messages that wait for their receivers, counted up to 100001",
    of: (one: Figures) => one.store?.messages,
  },
  lacuna_outbox_late_seconds: {
    help: "Time since the first message was due that has not been delivered",
    of: (one: Figures) => one.store?.messagesLate,
  },
  lacuna_timers_late_seconds: {
    help: "Time since the first thing was due that happens by time, and has not happened",
    of: (one: Figures) => one.store?.timersLate,
  },
  lacuna_store_bytes: {
    help: "Bytes of the database's files",
    of: (one: Figures) => one.disk?.storeBytes,
  },
  lacuna_disk_free_bytes: {
    help: "Free bytes of the disk that the database is on",
    of: (one: Figures) => one.disk?.freeBytes,
  },
  lacuna_log_lines_lost: {
    help: "Lines of the log that were lost because nobody took them",
    of: (one: Figures) => one.linesLost,
  },
} as const satisfies Readonly<Record<string, GaugeEntry>>;
