/** Talks to a server in raw bytes, to send what no client library would. */

import type { Socket } from "node:net";
import { connect } from "node:net";

export interface Talk {
  readonly socket: Socket;
  send(text: string): void;
  /** All bytes received once `until` matches, or once the peer has closed. */
  receive(until: RegExp): Promise<string>;
}

export function talk(port: number): Talk {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let closed = false;
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  socket.setEncoding("latin1");
  socket.on("data", (data) => {
    received += data;
    wake();
  });
  for (const event of ["close", "end", "error"] as const) {
    socket.on(event, () => {
      closed = true;
      wake();
    });
  }
  return {
    socket,
    send: (text) => {
      socket.write(text, "latin1");
    },
    receive: async (until) => {
      while (!until.test(received) && !closed) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const text = received;
      received = "";
      return text;
    },
  };
}

/** A request with a body, as raw text. */
export function post(path: string, body: string, headers = ""): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
