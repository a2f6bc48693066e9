/** The client of the conduit example drives the example as it is served. */
import { test } from "node:test";
import { served } from "../peers/served.ts";
import { flows } from "./flows.ts";

test("the client goes through the flows of RealWorld at the service", async () => {
  const service = await served({
    args: ["examples/conduit/spec.md", "--assume", "examples/conduit/assumptions.md"],
    settings: { jwt_key: "k".repeat(32) },
  });
  try {
    await flows(service.address);
  } finally {
    await service.stop();
  }
});
