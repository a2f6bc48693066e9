/** Starts the control: `node main.ts FILE PORT`. */
import { makeApp } from "./app.ts";
import { openProducts } from "./products.ts";

const [file = "control.sqlite", port = "0"] = process.argv.slice(2);
const products = openProducts(file);
const app = makeApp(products);
process.once("SIGTERM", async () => {
  await app.close();
  products.close();
});
console.log(await app.listen({ host: "127.0.0.1", port: Number(port) }));
