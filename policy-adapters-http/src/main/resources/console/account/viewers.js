/** Who else may look at the account, and how to let somebody or to end it (docs/reference/viewers.md). */
import { html, useState } from '../lib/html.js';
import { get, post, remove } from '../lib/api.js';
import { date } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { Dialog } from '../ui/dialog.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { Copyable, Foreign } from '../ui/text.js';

const TIMES = { 7: '1 week', 30: '30 days', 90: '90 days', 365: '1 year' };

export function Viewers() {
  const loaded = useLoad(() => get('/viewers'));
  const ending = useAction();
  const end = (viewer) => () => ending.run(async () => {
    await remove(`/viewers/${viewer.id}`);
    announce(`${viewer.name} may not look any more.`);
    await loaded.reload();
  });
  return html`
    <section class="card" id="viewers"><h2>Viewers</h2>
      <p>Let an adviser or auditor look at your policy, portfolio, requests, activity and proof. They can change nothing and download nothing.</p>
      <${ErrorBox} error=${ending.error} />
      <${Loaded} of=${loaded}>${({ viewers }) => html`
        <ul class="rules">${viewers.map((viewer) => html`
          <li key=${viewer.id} data-viewer=${viewer.id}>
            <p><strong><${Foreign} text=${viewer.name} /></strong></p>
            <p class="muted">Since ${date(viewer.createdAt)}, until ${date(viewer.expiresAt)}</p>
            <div class="actions"><${Button} class="small danger-text" isBusy=${ending.isBusy} onClick=${end(viewer)}>Revoke<span class="quiet"> ${viewer.name}</span><//></div>
          </li>`)}</ul>`}<//>
      <${Add} onAdded=${loaded.reload} />
    </section>`;
}

function Add({ onAdded }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [made, setMade] = useState(null);
  const adding = useAction();
  const submit = (event) => {
    event.preventDefault();
    adding.run(async () => {
      setMade(await post('/viewers', { name: name.trim() || 'Viewer', expiresInDays: Number(days) }));
      setName('');
      await onAdded();
    });
  };
  return html`
    <form onSubmit=${submit}>
      <div class="two">
        <${Field} id="viewer-name" label="Name of a new viewer" hint="For example who it is." maxlength="100" autocomplete="off" value=${name} onInput=${setName} />
        <${Field} id="viewer-days" label="Ends after" value=${days} onInput=${setDays}>${Object.entries(TIMES).map(([count, words]) => html`<option value=${count}>${words}</option>`)}<//>
      </div>
      <${ErrorBox} error=${adding.error} />
      <div class="actions"><${Button} type="submit" isBusy=${adding.isBusy} busy="Creating…">Create<span class="quiet"> an address</span><//></div>
    </form>
    ${made && html`<${Dialog} title=${html`Address for <${Foreign} text=${made.name} />`} onClose=${() => setMade(null)}>
      <div class="notice good"><p><strong>This is the only time the address is shown.</strong> Whoever has it can look at your account until ${date(made.expiresAt)}.</p></div>
      <${Copyable} text=${made.url} label="address" />
      <div class="actions"><button type="button" class="primary" onClick=${() => setMade(null)}>I have sent the address</button></div><//>`}`;
}
