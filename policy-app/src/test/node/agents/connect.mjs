// Connects as a client does that has the settings on its standard input, asks whether a trade is allowed, and proposes it.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [server] = Object.values(JSON.parse(readFileSync(0, 'utf8')).mcpServers);
const transport = server.url
  ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } })
  : new StdioClientTransport({ command: server.command, args: server.args, env: { ...process.env, ...server.env } });
const client = new Client({ name: 'settings-test', version: '1.0.0' });
await client.connect(transport);
const trade = { action: 'buy', assetSymbol: 'SPY', assetType: 'tradfi', amountUsd: 500 };
for (const name of ['validate_trade', 'propose_trade']) {
  console.log(JSON.stringify((await client.callTool({ name, arguments: trade })).structuredContent));
}
await client.close();
