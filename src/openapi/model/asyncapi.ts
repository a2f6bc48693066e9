/** AsyncAPI 2.x and 3.x: servers, channels, operations and messages, references followed. */
import { listAt, type MapNode, type Node, textAt, valueAt } from "../tree/index.ts";
import { messageOf, messagesOf } from "./async-messages.ts";
import { type AsyncAbout, maybeNamed, nameOfRef, traitsInto } from "./async-reader.ts";
import type {
  AsyncChannel,
  AsyncMessage,
  AsyncModel,
  AsyncOperation,
  AsyncReply,
  AsyncSecurity,
  AsyncServer,
  MaybeNamed,
} from "./async-types.ts";
import type { Reader } from "./reader.ts";

/** 3.x lists schemes, each by reference or as it is; 2.x lists objects of names and scopes. */
function securityOf(
  { reader, root, version }: AsyncAbout,
  owner: MapNode,
): AsyncSecurity[] | undefined {
  const list = reader.list(owner, "security");
  if (list === undefined) return undefined;
  const scopesOf = (node: Node | undefined): string[] =>
    (node?.kind === "list" ? node.items : []).flatMap((each) =>
      each.kind === "scalar" && typeof each.value === "string" ? [each.value] : [],
    );
  if (!version.startsWith("2")) {
    return list.items.map((item) => {
      const node = reader.refs.map(item);
      const name = nameOfRef(item);
      const scopes = scopesOf(node?.get("scopes"));
      return { place: item, scopes, ...(node && { node }), ...(name !== undefined && { name }) };
    });
  }
  const schemes = reader.map(reader.map(root, "components"), "securitySchemes");
  return list.items.flatMap((item) =>
    item.kind !== "map"
      ? []
      : item.keys.map((name, index): AsyncSecurity => {
          const node = reader.refs.map(schemes?.get(name));
          const scopes = scopesOf(item.values[index]);
          return { name, scopes, place: item.keyPlace(name), ...(node && { node }) };
        }),
  );
}

function serversOf(about: AsyncAbout): AsyncServer[] {
  const { reader, root } = about;
  return reader.named(reader.map(root, "servers")).map(({ name, node, place }) => {
    const protocol = textAt(node, "protocol");
    const host = textAt(node, "host");
    const address =
      textAt(node, "url") ??
      (host === undefined ? undefined : host + (textAt(node, "pathname") ?? ""));
    const security = securityOf(about, node);
    return {
      name,
      node,
      place,
      ...(protocol !== undefined && { protocol }),
      ...(address !== undefined && { address }),
      ...(security && { security }),
      bindings: reader.named(reader.map(node, "bindings"), "fixed"),
    };
  });
}

/** What an address says of itself: in 2.x the channel's name is its address. */
function addressOf({ version }: AsyncAbout, { name, node }: MaybeNamed): string | null | undefined {
  if (version.startsWith("2")) return name;
  const value = valueAt(node, "address");
  return value === null || typeof value === "string" ? value : undefined;
}

function channelServers({ version }: AsyncAbout, node: MapNode | undefined): string[] | undefined {
  return listAt(node, "servers")?.items.flatMap((each) => {
    if (!version.startsWith("2")) return nameOfRef(each) ?? [];
    return each.kind === "scalar" && typeof each.value === "string" ? [each.value] : [];
  });
}

function channelOf(about: AsyncAbout, named: MaybeNamed): AsyncChannel {
  const { reader } = about;
  const { node } = named;
  const address = addressOf(about, named);
  const servers = channelServers(about, node);
  const messages = maybeNamed(about, reader.map(node, "messages"));
  const channel: AsyncChannel = {
    ...named,
    ...(address !== undefined && { address }),
    parameters: maybeNamed(about, reader.map(node, "parameters")),
    ...(servers && { servers }),
    messages: messages.map((each) => messageOf(about, each)),
    bindings: reader.named(reader.map(node, "bindings"), "fixed"),
  };
  if (node !== undefined) about.channels.set(node, channel);
  return channel;
}

/** The channel that a member refers to, by the object that it is. */
function channelAt(about: AsyncAbout, owner: MapNode): AsyncChannel | undefined {
  const member = owner.get("channel");
  const node = about.reader.map(owner, "channel");
  if (member === undefined) return undefined;
  const known = node && about.channels.get(node);
  if (known !== undefined) return known;
  const named = { name: nameOfRef(member) ?? "", place: owner.keyPlace("channel") };
  return channelOf(about, { ...named, ...(node && { node }) });
}

