/** The forms for a new key and for a change of one: name, scopes, caps and addresses. */
import { html, useEffect, useState } from '../lib/html.js';
import { patch, post } from '../lib/api.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
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
  types: ['crypto', 'tradfi'], days: '', maxDays: 3650, networks: '',
};
/** A careful beginning for a program that was just met. */
const CONSENT = { ...FIRST, usd: '500', days: '90', maxDays: 365 };

const text = (value) => (value === null ? '' : String(value));

/** A key as a form that changes it. */
const toForm = ({ name, policy, allowedCidrs }) => ({
  ...FIRST, name, calls: text(policy.dailyCallCap), usd: text(policy.dailyUsdCap), aum: text(policy.aumCapUsd),
  assets: (policy.allowedAssets ?? []).join(', '), types: policy.allowedAssetTypes ?? FIRST.types, networks: allowedCidrs.join(', '),
});

const symbols = (text) => text.split(/[\s,]+/).filter(Boolean).map((symbol) => symbol.toUpperCase());
const isWhole = (text) => text.trim() === '' || /^\d{1,9}$/.test(text.trim());
const lines = (text) => text.split(/[\s,]+/).filter(Boolean);
const capProblem = (text) => (text.trim() === '' ? null : amountProblem(text));

function problems(form) {
  const found = {};
  if (form.name.trim() === '') found.name = 'Give the agent a name you will recognise.';
  if (!isWhole(form.calls)) found.calls = 'Enter a whole number or leave the field empty.';
  if (capProblem(form.usd)) found.usd = capProblem(form.usd);
  if (capProblem(form.aum)) found.aum = capProblem(form.aum);
  if (!isWhole(form.days) || form.days.trim() === '0' || Number(form.days) > form.maxDays) found.days = `Enter 1 to ${form.maxDays} or leave the field empty.`;
  if (!symbols(form.assets).every((symbol) => /^[A-Z0-9.\-/_]{1,32}$/.test(symbol))) found.assets = 'Tickers have letters, digits and . - / _';
  if (form.scopes.length === 0) found.scopes = 'Select at least one.';
  if (form.types.length === 0) found.types = 'Select at least one.';
  return found;
}

/** Only the caps that were filled in; an absent one means no cap. */
function toPolicy(form) {
  const policy = {};
  if (form.calls.trim() !== '') policy.dailyCallCap = Number(form.calls);
  if (form.usd.trim() !== '') policy.dailyUsdCap = Number(typedAmount(form.usd));
  if (form.aum.trim() !== '') policy.aumCapUsd = Number(typedAmount(form.aum));
  if (symbols(form.assets).length > 0) policy.allowedAssets = symbols(form.assets);
  if (form.types.length < TYPES.length) policy.allowedAssetTypes = form.types;
  return policy;
}

function toBody(form) {
  const body = { name: form.name.trim(), keyType: form.keyType, scopes: form.scopes, policy: toPolicy(form), allowedCidrs: lines(form.networks) };
  return form.days.trim() === '' ? body : { ...body, expiresInDays: Number(form.days) };
}

const CAPS = ['calls', 'usd', 'aum', 'days', 'assets', 'networks', 'types'];

/** The caps of a key, and where it may be used from. */
const Caps = ({ field, choice, isAnywhere, children }) => html`
  <p class="hint">Leave a field empty for no cap.</p>
  <div class="three">
    <${Field} ...${field('calls')} label="Calls per day" inputmode="numeric" />
    <${Field} ...${field('usd')} label="Proposed per day" unit="USD" inputmode="decimal" />
    <${Field} ...${field('aum')} label="Outstanding" unit="USD" inputmode="decimal" />
  </div>
  <div class="two">
    <${Field} ...${field('assets')} label="Only these assets" placeholder="BTC, SPY" />
    ${children}
  </div>
  ${!isAnywhere && html`<${Field} ...${field('networks')} label="Only from these addresses" hint="IP addresses or networks, such as 203.0.113.0/24. Calls from elsewhere are refused." />`}
  <${Choices} legend="Asset classes" options=${TYPES} ...${choice('types')} />`;

