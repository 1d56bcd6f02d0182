// Lists the tools with the command line of the inspector, over HTTP and over standard input and output, and calls those
// whose turn it is: each call starts the inspector anew.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { calls } from "./calls.mjs";

const key = process.env.API_KEY;
const ways = {
  HTTP: (options) => [process.env.BASE_URL + "/mcp", "--header", `Authorization: Bearer ${key}`, ...options],
  stdio: (options) => ["-e", `POLICY_AGENT_KEY=${key}`, ...options, "--", ...process.env.STDIO_COMMAND.split("\n")],
};

function inspect(way, ...options) {
  const said = execFileSync("node_modules/.bin/node", ["node_modules/.bin/mcp-inspector", "--cli", ...way(options)], {
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(said.toString("utf8"));
}

for (const [name, way] of Object.entries(ways)) {
  const { tools } = inspect(way, "--method", "tools/list");
  assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(calls).sort());
  const turns = Object.entries(calls).filter((call, place) => (place + Number(process.env.SEED)) % Number(process.env.ONE_IN) === 0);
  for (const [tool, wanted] of turns) {
    const options = Object.entries(wanted).flatMap(([argument, value]) => [
      "--tool-arg",
      `${argument}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    ]);
    const result = inspect(way, "--method", "tools/call", "--tool-name", tool, ...options);
    assert.ok(!result.isError, JSON.stringify(result));
    assert.ok(result.structuredContent);
  }
  console.log(`inspector over ${name}: ${tools.length} tools`);
}
