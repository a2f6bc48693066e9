/** Whose a connection is, as far as its address tells: what one client does is counted together. */
import { isIPv6 } from "node:net";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of an IPv6 address that name its network: whoever has one address has all of them. */
const NETWORK_GROUPS = 4;

let [knownAddress, knownPeer] = ["", ""];

/** One name for all addresses of a client: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function peerOf(address: string): string {
  // Requests of one client come together, and each asks more than once.
  if (address !== knownAddress) [knownAddress, knownPeer] = [address, nameOf(address)];
  return knownPeer;
}

function nameOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [bare = ""] = address.split("%", 1);
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.toLowerCase().split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  // What `::` leaves out are zeros: as many as the groups behind it leave room for.
  const behind = tail === undefined || tail === "" ? 0 : tail.split(":").length;
  if (tail !== undefined) {
    const zeros = Math.max(0, 2 * NETWORK_GROUPS - groups.length - behind);
    groups.push(...new Array<string>(zeros).fill("0"), ...tail.split(":"));
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((one) => Number.parseInt(one, 16) || 0);
  return `${network.map((one) => one.toString(16)).join(":")}::/64`;
}
