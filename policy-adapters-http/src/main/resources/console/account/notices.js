/** On which devices the user is told of requests, what, and when it is quiet (docs/reference/notices.md). */
import { html, useState } from '../lib/html.js';
import { get, put } from '../lib/api.js';
import { date } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { addDevice, canPush, isPushedTo, removeDevice } from '../lib/push.js';
import { Button, Field } from '../ui/field.js';
import { tookStep } from '../ui/first-steps.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { Foreign } from '../ui/text.js';

/** Nothing where the service sends neither mails nor notifications. */
export function Notices() {
  const loaded = useLoad(() => get('/me'));
  if (loaded.data && !loaded.data.push && !loaded.data.mail) return null;
  return html`
    <section class="card" id="notices"><h2>Notices</h2>
      <${Loaded} of=${loaded}>${(me) => html`${me.push && html`<${Devices} />`}<${Times} me=${me} />`}<//>
    </section>`;
}

function Devices() {
  const loaded = useLoad(() => get('/push'));
  const changing = useAction();
  const change = (work, said) => () => changing.run(async () => {
    await work();
    announce(said);
    await loaded.reload();
  });
  return html`
    <p>Your devices can tell you of requests, and of what concerns the safety of your account, while the console is closed.</p>
    <${Loaded} of=${loaded}>${({ key, devices }) => html`
      <ul class="rules">${devices.map((device) => html`
        <li key=${device.id} data-device=${device.id}>
          <p><strong><${Foreign} text=${device.name} /></strong>${isPushedTo([device]) && ' (this one)'}</p>
          <p class="muted">Since ${date(device.createdAt)}, by ${device.service}</p>
          <div class="actions"><${Button} class="small danger-text" isBusy=${changing.isBusy} onClick=${change(() => removeDevice(device), `${device.name} gets no notifications any more.`)}>Remove<span class="quiet"> ${device.name}</span><//></div>
        </li>`)}</ul>
      <${ErrorBox} error=${changing.error} />
      ${!isPushedTo(devices) && (canPush()
        ? html`<div class="actions"><${Button} isBusy=${changing.isBusy} busy="Asking the browser…" onClick=${change(() => addDevice(key).then(() => tookStep('notifications')), 'This device gets notifications.')}>Get notifications on this device<//></div>`
        : html`<p class="muted">This browser shows no notifications of this page. Allow them in its settings; on an iPhone or iPad, add the console to the home screen first.</p>`)}`}<//>`;
}

function Times({ me }) {
  const { push, quietHours, digestMinutes } = me.notices;
  const [shown, setShown] = useState(push);
  const [isQuiet, setQuiet] = useState(quietHours !== null);
  const [start, setStart] = useState(quietHours?.start ?? '22:00');
  const [end, setEnd] = useState(quietHours?.end ?? '07:00');
  const [tz, setZone] = useState(quietHours?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [minutes, setMinutes] = useState(String(digestMinutes));
  const saving = useAction();
  const zones = [...new Set([tz, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort();
  const submit = (event) => {
    event.preventDefault();
    saving.run(async () => {
      const { mail } = (await get('/me')).notices;
      await put('/me', { notices: { push: shown, mail, quietHours: isQuiet ? { start, end, tz } : null, digestMinutes: Number(minutes) } });
      announce('Saved.');
    });
  };
  return html`
    <form onSubmit=${submit}>
      <div class="two">
        ${me.push && html`<${Field} id="push-requests" label="When a request waits" hint="On devices; mails are chosen under E-mail." value=${shown} onInput=${setShown}>
          <option value="plain">Notify without amounts</option><option value="with_amounts">Notify with asset and amount</option><option value="off">Do not notify</option><//>`}
        <${Field} id="digest-minutes" label="At most one notice of requests in" hint="Requests until then are told together." type="number" min="0" max="1440" required unit="minutes" value=${minutes} onInput=${setMinutes} />
      </div>
      <label class="tick"><input type="checkbox" id="is-quiet" checked=${isQuiet} onChange=${(event) => setQuiet(event.currentTarget.checked)} />
        <span>Quiet hours<small>: requests wait for their end. What concerns the safety of your account does not.</small></span></label>
      ${isQuiet && html`<div class="two">
        <${Field} id="quiet-start" label="From" type="time" required value=${start} onInput=${setStart} />
        <${Field} id="quiet-end" label="Until" type="time" required value=${end} onInput=${setEnd} />
        <${Field} id="quiet-zone" label="Time zone of the quiet hours" value=${tz} onInput=${setZone}>${zones.map((zone) => html`<option value=${zone}>${zone}</option>`)}<//>
      </div>`}
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} type="submit" isBusy=${saving.isBusy} busy="Saving…">Save the notices<//></div>
    </form>`;
}
