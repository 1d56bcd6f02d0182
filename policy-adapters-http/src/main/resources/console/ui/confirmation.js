/** Asks who is there, before something that loosens the account's protection. */
import { html, useEffect, useState } from '../lib/html.js';
import { whenUnconfirmed } from '../lib/api.js';
import { useAction } from '../lib/load.js';
import { confirmed, passkeyProblem } from '../lib/passkeys.js';
import { Dialog } from './dialog.js';
import { Button, Field } from './field.js';
import { ErrorBox } from './states.js';

/** Asks for password or passkey; `act` gets the confirmation, as `confirmed` takes it. */
export function Confirmation({ title, yes, act, onNo, isDangerous, children }) {
  const [password, setPassword] = useState('');
  const acting = useAction();
  const submit = (event) => {
    event.preventDefault();
    acting.run(() => act({ password }));
  };
  return html`
    <${Dialog} title=${title} onClose=${onNo}>
      ${children}
      <form onSubmit=${submit}>
      <${Field} id="confirm-password" label="Your password" type="password" autocomplete="current-password" value=${password} onInput=${setPassword} />
      <${ErrorBox} error=${acting.error} />
      <div class="actions">
        <${Button} class=${isDangerous ? 'danger' : 'primary'} type="submit" isBusy=${acting.isBusy}>${yes}<//>
        ${!passkeyProblem() && html`<button type="button" onClick=${() => acting.run(() => act({ passkey: true }))}>Confirm with a passkey</button>`}
        <button type="button" onClick=${onNo}>Cancel</button>
      </div></form>
    <//>`;
}

/** Asks for the confirmation of any call that needs one and whose page does not ask itself. */
export function ConfirmationRequests() {
  const [asked, setAsked] = useState(null);
  useEffect(() => {
    whenUnconfirmed((call) => new Promise((resolve, reject) => {
      setAsked((before) => {
        before?.reject(before.error);
        return { ...call, resolve, reject };
      });
    }));
    return () => whenUnconfirmed(null);
  }, []);
  if (!asked) return null;
  const act = async (confirmation) => {
    const answer = await confirmed(asked.method, asked.path, asked.body ?? {}, confirmation);
    setAsked(null);
    asked.resolve(answer);
  };
  const cancel = () => {
    setAsked(null);
    asked.reject(asked.error);
  };
  return html`<${Confirmation} title="Is it you?" yes="Confirm" act=${act} onNo=${cancel}><p>This lets agents do more than they may now.</p><//>`;
}
