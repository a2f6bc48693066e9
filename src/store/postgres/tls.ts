/** How connections to a server are encrypted, as the parameters of libpq say it. */
import { StorageFault } from "../sqlite/fault.ts";

/**
 * What is checked of the server's certificate: nothing; that an authority that is known has signed
 * it; or also that it is for the host. Files are named by their paths.
 */
export interface Tls {
  readonly checks: "nothing" | "authority" | "host";
  /** Certificates of authorities. Default: those that Node.js knows. */
  readonly authorities: string | undefined;
  /** The certificate and the key by which the client shows itself. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** By `sslmode` (PostgreSQL 18 documentation, "SSL Support" of libpq). */
const CHECKS: Readonly<Record<string, Tls["checks"]>> = {
  require: "nothing",
  "verify-ca": "authority",
  "verify-full": "host",
};
const PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const;

/**
 * How the connections of a URL are encrypted; undefined: they are not. What it says of that is
 * taken out of it. Throws a `StorageFault` for what is not known.
 */
export function tlsOf(
  url: URL,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Tls | undefined {
  const said = (name: (typeof PARAMETERS)[number]): string | undefined =>
    url.searchParams.get(name) ?? environment[`PG${name.toUpperCase()}`];
  const [mode = "disable", root, certificate, key] = PARAMETERS.map(said);
  for (const name of PARAMETERS) url.searchParams.delete(name);
  const other = [...url.searchParams.keys()].find((name) => name.startsWith("ssl"));
  if (other !== undefined) {
    throw new StorageFault("TLS", `\`${other}\` is not known: \`sslmode\` says what is encrypted`);
  }
  if (mode === "disable") return undefined;
  const checks = CHECKS[mode];
  if (checks === undefined) {
    throw new StorageFault(
      "TLS",
      `\`sslmode=${mode}\` does not say whether connections are encrypted: name \`disable\`, ` +
        `${Object.keys(CHECKS)
          .map((one) => `\`${one}\``)
          .join(", ")}`,
    );
  }
  return {
    // As libpq has it: who names authorities wants them to be asked.
    checks: checks === "nothing" && root !== undefined ? "authority" : checks,
    authorities: root === "system" ? undefined : root,
    certificate,
    key,
  };
}
