// Lists and calls every tool with both official clients, over HTTP and over standard input and output. A client checks
// each result against the output schema of its tool.

import assert from "node:assert/strict";
import * as modern from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as Classic } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as ClassicStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as ClassicHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { calls } from "./calls.mjs";

const url = new URL(process.env.BASE_URL + "/mcp");
const key = process.env.API_KEY;
const [command, ...args] = process.env.STDIO_COMMAND.split("\n");
const web = { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
const stdio = { command, args, env: { POLICY_AGENT_KEY: key }, stderr: "inherit" };
const info = { name: "test", version: "1" };

const modernClient = (mode) => new modern.Client(info, mode ? { versionNegotiation: { mode } } : {});
const ways = {
  "client 2.4.0 over HTTP": () => [modernClient(), new modern.StreamableHTTPClientTransport(url, web)],
  "client 2.4.0 over HTTP, asking for a newer revision first": () => [
    modernClient("auto"),
    new modern.StreamableHTTPClientTransport(url, web),
  ],
  "client 2.4.0 over stdio": () => [modernClient(), new ModernStdio(stdio)],
  "client 2.4.0 over stdio, asking for a newer revision first": () => [modernClient("auto"), new ModernStdio(stdio)],
  "sdk 1.32.2 over HTTP": () => [new Classic(info), new ClassicHttp(url, web)],
  "sdk 1.32.2 over stdio": () => [new Classic(info), new ClassicStdio(stdio)],
};

for (const [name, make] of Object.entries(ways)) {
  const [client, transport] = make();
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(calls).sort());
  for (const tool of tools) {
    const result = await client.callTool({ name: tool.name, arguments: calls[tool.name] });
    if (tool.name === "get_proof" && key.startsWith("svc_test_")) {
      assert.equal(JSON.parse(result.content[0].text).error, "not_found", "the sandbox is not in the log");
      continue;
    }
    assert.ok(!result.isError, JSON.stringify(result));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  }
  const refused = await client.callTool({ name: "validate_trade", arguments: {} });
  assert.equal(JSON.parse(refused.content[0].text).error, "invalid_payload");
  await assert.rejects(client.callTool({ name: "no_tool", arguments: {} }));
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    JSON.parse((await client.readResource({ uri })).contents[0].text);
  }
  const { prompts } = await client.listPrompts();
  for (const prompt of prompts) {
    const wanted = prompt.arguments?.length ? { trade: "buy 10 USD of SPY" } : {};
    assert.ok((await client.getPrompt({ name: prompt.name, arguments: wanted })).messages.length);
  }
  await client.ping();
  console.log(`${name}: ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`);
  await client.close();
}
