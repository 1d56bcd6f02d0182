// Runs the scenarios of the official suite that need no fixtures. The suite sends no credentials, so a proxy adds the key.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import http from "node:http";

const scenarios = process.env.SCENARIOS.split(",");
const service = new URL(process.env.BASE_URL);

const proxy = http.createServer((asked, answer) => {
  const headers = { ...asked.headers, authorization: `Bearer ${process.env.API_KEY}` };
  const options = { host: service.hostname, port: service.port, path: asked.url, method: asked.method, headers };
  const passed = http.request(options, (given) => {
    answer.writeHead(given.statusCode, given.headers);
    given.pipe(answer);
  });
  passed.on("error", (failed) => answer.destroy(failed));
  asked.pipe(passed);
});
await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));

const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const url = `http://localhost:${proxy.address().port}/mcp`;
for (const scenario of scenarios) {
  const run = spawn("node_modules/.bin/node", [suite, "server", "--url", url, "--scenario", scenario]);
  let said = "";
  run.stdout.on("data", (text) => (said += text));
  run.stderr.on("data", (text) => (said += text));
  const code = await new Promise((ended) => run.on("close", ended));
  assert.equal(code, 0, `${scenario}\n${said}`);
  console.log(`conformance ${scenario}: passed`);
}
proxy.close();