/** 3.x: the messages that are listed, or all those of the channel. */
function listed(
  about: AsyncAbout,
  owner: MapNode,
  channel: AsyncChannel | undefined,
): AsyncMessage[] {
  const list = about.reader.list(owner, "messages");
  if (list === undefined) return [...(channel?.messages ?? [])];
  const own = new Map(channel?.messages.map((each) => [each.name, each]));
  return list.items.map((item) => {
    const node = about.reader.refs.map(item);
    const name = nameOfRef(item) ?? "";
    // Its reference may lead nowhere further on; then the name alone says which it is.
    const known = node === undefined ? own.get(name) : undefined;
    return known ?? messageOf(about, { name, place: item, ...(node && { node }) });
  });
}

function replyOf(about: AsyncAbout, operation: MapNode): AsyncReply | undefined {
  const { reader } = about;
  const node = reader.map(operation, "reply");
  if (node === undefined) return undefined;
  const channel = channelAt(about, node);
  const address = textAt(reader.map(node, "address"), "location");
  return {
    node,
    place: operation.keyPlace("reply"),
    ...(channel && { channel }),
    ...(address !== undefined && { address }),
    messages: listed(about, node, channel),
  };
}

function operation3(about: AsyncAbout, named: MaybeNamed & { node: MapNode }): AsyncOperation[] {
  const { reader } = about;
  const { name, place } = named;
  const { node, traits } = traitsInto(about, named.node);
  const word = textAt(node, "action");
  if (word !== "send" && word !== "receive") {
    reader.tell("malformed", place, "`action` of an operation is `send` or `receive`.");
    return [];
  }
  const channel = channelAt(about, node);
  const reply = replyOf(about, node);
  const security = securityOf(about, node);
  return [
    {
      name,
      action: word,
      word,
      place,
      node,
      ...(channel && { channel }),
      messages: listed(about, node, channel),
      ...(reply && { reply }),
      ...(security && { security }),
      bindings: reader.named(reader.map(node, "bindings"), "fixed"),
      traits,
    },
  ];
}

/** Who publishes in 2.x is whoever talks to the application: it receives. */
const ACTIONS = { publish: "receive", subscribe: "send" } as const;

function operations2(about: AsyncAbout, channel: AsyncChannel): AsyncOperation[] {
  const { reader } = about;
  return (["publish", "subscribe"] as const).flatMap((word): AsyncOperation[] => {
    const own = reader.map(channel.node, word);
    if (own === undefined) return [];
    const { node, traits } = traitsInto(about, own);
    const name = textAt(node, "operationId");
    const security = securityOf(about, node);
    return [
      {
        ...(name !== undefined && { name }),
        action: ACTIONS[word],
        word,
        place: channel.node?.keyPlace(word) ?? channel.place,
        node,
        channel,
        messages: messagesOf(about, node, `${channel.name} ${word}`),
        ...(security && { security }),
        bindings: reader.named(reader.map(node, "bindings"), "fixed"),
        traits,
      },
    ];
  });
}

/** Each message under the first of its names. */
function once(messages: readonly AsyncMessage[]): AsyncMessage[] {
  const seen = new Set<object>();
  return messages.filter((each) => seen.size !== seen.add(each.node ?? each.place).size);
}

/** Everything that a file in AsyncAPI states of channels and messages. */
export function asyncOf(root: MapNode, version: string, reader: Reader): AsyncModel {
  const defaultContentType = textAt(root, "defaultContentType");
  const about: AsyncAbout = {
    root,
    version,
    reader,
    ...(defaultContentType !== undefined && { defaultContentType }),
    messages: new Map(),
    channels: new Map(),
  };
  const known = maybeNamed(about, reader.map(root, "channels"));
  const channels = known.map((each) => channelOf(about, each));
  const operations = version.startsWith("2")
    ? channels.flatMap((each) => operations2(about, each))
    : reader.named(reader.map(root, "operations")).flatMap((each) => operation3(about, each));
  const components = reader.map(root, "components");
  const more = maybeNamed(about, reader.map(components, "messages"));
  const named = more.map((each) => messageOf(about, each));
  const all = [
    ...channels.flatMap((each) => each.messages),
    ...operations.flatMap((each) => [...each.messages, ...(each.reply?.messages ?? [])]),
    ...named,
  ];
  return {
    ...(defaultContentType !== undefined && { defaultContentType }),
    servers: serversOf(about),
    channels,
    operations,
    messages: once(all),
  };
}
