/** Connects an account at Alpaca, or gives a connection new keys. The secret is kept nowhere. */
import { html, useEffect, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { useAction, useDraft } from '../lib/load.js';
import { LiveMark } from '../ui/custodian.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';

const MAX_NAME = 100;
const MAX_KEY = 200;
const WRONG = [400, 409, 422];

function problems({ name, keyId, secretKey }) {
  const found = {};
  if (name.trim() === '') found['connect-name'] = 'Give the account a name.';
  if (keyId.trim() === '') found['connect-key'] = 'Enter the key id.';
  if (secretKey.trim() === '') found['connect-secret'] = 'Enter the secret key.';
  return found;
}

/** The form; `custodian` is null for a new connection. */
export function ConnectForm({ id, custodian, onSaved, onCancel }) {
  const [kept, keep] = useDraft(`connect-${id}`, null);
  const [secretKey, setSecret] = useState('');
  const [wrong, setWrong] = useState({});
  const connecting = useAction();
  const form = kept ?? { name: custodian?.name ?? 'Alpaca', environment: custodian?.environment ?? 'paper', keyId: '' };
  const set = (members) => keep({ ...form, ...members });
  useEffect(() => document.getElementById(custodian ? 'connect-key' : 'connect-name').focus(), []);
  const connect = async () => {
    const body = { kind: 'alpaca', name: form.name.trim(), environment: form.environment, keyId: form.keyId.trim(), secretKey: secretKey.trim() };
    try {
      const entry = await post(`/custodians/${id}/connect`, body);
      keep(null);
      announce(`${entry.name} is connected.`);
    } catch (error) {
      if (WRONG.includes(error.status)) {
        setSecret('');
        document.getElementById('connect-secret')?.focus();
      }
      throw error;
    }
    await onSaved();
  };
  const submit = (event) => {
    event.preventDefault();
    const found = problems({ ...form, secretKey });
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first) document.getElementById(first).focus();
    else connecting.run(connect);
  };
  const isLive = form.environment === 'live';
  return html`
    <form onSubmit=${submit} novalidate autocomplete="off">
      <p>Make keys at <a href="https://app.alpaca.markets" target="_blank" rel="noreferrer">app.alpaca.markets</a>: choose the paper or the live account there, then API Keys, Generate.
        The service asks Alpaca for the account first, and keeps the keys encrypted only if Alpaca knows them.</p>
      <div class="two">
        <${Field} id="connect-name" label="Name" value=${form.name} error=${wrong['connect-name']} onInput=${(name) => set({ name })} maxlength=${MAX_NAME} />
        <${Field} id="connect-environment" label="Account" value=${form.environment} onInput=${(environment) => set({ environment })}>
          <option value="paper">Paper: Alpaca's simulation</option><option value="live">Live: real money</option><//>
      </div>
      ${isLive && html`<div class="notice bad"><p><${LiveMark} /> What you accept is ordered with real money at this account.</p></div>`}
      <div class="two">
        <${Field} id="connect-key" label="Key id" value=${form.keyId} error=${wrong['connect-key']} onInput=${(keyId) => set({ keyId })} maxlength=${MAX_KEY} spellcheck="false" autocomplete="off" />
        <${Field} id="connect-secret" label="Secret key" type="password" value=${secretKey} error=${wrong['connect-secret']} onInput=${setSecret} maxlength=${MAX_KEY} autocomplete="off" />
      </div>
      <${ErrorBox} error=${connecting.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${connecting.isBusy} busy="Asking Alpaca…">${custodian ? 'Use these keys' : 'Connect'}<//>
        <button type="button" onClick=${() => { keep(null); onCancel(); }}>Cancel</button></div>
    </form>`;
}
