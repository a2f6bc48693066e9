/** Whose a request is that came through proxies which the operator trusts. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, SocketAddress } from "node:net";
import { CannotServe } from "../settings/refused.ts";

/** Whoever has sent a request, and what stands in its head. */
export type Sender = Pick<IncomingMessage, "socket" | "headers">;

/** What one hop says of whom it got the request from; undefined: nothing that is an address. */
type Hop = string | undefined;

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
/** `for=` of RFC 7239 section 4: a token, or a quoted text. */
const FOR = /^\s*for\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))\s*$/i;
/** An address with or without a port; one of IPv6 stands in brackets (RFC 7239 section 6). */
const NODE = /^(?:\[([^\]]+)\]|([0-9.]+))(?::\d{1,5})?$/;
const HOPS_MAX = 64;

/** The addresses that the operator trusts, and what follows from them. */
export class Proxies {
  private readonly trusted = new BlockList();
  private readonly any: boolean;

  /** `addresses`: single ones, or networks such as `10.0.0.0/8`. Throws `CannotServe`. */
  constructor(addresses: readonly string[]) {
    this.any = addresses.length > 0;
    for (const one of addresses) this.trust(one);
  }

  /** Whether the peer is one of them. */
  trusts(peer: string): boolean {
    const kind = isIP(peer);
    return this.any && kind !== 0 && this.trusted.check(peer, kind === 6 ? "ipv6" : "ipv4");
  }

  /**
   * The client's address: the last one that a trusted proxy tells of and that is no trusted proxy
   * itself. Where `Forwarded` and `X-Forwarded-For` tell of different ones, one of them was written
   * by a stranger, and the address is that of the proxy.
   */
  clientOf({ socket, headers }: Sender): string {
    const peer = socket.remoteAddress ?? "";
    if (!this.trusts(peer)) return peer;
    const { forwarded, "x-forwarded-for": listed } = headers;
    const told = [forwarded && forwardedHops(forwarded), listed && listedHops(String(listed))];
    const clients = told.flatMap((hops) => (hops ? [this.lastOf(peer, hops)] : []));
    const [first = peer] = clients;
    return clients.every((one) => one === first) ? first : peer;
  }

  private lastOf(peer: string, hops: readonly Hop[]): string {
    let client = peer;
    for (const hop of hops.slice(-HOPS_MAX).toReversed()) {
      if (hop === undefined || !this.trusts(client)) break;
      client = hop;
    }
    return client;
  }

  private trust(text: string): void {
    const [address = "", bits, ...more] = text.split("/");
    const kind = isIP(address);
    const most = kind === 6 ? 128 : 32;
    const isRight = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (kind === 0 || more.length > 0 || !isRight) {
      throw new CannotServe([
        `\`${text}\` is no address of a proxy: name one (10.0.0.7) or a network (10.0.0.0/8).`,
      ]);
    }
    const family = kind === 6 ? "ipv6" : "ipv4";
    this.trusted.addSubnet(address, bits === undefined ? most : Number(bits), family);
  }
}

/** The hops of `Forwarded`, the first one first (RFC 7239 section 4). */
function forwardedHops(text: string): readonly Hop[] {
  return split(text, ",").map((element) => {
    const found = split(element, ";").flatMap((pair) => FOR.exec(pair) ?? []);
    const [, quoted, token] = found;
    // A second `for` in one element is malformed.
    if (found.length > 3) return undefined;
    return addressIn(quoted?.replace(/\\(.)/g, "$1") ?? token ?? "");
  });
}

/** The parts of a text between separators that stand outside of quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [""];
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '"') isQuoted = !isQuoted;
    if (char === separator && !isQuoted) parts.push("");
    else parts[parts.length - 1] += char;
    if (char === "\\" && isQuoted) parts[parts.length - 1] += text[++i] ?? "";
  }
  return parts;
}

/** The hops of `X-Forwarded-For`: bare addresses, some with a port. */
function listedHops(text: string): readonly Hop[] {
  return text.split(",").map((one) => {
    const bare = one.trim();
    return isIP(bare) === 0 ? addressIn(bare) : plain(bare);
  });
}

function addressIn(node: string): Hop {
  const [, inBrackets, bare = ""] = NODE.exec(node) ?? [];
  if (inBrackets !== undefined) return isIP(inBrackets) === 6 ? plain(inBrackets) : undefined;
  return isIP(bare) === 4 ? bare : undefined;
}

/** One text for each address. */
function plain(address: string): Hop {
  if (isIP(address) === 4) return address;
  if (address.includes("%")) return undefined;
  const text = new SocketAddress({ address, family: "ipv6" }).address;
  return MAPPED.exec(text)?.[1] ?? text;
}
