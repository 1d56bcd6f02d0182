/** Ready settings and programs that connect an agent, with its key and the address of this service in them. */

const TRADE = { action: 'buy', assetSymbol: 'SPY', assetType: 'tradfi', amountUsd: 500 };
const RATIONALE = 'A first try of the connection.';

/** Where the packages of the service install the jar. */
export const DEFAULT_JAR = '/usr/lib/agent-policy/policy-app.jar';

const json = (value) => JSON.stringify(value, null, 2);
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** What a program of a key does: it asks about a trade and proposes it, as far as the scopes allow. */
function steps(scopes) {
  const known = [
    { scope: 'validate', tool: 'validate_trade', method: 'POST', path: 'policy/validate', body: TRADE },
    { scope: 'propose', tool: 'propose_trade', method: 'POST', path: 'trades/propose', body: { ...TRADE, rationale: RATIONALE } },
    { scope: 'read', tool: 'get_mandate', method: 'GET', path: 'mandate', body: null },
  ];
  const wanted = known.filter((step) => step.scope !== 'read' && scopes.includes(step.scope));
  return wanted.length > 0 ? wanted : known.filter((step) => scopes.includes(step.scope));
}

function claudeCode({ url, key, jar }) {
  return [
    { lead: 'Claude Code, over HTTP. In a terminal:', label: 'command for HTTP',
      text: `claude mcp add --transport http agent-policy ${url}/mcp --header "Authorization: Bearer ${key}"` },
    { lead: 'Or with a process of its own, which needs Java 17 and the jar on your computer:', label: 'command for a process',
      text: `claude mcp add agent-policy --env POLICY_AGENT_KEY=${key} -- java -jar ${quoted(jar)} mcp --url ${url}` },
  ];
}

function claudeDesktop({ url, key, jar }) {
  const server = { command: 'java', args: ['-jar', jar, 'mcp', '--url', url], env: { POLICY_AGENT_KEY: key } };
  return [{ lead: 'Claude Desktop: Settings, Developer, Edit Config. It starts a process, which needs Java 17 and the jar on your computer.',
    label: 'claude_desktop_config.json', text: json({ mcpServers: { 'agent-policy': server } }) }];
}

function cursor({ url, key }) {
  const server = { url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return [{ lead: 'Cursor: the file ~/.cursor/mcp.json, or .cursor/mcp.json in a project.', label: 'mcp.json', text: json({ mcpServers: { 'agent-policy': server } }) }];
}

function python({ url, key, scopes }) {
  const calls = steps(scopes).map(({ method, path, body }) =>
    `print(service.${method.toLowerCase()}("${url}/api/agent/v1/${path}"${body ? `, json=${JSON.stringify(body)}` : ''}).json())`);
  return [{ lead: 'Python with the package requests:', label: 'Python program',
    text: `import requests\n\nservice = requests.Session()\nservice.headers["Authorization"] = "Bearer ${key}"\n${calls.join('\n')}` }];
}

function pythonMcp({ url, key, scopes }) {
  const calls = steps(scopes).map(({ tool, body }) =>
    `            print((await session.call_tool("${tool}", ${JSON.stringify(body ?? {})})).structuredContent)`);
  return [{ lead: 'Python with the package mcp:', label: 'Python program', text: `import asyncio
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def main():
    headers = {"Authorization": "Bearer ${key}"}
    async with streamablehttp_client("${url}/mcp", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
${calls.join('\n')}


asyncio.run(main())` }];
}

function typeScript({ url, key, scopes }) {
  const calls = steps(scopes).map(({ tool, body }) =>
    `console.log((await client.callTool({ name: '${tool}', arguments: ${JSON.stringify(body ?? {})} })).structuredContent);`);
  return [{ lead: 'TypeScript with the package @modelcontextprotocol/sdk:', label: 'TypeScript program',
    text: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'my-agent', version: '1.0.0' });
const headers = { Authorization: 'Bearer ${key}' };
await client.connect(new StreamableHTTPClientTransport(new URL('${url}/mcp'), { requestInit: { headers } }));
${calls.join('\n')}
await client.close();` }];
}

function curl({ url, key, scopes }) {
  return steps(scopes).map(({ method, path, body }) => ({
    lead: path === 'policy/validate' ? 'Would this trade be allowed?' : path === 'trades/propose' ? 'Propose it to yourself:' : 'What binds this key:',
    label: `command for ${path}`,
    text: `curl -s ${url}/api/agent/v1/${path} \\\n  -H "Authorization: Bearer ${key}"${method === 'GET' ? ''
      : ` \\\n  -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify(body))}`}`,
  }));
}

/** The ways to connect. `needsJar` marks those that start a process. Each makes parts: what to do, and text to copy. */
export const SNIPPETS = [
  { id: 'claude-code', name: 'Claude Code', needsJar: true, parts: claudeCode },
  { id: 'claude-desktop', name: 'Claude Desktop', needsJar: true, parts: claudeDesktop },
  { id: 'cursor', name: 'Cursor', parts: cursor },
  { id: 'python', name: 'Python', parts: python },
  { id: 'python-mcp', name: 'Python (MCP)', parts: pythonMcp },
  { id: 'typescript', name: 'TypeScript', parts: typeScript },
  { id: 'curl', name: 'curl', parts: curl },
];
