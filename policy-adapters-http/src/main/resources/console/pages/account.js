/** The account: how the console looks, whether it notifies, passkeys, password, sessions, viewers, and the user's data. */
import { html, useState } from '../lib/html.js';
import { Changes } from '../account/changes.js';
import { ExportAndDelete } from '../account/export-and-delete.js';
import { Mail } from '../account/mail.js';
import { Notices } from '../account/notices.js';
import { Passkeys } from '../account/passkeys.js';
import { Password } from '../account/password.js';
import { Sessions } from '../account/sessions.js';
import { Viewers } from '../account/viewers.js';
import { preferences, setPreference, THEMES } from '../lib/preferences.js';
import { Field } from '../ui/field.js';
import { tookStep } from '../ui/first-steps.js';
import { PageHead } from '../ui/text.js';
import { canNotify, isNotifying, setNotifying } from '../ui/unread-badge.js';

export function Account({ user }) {
  const [demands, setDemands] = useState(0);
  return html`
    <${PageHead} title="Account"><p class="lead">${user.email}</p><//>
    <${Display} />
    <${Mail} />
    <${Notices} />
    <${Passkeys} onDemand=${() => setDemands(demands + 1)} />
    <${Changes} key=${demands} />
    <${Password} />
    <${Sessions} />
    <${Viewers} />
    <${ExportAndDelete} />`;
}

function Display() {
  const [chosen, setChosen] = useState(preferences());
  const [isOn, setOn] = useState(isNotifying());
  const notify = async (event) => {
    const isNow = await setNotifying(event.currentTarget.checked);
    setOn(isNow);
    if (isNow) tookStep('notifications');
  };
  const choose = (name) => (value) => setChosen(setPreference(name, value));
  return html`
    <section class="card"><h2>This browser</h2>
      <div class="two">
        <${Field} id="theme" label="Theme" value=${chosen.theme} onInput=${choose('theme')}>
          ${Object.entries(THEMES).map(([theme, words]) => html`<option value=${theme}>${words}</option>`)}<//>
        <${Field} id="zone" label="Time zone" hint="Times are shown in it. Days are counted in UTC." value=${chosen.zone} onInput=${choose('zone')}>
          <option value="">Same as device</option>${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value=${zone}>${zone}</option>`)}<option value="UTC">UTC</option><//>
      </div>
      ${canNotify() && html`<label class="tick"><input type="checkbox" checked=${isOn} onChange=${notify} />
        <span>Notify me when a request waits<small> while no tab of the console is in view</small></span></label>`}
    </section>`;
}