/** A form whose fields are checked before `send` gets them. The prefix of their ids tells apart the forms that are open. */
function useKeyForm(prefix, first, send) {
  const [form, setForm] = useState(first);
  const [wrong, setWrong] = useState({});
  const sending = useAction();
  const submit = (event) => {
    event.preventDefault();
    const found = problems(form);
    setWrong(found);
    const place = Object.keys(found)[0];
    if (place) document.getElementById(`${prefix}-${place}`)?.focus();
    else sending.run(() => send(form));
  };
  const set = (name) => (value) => setForm({ ...form, [name]: value });
  return {
    wrong, sending, submit,
    field: (name) => ({ id: `${prefix}-${name}`, value: form[name], error: wrong[name], onInput: set(name) }),
    choice: (name) => ({ chosen: form[name], error: wrong[name], onChange: set(name) }),
  };
}

export function MintForm({ onMinted, onCancel, verb = 'Mint key' }) {
  const { wrong, sending, submit, field, choice } = useKeyForm('key', FIRST, async (filled) => onMinted(await post('/keys', toBody(filled))));
  return html`
    <form onSubmit=${submit} novalidate>
      <div class="two">
        <${Field} ...${field('name')} label="Name of the agent" placeholder="Rebalancer" maxlength="100" autocomplete="off" />
        <${Field} ...${field('keyType')} label="Kind of key">
          <option value="live">Live: your policy and portfolio</option><option value="test">Sandbox: a fixed policy to try things</option><//>
      </div>
      <${Choices} legend="Scopes" options=${SCOPES} ...${choice('scopes')} />
      <details open=${CAPS.some((name) => wrong[name])}><summary>Caps and limits</summary>
        <${Caps} field=${field} choice=${choice}>
          <${Field} ...${field('days')} label="Expires after" unit="days" inputmode="numeric" />
        <//>
      </details>
      <${ErrorBox} error=${sending.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${sending.isBusy} busy="Minting…">${verb}<//>
        ${onCancel && html`<button type="button" onClick=${onCancel}>Cancel</button>`}</div>
    </form>`;
}

/** What a program that asks for a connection may do: some of the scopes it asks for, with caps and an end. */
export function ConsentForm({ asked, name, onSend, onRefuse }) {
  const { sending, submit, field, choice } = useKeyForm('connect', { ...CONSENT, name, scopes: asked }, ({ keyType, ...filled }) => {
    const { allowedCidrs, ...body } = toBody({ ...filled, keyType });
    return onSend(body);
  });
  const refusing = useAction();
  return html`
    <form onSubmit=${submit} novalidate>
      <div class="two">
        <${Field} ...${field('name')} label="Name of the agent" maxlength="100" autocomplete="off" />
        <${Field} ...${field('keyType')} label="Where it acts">
          <option value="live">Live: your policy and portfolio</option><option value="test">In the sandbox first: a fixed policy to try things</option><//>
      </div>
      <${Choices} legend="Scopes" options=${SCOPES.filter((scope) => asked.includes(scope.name))} ...${choice('scopes')} />
      <${Caps} field=${field} choice=${choice} isAnywhere>
        <${Field} ...${field('days')} label="Ends after" unit="days" inputmode="numeric" hint="90 if empty." />
      <//>
      <${ErrorBox} error=${sending.error ?? refusing.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${sending.isBusy} busy="Connecting…">Connect<//>
        <${Button} isBusy=${refusing.isBusy} busy="Refusing…" onClick=${() => refusing.run(onRefuse)}>Refuse<//></div>
    </form>`;
}

/** Changes name, caps and addresses of a key, which keeps its secret. */
export function ChangeForm({ of: key, onChanged, onCancel }) {
  const prefix = `key-${key.agentKeyId}`;
  const { sending, submit, field, choice } = useKeyForm(prefix, toForm(key), async (filled) => onChanged(await patch(`/keys/${key.agentKeyId}`,
    { name: filled.name.trim(), policy: toPolicy(filled), allowedCidrs: lines(filled.networks) })));
  useEffect(() => document.getElementById(`${prefix}-name`).focus(), []);
  return html`
    <form onSubmit=${submit} novalidate>
      <${Field} ...${field('name')} label="Name of the agent" maxlength="100" autocomplete="off" />
      <${Caps} field=${field} choice=${choice} />
      <${ErrorBox} error=${sending.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${sending.isBusy} busy="Saving…">Save changes<//>
        <button type="button" onClick=${onCancel}>Cancel</button></div>
    </form>`;
}
