/** What the thread of the user's code runs first: loads their module and answers calls with it. */
import { pathToFileURL } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { parentPort, workerData } from "node:worker_threads";
import type { Answer, CodeData, Order } from "./code-thread.ts";
import type { Functions } from "./door.ts";
import { functionDoor } from "./functions.ts";

async function serve(port: MessagePort, { path }: CodeData): Promise<void> {
  const say = (answer: Answer): void => port.postMessage(answer);
  let functions: Functions;
  try {
    const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    functions = Object.fromEntries(
      Object.entries(module).filter(
        (entry): entry is [string, Functions[string]] => typeof entry[1] === "function",
      ),
    );
  } catch (thrown) {
    say({ is: "failed", message: thrown instanceof Error ? thrown.message : String(thrown) });
    return;
  }
  const door = functionDoor(functions);
  const underWay = new Map<number, AbortController>();
  port.on("message", (order: Order) => {
    if (order.is === "abort") {
      underWay.get(order.number)?.abort();
      return;
    }
    const { number, request } = order;
    const ending = new AbortController();
    underWay.set(number, ending);
    void door.ask({ ...request, signal: ending.signal }).then((attempted) => {
      underWay.delete(number);
      say({ is: "answer", number, attempted });
    });
  });
  say({ is: "open", names: Object.keys(functions) });
}

if (parentPort) await serve(parentPort, workerData as CodeData);
