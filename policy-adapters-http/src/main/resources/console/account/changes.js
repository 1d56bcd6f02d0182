/** What changes need that let agents do more: a confirmation, and a delay (docs/reference/passkeys.md). */
import { html, useState } from '../lib/html.js';
import { get } from '../lib/api.js';
import { useAction, useLoad } from '../lib/load.js';
import { confirmed } from '../lib/passkeys.js';
import { Confirmation } from '../ui/confirmation.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { When } from '../ui/text.js';

/** Delays in hours, and what people call them. */
const DELAYS = { 0: 'Not at all', 1: '1 hour', 12: '12 hours', 24: '1 day', 48: '2 days', 72: '3 days', 168: '1 week' };

export function Changes() {
  const loaded = useLoad(() => get('/me'));
  return html`
    <section class="card"><h2>Changes that let agents do more</h2>
      <p>A looser policy, resuming, an approval, a key or wider caps of one, and what you hold.</p>
      <${Loaded} of=${loaded}>${(me) => html`<${Demands} key=${JSON.stringify(me)} me=${me} onChange=${loaded.reload} />`}<//>
    </section>`;
}

function Demands({ me, onChange }) {
  const present = me.looseningDelayHours ?? 0;
  const [confirms, setConfirms] = useState(me.confirmChanges ?? false);
  const [delay, setDelay] = useState(String(present));
  const [isAsking, setAsking] = useState(false);
  const saving = useAction();
  const hours = [...new Set([...Object.keys(DELAYS).map(Number), present])].sort((a, b) => a - b);
  const save = async (confirmation) => {
    await confirmed('PUT', '/me/attestation', { confirmChanges: confirms, looseningDelayHours: Number(delay) }, confirmation);
    setAsking(false);
    announce('Saved.');
    await onChange();
  };
  const submit = (event) => {
    event.preventDefault();
    saving.run(() => save(null).catch((error) => {
      if (error.code !== 'confirmation_required') throw error;
      setAsking(true);
    }));
  };
  return html`
    <form onSubmit=${submit}>
      <label class="tick"><input type="checkbox" id="confirm-changes" checked=${confirms} onChange=${(event) => setConfirms(event.currentTarget.checked)} />
        <span>Ask for my password or a passkey first<small> so that nobody who finds this browser open can make them</small></span></label>
      <${Field} id="loosening-delay" label="A looser policy waits" value=${delay} onInput=${setDelay}
        hint="You are told of it and can cancel it until then. A shorter time counts once the present one is over.">
        ${hours.map((each) => html`<option value=${each}>${DELAYS[each] ?? `${each} hours`}</option>`)}<//>
      ${me.loweredDelay && html`<p class="muted">${DELAYS[me.loweredDelay.hours] ?? `${me.loweredDelay.hours} hours`} from <${When} at=${me.loweredDelay.effectiveAt} /> on.</p>`}
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} type="submit" isBusy=${saving.isBusy} busy="Saving…">Save what changes need<//></div>
    </form>
    ${isAsking && html`<${Confirmation} title="Ask for less?" yes="Save" act=${save} onNo=${() => setAsking(false)}>
      <p>Whoever has this browser can then let agents do more.</p><//>`}`;
}
