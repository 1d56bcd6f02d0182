/** The history of the policy: its versions and their changes. */
import { html, useState } from '../lib/html.js';
import { get, query } from '../lib/api.js';
import { plural } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { isViewing } from '../lib/viewing.js';
import { Button } from '../ui/field.js';
import { Badge, Foreign, When } from '../ui/text.js';
import { Loaded } from '../ui/states.js';
import { VersionRelation } from './comparison.js';
import { Differences } from './review.js';
import { differences } from './words.js';

/** The first pages of the history, newest first, and whether there is more. */
async function load(pages) {
  const versions = [];
  let cursor = null;
  for (let page = 0; page < pages; page++) {
    const answer = await get(query('/ips/versions', { documents: true, cursor }));
    versions.push(...answer.versions);
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  const [signed, words] = await Promise.all([signers(versions), told(versions)]);
  return { versions, hasMore: Boolean(cursor), signed, words };
}

/** What was done to get to a version that only pauses, resumes, approves or begins a new peak, as the activity says it. */
async function told(versions) {
  const { events } = await get(query('/activity', { kinds: 'ips.amended', limit: Math.max(1, Math.min(versions.length, 200)) }));
  return new Map(events.filter(({ text }) => !text.startsWith('You changed the policy'))
    .map(({ ipsVersion, text }) => [ipsVersion, text.slice(0, text.lastIndexOf(', version '))]));
}

/** The names of the passkeys that signed versions, as the log has them; null for one that was removed since, and for a viewer. */
async function signers(versions) {
  const log = (eventType) => get(query('/events', { eventType, order: 'desc', limit: Math.max(1, versions.length) }));
  const [{ passkeys }, ...pages] = await Promise.all([isViewing() ? { passkeys: [] } : get('/passkeys'), log('ips.amended'), log('ips.created')]);
  const names = new Map(passkeys.map(({ credentialId, name }) => [credentialId, name]));
  return new Map(pages.flatMap(({ events }) => events).filter(({ payload }) => payload?.confirmation)
    .map(({ payload }) => [payload.ipsVersion, names.get(payload.confirmation.passkey.credentialId) ?? null]));
}

const Signer = ({ name }) => html`, confirmed with ${name === null ? (isViewing() ? 'a passkey' : 'a passkey that was removed since') : html`passkey <${Foreign} text=${name} />`}`;

/** @param onRestore makes a version the draft; absent for a viewer */
export function Versions({ current, onRestore }) {
  const [pages, setPages] = useState(1);
  const [opened, open] = useState(new Set());
  const loaded = useLoad(() => load(pages), [current, pages]);
  return html`
    <section><h2>History</h2>
      <${Loaded} of=${loaded}>${({ versions, hasMore, signed, words }) => html`
        <ol class="versions">${(hasMore ? versions.slice(0, -1) : versions).map((version, i) => {
          const before = versions[i + 1];
          const count = before ? differences(before, version).length : 0;
          return html`<li key=${version.ipsVersion}>
            <details onToggle=${(event) => { if (event.currentTarget.open) open(new Set(opened).add(version.ipsVersion)); }}>
              <summary><strong>Version ${version.ipsVersion}</strong> <${When} at=${version.createdAt} />
                ${i === 0 ? html` <${Badge} kind="good">In force<//>` : ''}
                <small>${words.has(version.ipsVersion) ? html`<${Foreign} text=${words.get(version.ipsVersion)} />` : before ? count === 0 ? 'no rule changed' : plural(count, 'change') : 'the first'}${signed.has(version.ipsVersion) && html`<${Signer} name=${signed.get(version.ipsVersion)} />`}</small></summary>
              ${before && !isViewing() && opened.has(version.ipsVersion) && html`<${VersionRelation} before=${before} after=${version} />`}
              ${before ? html`<${Differences} before=${before} after=${version} />` : html`<${Differences} before=${null} after=${version} />`}
              ${i > 0 && onRestore && html`<p><button type="button" class="small" onClick=${() => onRestore(version)}>Use as a draft<span class="quiet"> version ${version.ipsVersion}</span></button></p>`}
            </details></li>`;
        })}</ol>
        ${hasMore && html`<p><${Button} isBusy=${loaded.isLoading} busy="Loading…" onClick=${() => setPages(pages + 1)}>Older versions<//></p>`}`}<//>
    </section>`;
}
