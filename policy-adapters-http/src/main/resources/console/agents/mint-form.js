/** The form for a new key: name, scopes and caps. */
import { html, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { useAction } from '../lib/load.js';
import { Button, Choices, Field } from '../ui/field.js';
import { ErrorBox } from '../ui/states.js';

const SCOPES = [
  { name: 'read', label: 'Read', hint: ' the mandate, holdings, decisions and events' },
  { name: 'validate', label: 'Validate', hint: ' trades against the policy, without consequence' },
  { name: 'propose', label: 'Propose', hint: ' trades to you; nothing is done without your yes' },
];
const TYPES = [{ name: 'crypto', label: 'Crypto' }, { name: 'tradfi', label: 'Traditional' }];
const FIRST = {
  name: '', keyType: 'live', scopes: ['read', 'validate', 'propose'], calls: '', usd: '', aum: '', assets: '',
  types: ['crypto', 'tradfi'], days: '',
};

const symbols = (text) => text.split(/[\s,]+/).filter(Boolean).map((symbol) => symbol.toUpperCase());
const isWhole = (text) => text.trim() === '' || /^\d{1,9}$/.test(text.trim());
const isAmount = (text) => text.trim() === '' || /^\d+(\.\d{1,8})?$/.test(text.trim());

function problems(form) {
  const found = {};
  if (form.name.trim() === '') found['key-name'] = 'Give the agent a name you will recognise.';
  if (!isWhole(form.calls)) found['key-calls'] = 'Enter a whole number or leave the field empty.';
  if (!isAmount(form.usd)) found['key-usd'] = 'Enter an amount or leave the field empty.';
  if (!isAmount(form.aum)) found['key-aum'] = 'Enter an amount or leave the field empty.';
  if (!isWhole(form.days) || form.days.trim() === '0' || Number(form.days) > 3650) found['key-days'] = 'Enter 1 to 3650 or leave the field empty.';
  if (!symbols(form.assets).every((symbol) => /^[A-Z0-9.\-/_]{1,32}$/.test(symbol))) found['key-assets'] = 'Tickers have letters, digits and . - / _';
  if (form.scopes.length === 0) found.scopes = 'Select at least one.';
  if (form.types.length === 0) found.types = 'Select at least one.';
  return found;
}

/** Only the fields that were filled in; an absent one means no cap. */
function toBody(form) {
  const policy = {};
  if (form.calls.trim() !== '') policy.dailyCallCap = Number(form.calls);
  if (form.usd.trim() !== '') policy.dailyUsdCap = Number(form.usd);
  if (form.aum.trim() !== '') policy.aumCapUsd = Number(form.aum);
  if (symbols(form.assets).length > 0) policy.allowedAssets = symbols(form.assets);
  if (form.types.length < TYPES.length) policy.allowedAssetTypes = form.types;
  const body = { name: form.name.trim(), keyType: form.keyType, scopes: form.scopes, policy };
  return form.days.trim() === '' ? body : { ...body, expiresInDays: Number(form.days) };
}

export function MintForm({ onMinted, onCancel, verb = 'Mint key' }) {
  const [form, setForm] = useState(FIRST);
  const [wrong, setWrong] = useState({});
  const minting = useAction();
  const set = (name) => (value) => setForm({ ...form, [name]: value });
  const submit = (event) => {
    event.preventDefault();
    const found = problems(form);
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first) document.getElementById(first)?.focus();
    else minting.run(async () => onMinted(await post('/keys', toBody(form))));
  };
  const isCapWrong = ['key-calls', 'key-usd', 'key-aum', 'key-days', 'key-assets', 'types'].some((name) => wrong[name]);
  return html`
    <form onSubmit=${submit} novalidate>
      <div class="two">
        <${Field} id="key-name" label="Name of the agent" placeholder="Rebalancer" value=${form.name} error=${wrong['key-name']} onInput=${set('name')} maxlength="100" autocomplete="off" />
        <${Field} id="key-type" label="Kind of key" value=${form.keyType} onInput=${set('keyType')}>
          <option value="live">Live: your policy and portfolio</option><option value="test">Sandbox: a fixed policy to try things</option><//>
      </div>
      <${Choices} legend="Scopes" options=${SCOPES} chosen=${form.scopes} onChange=${set('scopes')} error=${wrong.scopes} />
      <details open=${isCapWrong}><summary>Caps and limits</summary>
        <p class="hint">Leave a field empty for no cap.</p>
        <div class="three">
          <${Field} id="key-calls" label="Calls per day" inputmode="numeric" value=${form.calls} error=${wrong['key-calls']} onInput=${set('calls')} />
          <${Field} id="key-usd" label="Proposed per day" unit="USD" inputmode="decimal" value=${form.usd} error=${wrong['key-usd']} onInput=${set('usd')} />
          <${Field} id="key-aum" label="Under its care" unit="USD" inputmode="decimal" value=${form.aum} error=${wrong['key-aum']} onInput=${set('aum')} />
        </div>
        <div class="two">
          <${Field} id="key-assets" label="Only these assets" placeholder="BTC, SPY" value=${form.assets} error=${wrong['key-assets']} onInput=${set('assets')} />
          <${Field} id="key-days" label="Expires after" unit="days" inputmode="numeric" value=${form.days} error=${wrong['key-days']} onInput=${set('days')} />
        </div>
        <${Choices} legend="Sleeves" options=${TYPES} chosen=${form.types} onChange=${set('types')} error=${wrong.types} />
      </details>
      <${ErrorBox} error=${minting.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${minting.isBusy} busy="Minting…">${verb}<//>
        ${onCancel && html`<button type="button" onClick=${onCancel}>Cancel</button>`}</div>
    </form>`;
}
