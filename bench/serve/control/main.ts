/** Starts a control: `node main.ts FILE PORT usual|expert`. */
import { makeApp } from "./app.ts";
import { openProducts } from "./products.ts";

const [file = "control.sqlite", port = "0", manner = "usual"] = process.argv.slice(2);
if (manner !== "usual" && manner !== "expert") throw new Error(`no control is ${manner}`);
const products = openProducts(file, manner);
const app = makeApp(products);
process.once("SIGTERM", async () => {
  await app.close();
  products.close();
});
console.log(await app.listen({ host: "127.0.0.1", port: Number(port) }));
