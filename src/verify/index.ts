/** The door of `verify`: a running service is judged by all that its document states. */

export type { EventBreak } from "./events/found.ts";
export { readTold, type Told } from "./operator.ts";
export type { Verified } from "./options.ts";
export { type Proxied, Proxy } from "./proxy/proxy.ts";
export { CannotListen } from "./proxy/thread.ts";
export { type Break, type Exchange, Session } from "./session.ts";
export { replayAgain } from "./shrink/again.ts";
export type { Replayed } from "./shrink/answers.ts";
export { type ReplayFile, readReplay, replayText } from "./shrink/file.ts";
export type { Replay } from "./shrink/replay.ts";
export { scriptOf } from "./shrink/scripts.ts";
export type { NotShrunk, Shrunk } from "./shrink/shrink.ts";
export { Client } from "./talk/client.ts";
export type { Verdict } from "./verdicts.ts";
export { verify } from "./verify.ts";
export { Reasons, type Why } from "./why.ts";
export type { Fields, Request } from "./world/message.ts";
export { withoutMarks } from "./world/texts.ts";
