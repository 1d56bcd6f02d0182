/** Changes the password, which ends all other sessions. */
import { html, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { useAction } from '../lib/load.js';
import { passwordProblem } from '../lib/password.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';

const NOTHING = { current: '', next: '' };

export function Password() {
  const [form, setForm] = useState(NOTHING);
  const [wrong, setWrong] = useState(null);
  const [isDone, setDone] = useState(false);
  const changing = useAction();
  const set = (name) => (value) => {
    setDone(false);
    setForm({ ...form, [name]: value });
  };
  const submit = (event) => {
    event.preventDefault();
    const problem = passwordProblem(form.next);
    setWrong(problem);
    if (problem) {
      document.getElementById('new-password').focus();
      return;
    }
    changing.run(async () => {
      await post('/me/password', { current: form.current, new: form.next });
      setForm(NOTHING);
      setDone(true);
      announce('Your password is changed.');
    });
  };
  return html`
    <section class="card"><h2>Password</h2>
      <form onSubmit=${submit} novalidate>
        <div class="two">
          <${Field} id="current-password" label="Current password" type="password" autocomplete="current-password" value=${form.current} onInput=${set('current')} />
          <${Field} id="new-password" label="New password" type="password" autocomplete="new-password" value=${form.next} error=${wrong} onInput=${set('next')} />
        </div>
        <${ErrorBox} error=${changing.error} />
        ${isDone && html`<div class="notice good"><p>Your password is changed. All other sessions have ended.</p></div>`}
        <div class="actions"><${Button} type="submit" isBusy=${changing.isBusy} busy="Changing…">Change password<//></div>
      </form>
    </section>`;
}
