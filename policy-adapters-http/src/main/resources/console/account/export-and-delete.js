/** Exports the user's data, and deletes the account. */
import { html, useState } from '../lib/html.js';
import { call } from '../lib/api.js';
import { forgetDrafts, useAction } from '../lib/load.js';
import { Confirm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';

export function ExportAndDelete() {
  const [isAsking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const deleting = useAction();
  const confirm = () => deleting.run(async () => {
    await call('DELETE', '/me', { password });
    forgetDrafts();
    location.assign('/sign-in');
  });
  return html`
    <section class="card"><h2>Your data</h2>
      <p>Your profile, sessions, passkeys, policies, keys, custodians, holdings, usage, requests and the whole signed log, as one JSON file. Passwords and secrets are not in it.</p>
      <div class="actions"><a class="button" href="/api/app/v1/me/export" download>Export my data</a></div>
      <p>Deleting the account revokes all keys and erases what your events say. Their hashes and signatures stay, so that the chain can still be checked.</p>
      <div class="actions"><button type="button" class="danger-text" onClick=${() => setAsking(true)}>Delete my account…</button></div>
    </section>
    ${isAsking && html`
      <${Confirm} title="Delete your account?" isDangerous yes="Delete account" isBusy=${deleting.isBusy} error=${deleting.error}
        onYes=${confirm} onNo=${() => setAsking(false)}>
        <p>This cannot be undone. Agents stop at once; what you hold at custodians stays there.</p>
        <${Field} id="delete-password" label="Your password" type="password" autocomplete="current-password" value=${password} onInput=${setPassword} />
      <//>`}`;
}
