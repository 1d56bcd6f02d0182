/** Exports the user's data, and deletes the account. */
import { html, useState } from '../lib/html.js';
import { forgetDrafts } from '../lib/load.js';
import { confirmed } from '../lib/passkeys.js';
import { usePlace } from '../lib/router.js';
import { Confirmation } from '../ui/confirmation.js';
import { tookStep } from '../ui/first-steps.js';

export function ExportAndDelete() {
  const [isAsking, setAsking] = useState(false);
  const remove = async (confirmation) => {
    await confirmed('DELETE', '/me', {}, confirmation);
    forgetDrafts();
    location.assign('/sign-in');
  };
  return html`
    <section class="card" ref=${usePlace('data')}><h2>Your data</h2>
      <p>Your profile, sessions, passkeys, policies, keys, custodians, holdings, usage, requests and the whole signed log, as one JSON file. Passwords and secrets are not in it.</p>
      <div class="actions"><a class="button" href="/api/app/v1/me/export" download onClick=${() => tookStep('backup')}>Export my data</a></div>
      <p>Deleting the account revokes all keys and erases what your events say. Their hashes and signatures stay, so that the chain can still be checked.</p>
      <div class="actions"><button type="button" class="danger-text" onClick=${() => setAsking(true)}>Delete my account…</button></div>
    </section>
    ${isAsking && html`<${Confirmation} title="Delete your account?" yes="Delete account" isDangerous act=${remove} onNo=${() => setAsking(false)}>
      <p>This cannot be undone. Agents stop at once; what you hold at custodians stays there.</p><//>`}`;
}
