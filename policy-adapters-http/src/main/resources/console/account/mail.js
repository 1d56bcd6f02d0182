/** The address of the account, and which mails are sent there. */
import { html, useState } from '../lib/html.js';
import { get, post, put } from '../lib/api.js';
import { useAction, useLoad } from '../lib/load.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';

export function Mail() {
  const loaded = useLoad(() => get('/me'));
  return html`
    <section class="card"><h2>E-mail</h2>
      <${Loaded} of=${loaded}>${(me) => html`<${Address} key=${me.email} me=${me} onChange=${loaded.reload} />`}<//>
    </section>`;
}

function Address({ me, onChange }) {
  const [email, setEmail] = useState(me.email);
  const [password, setPassword] = useState('');
  const isUnconfirmed = me.mail && !me.emailConfirmed;
  const moving = useAction();
  const choosing = useAction();
  const move = (event) => {
    event.preventDefault();
    moving.run(async () => {
      const { pendingEmail } = await post('/me/email', { email, password });
      setPassword('');
      announce(pendingEmail || isUnconfirmed ? 'Follow the link in the mail to confirm the address.' : 'Your address is changed.');
      await onChange();
    });
  };
  const choose = (requestMails) => choosing.run(async () => {
    await put('/me', { requestMails });
    announce('Saved.');
    await onChange();
  });
  return html`
      ${me.mail ? html`
        <${Field} id="request-mails" label="When a request waits" hint="Mails about keys, new sign-ins and your password are always sent." value=${me.requestMails} onInput=${choose}>
          <option value="plain">Send a mail without amounts</option><option value="with_amounts">Send a mail with asset and amount</option><option value="off">Send no mail</option><//>
        <${ErrorBox} error=${choosing.error} />` : html`<p class="muted">This service sends no mail; its operator can set that up.</p>`}
      <form onSubmit=${move}>
        <div class="two">
          <${Field} id="new-email" label="Address" type="email" autocomplete="email" value=${email} onInput=${setEmail} />
          <${Field} id="email-password" label="Password" type="password" autocomplete="current-password" value=${password} onInput=${setPassword} />
        </div>
        ${isUnconfirmed && !me.pendingEmail && html`<p class="notice"><span>This address is not confirmed yet: it gets no mails but those with a link. Follow the link in the mail, or enter your password to have it sent again, at most 3 times an hour.</span></p>`}
        ${me.pendingEmail && html`<p class="notice"><span>Waiting for confirmation: ${me.pendingEmail}</span></p>`}
        <${ErrorBox} error=${moving.error} />
        <div class="actions"><${Button} type="submit" isBusy=${moving.isBusy} busy=${isUnconfirmed && email === me.email ? 'Sending…' : 'Changing…'}>${isUnconfirmed && email === me.email ? 'Send the link again' : 'Change address'}<//></div>
      </form>`;
}
