/**
 * A span for each answer, by OpenTelemetry's own library, which is configured by its own names in
 * the environment (`OTEL_EXPORTER_OTLP_ENDPOINT` ...). It is loaded only where it is asked for.
 */
import type { Told } from "../http/told.ts";
import { CannotServe } from "../settings/refused.ts";

/** What is used of `@opentelemetry/sdk-node`. */
interface Sdk {
  readonly NodeSDK: new (options: {
    readonly serviceName?: string;
    readonly instrumentations: readonly never[];
  }) => { start(): void; shutdown(): Promise<void> };
}

type Context = object;

/** What is used of `@opentelemetry/api`. */
interface Api {
  readonly ROOT_CONTEXT: Context;
  readonly SpanKind: { readonly SERVER: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly propagation: { extract(context: Context, carrier: object): Context };
  readonly trace: {
    getTracer(
      name: string,
      version: string,
    ): {
      startSpan(
        name: string,
        options: {
          readonly kind: number;
          readonly startTime: number;
          readonly attributes: Readonly<Record<string, string | number>>;
        },
        context: Context,
      ): { setStatus(status: { readonly code: number }): void; end(endTime: number): void };
    };
  };
}

/** Spans of a running service. */
interface Traces {
  answered(told: Told): void;
  /** Sends what waits, and ends. */
  stop(): Promise<void>;
}

const SDK = "@opentelemetry/sdk-node";
const API = "@opentelemetry/api";

/** Loads a package by its name; tests bring their own. */
type Load = (name: string) => Promise<unknown>;

/** Starts the library. Rejects with `CannotServe` where it is not installed. */
export async function openTraces(
  version: string,
  load: Load = (name) => import(name),
): Promise<Traces> {
  const [sdk, api] = (await Promise.all([SDK, API].map(load)).catch(() => {
    throw new CannotServe([`\`--otel\` needs ${SDK} and ${API}: npm install ${SDK} ${API}`]);
  })) as [Sdk, Api];
  const { OTEL_SERVICE_NAME: named } = process.env;
  const node = new sdk.NodeSDK({
    instrumentations: [],
    ...(named === undefined ? { serviceName: "lacuna" } : {}),
  });
  node.start();
  const tracer = api.trace.getTracer("lacuna", version);
  return {
    answered: ({ method, endpoint, status, tookMs, address, gap, trace }) => {
      const endTime = Date.now();
      // Names and attributes as the conventions for HTTP servers have them; never the path as sent.
      const route = endpoint?.slice(endpoint.indexOf(" ") + 1);
      const attributes = {
        "http.request.method": method === "-" ? "_OTHER" : method,
        "http.response.status_code": status,
        "client.address": address,
        ...(route === undefined ? {} : { "http.route": route }),
        ...(gap === undefined ? {} : { "lacuna.gap": gap.id, "lacuna.gap.place": gap.place }),
      };
      const options = { kind: api.SpanKind.SERVER, startTime: endTime - tookMs, attributes };
      const parent = api.propagation.extract(api.ROOT_CONTEXT, trace ?? {});
      const span = tracer.startSpan(endpoint ?? method, options, parent);
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(endTime);
    },
    stop: () => node.shutdown(),
  };
}
