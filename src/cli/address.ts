/** Addresses that a port listens on, as an operator writes them. */

const WRITTEN = /^(?:(\[[0-9A-Fa-f:.]+\]|[^:[\]/]+):)?(\d{1,5})$/;
const PORT_MAX = 65_535;

/** `9090`, `10.0.0.5:9090` or `[::1]:9090`; undefined: it is none of them. */
export function addressOf(
  text: string,
): { readonly host: string; readonly port: number } | undefined {
  const [all, host = "127.0.0.1", digits] = WRITTEN.exec(text) ?? [];
  const port = Number(digits);
  if (all === undefined || port > PORT_MAX) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port };
}
