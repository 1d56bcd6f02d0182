/** A secret, which is shown only once, with ready settings that connect an agent. */
import { html, useState } from '../lib/html.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Tabs } from '../ui/tabs.js';
import { Copyable, Foreign } from '../ui/text.js';
import { SNIPPETS, DEFAULT_JAR } from './snippets.js';

export const Secret = ({ issued }) => html`
  <div class="notice good"><p><strong>This is the only time the key is shown.</strong> Store it where your agent can read it; we keep no copy.</p></div>
  <${Copyable} text=${issued.key} label="key" />
  <${Connect} issued=${issued} />`;

/** The ways to connect, a tab each, with the key in them. */
export function Connect({ issued }) {
  const [jar, setJar] = useState(DEFAULT_JAR);
  const given = { url: location.origin, key: issued.key, scopes: issued.scopes, jar };
  const tabs = SNIPPETS.map(({ id, name, needsJar, parts }) => ({
    id,
    name,
    panel: () => html`
      ${parts(given).map(({ lead, label, text }) => html`<p>${lead}</p><${Copyable} text=${text} label=${label} />`)}
      ${needsJar && html`<${Field} id="jar" label="Path of policy-app.jar on your computer" value=${jar} onInput=${setJar} autocomplete="off" spellcheck=${false} />`}`,
  }));
  return html`<h3>Connect your agent</h3><${Tabs} label="Ways to connect" tabs=${tabs} />`;
}

export const SecretDialog = ({ issued, onClose }) => html`
  <${Dialog} title=${html`Key of <${Foreign} text=${issued.name} />`} class="wide">
    <${Secret} issued=${issued} />
    <div class="actions"><button type="button" class="primary" onClick=${onClose}>I have stored the key</button></div>
  <//>`;
