/** Bounds of the host itself, apart from those that a document states. */

/**
 * Bounds that protect the host itself, apart from any limit that a document states. Whoever passes
 * one meets HTTP's own answer (408, 413, 431) or a closed connection, before the document is asked.
 */
export interface HostBounds {
  /** Bytes of a request's head; node answers 431. */
  readonly headerBytesMax: number;
  /** Bytes of a body, where the document states no greater size; answered 413. */
  readonly bodyBytesMax: number;
  /** Time for the head, and for the whole request, to arrive; node answers 408. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long a connection may idle between requests. */
  readonly keepAliveTimeoutMs: number;
  /** How often the times above are looked at. */
  readonly checkIntervalMs: number;
  /** Requests that may wait for the writer before sockets are no longer read. */
  readonly waitingMax: number;
  /** Requests of one connection that may wait for their answers before it is closed. */
  readonly pipelinedMax: number;
  /** Bytes of answers that may wait for their clients before no further request is taken. */
  readonly unreadBytesMax: number;
  /** How long a client may take nothing of an answer that waits for it. */
  readonly unreadTimeoutMs: number;
  /** How long `stop` waits for what it began before it closes connections. */
  readonly stopTimeoutMs: number;
}

export const DEFAULT_BOUNDS: HostBounds = {
  headerBytesMax: 16_384,
  bodyBytesMax: 8_388_608,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 30_000,
  checkIntervalMs: 2_000,
  waitingMax: 4_096,
  pipelinedMax: 256,
  unreadBytesMax: 268_435_456,
  unreadTimeoutMs: 30_000,
  stopTimeoutMs: 10_000,
};
