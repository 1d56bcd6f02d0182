/** The history of the policy: all versions and their changes. */
import { html } from '../lib/html.js';
import { get } from '../lib/api.js';
import { useLoad } from '../lib/load.js';
import { Badge, When } from '../ui/text.js';
import { Loaded } from '../ui/states.js';
import { Differences } from './review.js';
import { differences } from './words.js';

export function Versions({ current, onRestore }) {
  const loaded = useLoad(() => get('/ips/versions'), [current]);
  return html`
    <section><h2>History</h2>
      <${Loaded} of=${loaded}>${({ versions }) => {
        const newest = [...versions].sort((a, b) => b.ipsVersion - a.ipsVersion);
        return html`<ol class="versions">${newest.map((version, i) => {
          const before = newest[i + 1];
          const count = before ? differences(before, version).length : 0;
          return html`<li key=${version.ipsVersion}>
            <details>
              <summary><strong>Version ${version.ipsVersion}</strong> <${When} at=${version.createdAt} />
                ${i === 0 ? html` <${Badge} kind="good">In force<//>` : ''}
                <small>${before ? `${count} ${count === 1 ? 'change' : 'changes'}` : 'the first'}</small></summary>
              ${before ? html`<${Differences} before=${before} after=${version} />` : html`<${Differences} before=${null} after=${version} />`}
              ${i > 0 && html`<p><button type="button" class="small" onClick=${() => onRestore(version)}>Use as a draft<span class="quiet"> version ${version.ipsVersion}</span></button></p>`}
            </details></li>`;
        })}</ol>`;
      }}<//>
    </section>`;
}
