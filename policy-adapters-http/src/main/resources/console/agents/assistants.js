/** How an assistant is connected: it gets one address, and the user consents here (docs/reference/connections.md). */
import { html } from '../lib/html.js';
import { useLoad } from '../lib/load.js';
import { ErrorBox, Loading } from '../ui/states.js';
import { Copyable } from '../ui/text.js';

/** The address to give to assistants; null where the operator has not said how the service is reached. */
async function address() {
  const answer = await fetch('/.well-known/oauth-protected-resource/mcp');
  return answer.ok ? (await answer.json()).resource : null;
}

const WAYS = [
  ['Claude', 'Settings, Connectors, Add custom connector. Paste the address and press Connect.'],
  ['ChatGPT', 'Settings, Apps & Connectors, Create. Paste the address as the URL of the server.'],
  ['Cursor', 'Settings, MCP, Add new server. Paste the address as its url, then press Connect.'],
  ['VS Code', 'Run “MCP: Add Server”, choose HTTP, and paste the address.'],
];

/** The address to paste, and where. */
export function Assistants() {
  const loaded = useLoad(address);
  if (loaded.error) return html`<${ErrorBox} error=${loaded.error} retry=${loaded.reload} />`;
  if (loaded.data === undefined) return html`<${Loading} />`;
  if (loaded.data === null) {
    return html`<p class="notice"><span>Assistants can be connected once the operator of this service has set POLICY_APP_URL. Until then, use a key.</span></p>`;
  }
  return html`
    <p>Give your assistant this address. A page opens here on which you see who asks, set its limits, and confirm.</p>
    <${Copyable} text=${loaded.data} label="address" />
    <dl class="facts">${WAYS.map(([name, words]) => html`<div><dt>${name}</dt><dd>${words}</dd></div>`)}</dl>`;
}
