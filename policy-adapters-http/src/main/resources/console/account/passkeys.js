/** The user's passkeys, and above which amount an acceptance must be signed with one (docs/reference/passkeys.md). */
import { html, useState } from '../lib/html.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
import { get, put } from '../lib/api.js';
import { date, usd } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { confirmed, passkeyProblem, registerPasskey } from '../lib/passkeys.js';
import { usePlace } from '../lib/router.js';
import { demandPasskeyAbove } from '../lib/viewing.js';
import { Confirmation } from '../ui/confirmation.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { Foreign, When } from '../ui/text.js';

/** @param onDemand is called when what the user demands of changes is another */
export function Passkeys({ onDemand }) {
  const [isOffering, setOffering] = useState(false);
  const loaded = useLoad(async () => ({ ...await get('/passkeys'), me: await get('/me') }));
  return html`
    <section class="card" ref=${usePlace('passkeys')}><h2>Passkeys</h2>
      <p>Sign in with your phone, computer or security key, and sign what you accept with it, so that the log proves that you said yes.</p>
      <${Loaded} of=${loaded}>${({ passkeys, me }) => html`
        <${List} passkeys=${passkeys} above=${me.passkeyAboveUsd} onChange=${loaded.reload} />
        ${passkeyProblem() ? html`<p class="notice" data-no-passkeys><span>${passkeyProblem()}</span></p>`
          : html`<${Add} isFirst=${passkeys.length === 0} onChange=${loaded.reload} onFirst=${() => setOffering(!me.confirmChanges)} />`}
        ${isOffering && html`<${Offer} onEnd=${() => setOffering(false)} onDemand=${onDemand} />`}
        ${(passkeys.length > 0 || me.passkeyAboveUsd !== null) && html`<${Demand} above=${me.passkeyAboveUsd} onChange=${loaded.reload} />`}`}<//>
    </section>`;
}

/** Offers to have changes confirmed, now that there is a passkey. */
function Offer({ onEnd, onDemand }) {
  const saving = useAction();
  const ask = async () => {
    await put('/me/attestation', { confirmChanges: true });
    onEnd();
    announce('Changes that let agents do more are confirmed from now on.');
    onDemand();
  };
  return html`
    <div class="notice" data-offer><p>Shall we ask for your password or a passkey before anything lets agents do more?</p>
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} isBusy=${saving.isBusy} busy="Saving…" onClick=${() => saving.run(ask)}>Ask first<//>
        <button type="button" onClick=${onEnd}>Not now</button></div></div>`;
}

function List({ passkeys, above, onChange }) {
  const [leaving, setLeaving] = useState(null);
  const remove = async (confirmation) => {
    await confirmed('DELETE', `/passkeys/${leaving.credentialId}`, {}, confirmation);
    setLeaving(null);
    announce('The passkey is removed.');
    await onChange();
  };
  return html`
    <ul class="rules">${passkeys.map((passkey) => html`
      <li key=${passkey.credentialId} data-passkey=${passkey.credentialId}>
        <p><strong><${Foreign} text=${passkey.name} /></strong></p>
        <p class="muted">Added ${date(passkey.createdAt)}, ${passkey.lastUsedAt ? html`last used <${When} at=${passkey.lastUsedAt} isAgo />` : 'never used'}</p>
        <div class="actions"><button type="button" class="small danger-text" onClick=${() => setLeaving(passkey)}>Remove<span class="quiet"> ${passkey.name}</span></button></div>
      </li>`)}</ul>
    ${leaving && html`<${Confirmation} title="Remove this passkey?" yes="Remove passkey" act=${remove} onNo=${() => setLeaving(null)}>
      <p>What it signed stays valid.</p>
      ${passkeys.length === 1 && above !== null && html`<p>It is your last one. Until you add another or change the amount, nothing ${above > 0 && `above ${usd(above)} `}can be accepted.</p>`}<//>`}`;
}

function Add({ isFirst, onChange, onFirst }) {
  const [name, setName] = useState('');
  const [isAsking, setAsking] = useState(false);
  const adding = useAction();
  const add = async (confirmation) => {
    await registerPasskey(name.trim() || 'Passkey', confirmation);
    setName('');
    setAsking(false);
    announce('The passkey is added.');
    if (isFirst) onFirst();
    await onChange();
  };
  const submit = (event) => {
    event.preventDefault();
    if (isFirst) adding.run(() => add(null).catch(ifUnconfirmed(() => setAsking(true))));
    else setAsking(true);
  };
  return html`
    <form onSubmit=${submit}>
      <${Field} id="passkey-name" label="Name of a new passkey" hint="For example the device it is on." maxlength="60" value=${name} onInput=${setName} />
      <${ErrorBox} error=${adding.error} />
      <div class="actions"><${Button} type="submit" isBusy=${adding.isBusy} busy="Adding…">Add a passkey<//></div>
    </form>
    ${isAsking && html`<${Confirmation} title="Add a passkey?" yes="Add passkey" act=${add} onNo=${() => setAsking(false)}>
      <p>Show first that it is you, so that nobody who finds this browser open can add theirs.</p><//>`}`;
}

/** Handles the failure of a call that must be confirmed, and throws every other one. */
const ifUnconfirmed = (ask) => (error) => {
  if (error.code !== 'confirmation_required') throw error;
  ask();
};

/** From which amount on acceptances must be signed. */
function Demand({ above, onChange }) {
  const [text, setText] = useState(above === null ? '' : String(above));
  const [isAsking, setAsking] = useState(false);
  const saving = useAction();
  const wanted = text.trim() === '' ? null : typedAmount(text);
  const isLess = above !== null && (wanted === null || Number(wanted) > above);
  const problem = wanted === null && text.trim() !== '' ? amountProblem(text) : null;
  const save = async (confirmation) => {
    const passkeyAboveUsd = wanted === null ? null : Number(wanted);
    await confirmed('PUT', '/me/attestation', { passkeyAboveUsd }, confirmation);
    demandPasskeyAbove(passkeyAboveUsd);
    setAsking(false);
    announce('Saved.');
    await onChange();
  };
  const submit = (event) => {
    event.preventDefault();
    if (problem) document.getElementById('passkey-above').focus();
    else saving.run(() => save(null).catch(ifUnconfirmed(() => setAsking(true))));
  };
  return html`
    <form onSubmit=${submit}>
      <${Field} id="passkey-above" label="Require a passkey above" unit="USD" inputmode="decimal" value=${text} onInput=${setText}
        hint=${above === null ? 'Accepting never requires one now. 0 requires it always.' : `Now one is required above ${usd(above)}. Leave it empty to require none.`}
        error=${problem} />
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} type="submit" isBusy=${saving.isBusy} busy="Saving…">Save the amount<//></div>
    </form>
    ${isAsking && html`<${Confirmation} title=${isLess ? 'Require it less often?' : 'Require it more often?'} yes="Save the amount" act=${save} onNo=${() => setAsking(false)}>
      <p>${isLess ? 'This lets more be accepted without a passkey.' : 'You have no passkey: until you add one, nothing above the amount can be accepted.'}</p><//>`}`;
}
