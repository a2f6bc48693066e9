/** What the servers say that a channel is on. */
import type { AsyncChannel, AsyncModel, AsyncServer } from "./async-types.ts";

/** What a channel has of its servers. */
interface Reach {
  /** In the order of the file, each once. */
  readonly protocols: readonly string[];
  /** Every server says who may use it, and there is one. */
  readonly isSecured: boolean;
}

function reachOf(servers: readonly AsyncServer[]): Reach {
  return {
    protocols: [...new Set(servers.flatMap(({ protocol }) => protocol ?? []))],
    isSecured: servers.length > 0 && servers.every((each) => each.security !== undefined),
  };
}

/** Gives it for each channel; most are on all servers, which are looked through once. */
export function reachIn({ servers }: AsyncModel): (channel: AsyncChannel | undefined) => Reach {
  const all = reachOf(servers);
  const byName = new Map(servers.map((each) => [each.name, each]));
  return (channel) => {
    const names = channel?.servers;
    // A list that is empty stands for all, too: specification 3.1, Channel Object.
    if (names === undefined || names.length === 0) return all;
    return reachOf(names.flatMap((name) => byName.get(name) ?? []));
  };
}
