/** Asks who is there, before something that loosens the account's protection. */
import { html, useState } from '../lib/html.js';
import { useAction } from '../lib/load.js';
import { passkeyProblem } from '../lib/passkeys.js';
import { Dialog } from './dialog.js';
import { Button, Field } from './field.js';
import { ErrorBox } from './states.js';

/** Asks for password or passkey; `act` gets the confirmation, as `confirmed` takes it. */
export function Confirmation({ title, yes, act, onNo, isDangerous, children }) {
  const [password, setPassword] = useState('');
  const acting = useAction();
  return html`
    <${Dialog} title=${title} onClose=${onNo}>
      ${children}
      <${Field} id="confirm-password" label="Your password" type="password" autocomplete="current-password" value=${password} onInput=${setPassword} />
      <${ErrorBox} error=${acting.error} />
      <div class="actions">
        <${Button} class=${isDangerous ? 'danger' : 'primary'} isBusy=${acting.isBusy} onClick=${() => acting.run(() => act({ password }))}>${yes}<//>
        ${!passkeyProblem() && html`<button type="button" onClick=${() => acting.run(() => act({ passkey: true }))}>Confirm with a passkey</button>`}
        <button type="button" onClick=${onNo}>Cancel</button>
      </div>
    <//>`;
}
