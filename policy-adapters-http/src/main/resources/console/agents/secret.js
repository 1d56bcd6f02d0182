/** A secret, which is shown only once, with a command to try it. */
import { html } from '../lib/html.js';
import { Dialog } from '../ui/dialog.js';
import { Copyable, Foreign } from '../ui/text.js';

const TRADE = '{"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":500}';

/** The command that asks whether a trade would be allowed. */
export function curlLine(key, path = 'policy/validate', trade = TRADE) {
  return `curl -s ${location.origin}/api/agent/v1/${path} \\\n  -H "Authorization: Bearer ${key}" \\\n  -H "Content-Type: application/json" \\\n  -d '${trade}'`;
}

export const Secret = ({ issued }) => html`
  <div class="notice good"><p><strong>This is the only time the key is shown.</strong> Store it where your agent can read it; we keep no copy.</p></div>
  <${Copyable} text=${issued.key} label="key" />
  <p>Try it: would this trade be allowed?</p>
  <${Copyable} text=${curlLine(issued.key)} label="command" />`;

export const SecretDialog = ({ issued, onClose }) => html`
  <${Dialog} title=${html`Key of <${Foreign} text=${issued.name} />`} class="wide">
    <${Secret} issued=${issued} />
    <div class="actions"><button type="button" class="primary" onClick=${onClose}>I have stored the key</button></div>
  <//>`;
