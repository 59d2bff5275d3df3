// take.js SOCKET STOP: takes ids until the file STOP is there, and prints them.
const fs = require("fs"), {createClient} = require("redis");

(async () => {
  const [socket, stop] = process.argv.slice(2);
  const client = createClient({socket: {path: socket, reconnectStrategy: () => 20}});
  client.on("error", () => {}); // the server was killed
  await client.connect();
  await client.lPop("users").then(() => process.exit(1), () => {});
  while (!fs.existsSync(stop)) {
    try {
      const ids = await Promise.all([client.lPop("ids"), client.lPop("ids")]); // one pipeline
      ids.push(...await client.lPopCount("ids", 10), (await client.blPop("ids", 5)).element);
      fs.writeSync(1, ids.map((id) => `node ${id}\n`).join(""));
    } catch (err) {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  await client.disconnect();
})();
