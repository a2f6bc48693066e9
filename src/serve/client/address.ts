/** Finds where a receiver is, and refuses what lies inside the host's own network. */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { type Found, Names, Unasked } from "./names.ts";

/** An address that was looked up once and judged: the connection is made to it and no other. */
export interface Place {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Addresses that are not of the open network: RFC 6890 and its registries (this host, private,
 * shared, loopback, link-local with the metadata services of clouds, unique local, multicast,
 * reserved, documentation); and 168.63.129.16, where machines of one cloud find services of their
 * own platform.
 */
const INSIDE_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** All that is not 2000::/3, and in it what stands for an IPv4 address or for nobody. */
const INSIDE_6 = [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
];

type Family = "ipv4" | "ipv6";

/** One list for each family: a list of both takes an IPv4 address for the IPv6 one it maps to. */
function blockList(ranges: readonly string[], family: Family): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = "0"] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

const INSIDE = { ipv4: blockList(INSIDE_4, "ipv4"), ipv6: blockList(INSIDE_6, "ipv6") };

/** Whether an address is of the host itself or of a network that is not open to everybody. */
export function isInside(address: string): boolean {
  const family: Family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (INSIDE[family].check(address, family)) return true;
  return Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === address);
}

/** The addresses of a host name; rejects where there are none. */
type Lookup = (host: string) => Promise<readonly Found[]>;

const names = new Names();
export interface PlaceOptions {
  readonly allowPrivate: boolean;
  /** Default: the machine's. */
  readonly lookup?: Lookup;
  /** How long a name may wait until anybody is asked for it. Default: without end. */
  readonly unaskedMs?: number;
}

/**
 * The place of an address, or the reason why nothing is sent there; undefined: this host has asked
 * nobody for it yet.
 */
export async function placeOf(
  text: string,
  options: PlaceOptions,
): Promise<Place | string | undefined> {
  const { allowPrivate, unaskedMs } = options;
  const { lookup: find = (host) => names.find(host, allowPrivate, unaskedMs) } = options;
  if (!URL.canParse(text)) return "it is no address";
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "it is not of HTTP";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const asked = family === 0 ? find(host) : Promise.resolve([{ address: host, family }]);
  const found = await asked.catch((why) => (why instanceof Unasked ? undefined : []));
  if (found === undefined) return undefined;
  const open = found.find((one) => allowPrivate || !isInside(one.address));
  if (open === undefined) {
    return found.length === 0 ? "its host is not known" : "it lies inside the host's own network";
  }
  return { url, address: open.address, family: open.family === 6 ? 6 : 4 };
}
