/**
 * What links with a token open: a new password, the confirmation of an address (docs/reference/sign-in.md), or an account to
 * look at (docs/reference/viewers.md).
 */
import { html, useEffect, useState } from '../lib/html.js';
import { callOnce } from '../lib/api.js';
import { forgetDrafts, useAction } from '../lib/load.js';
import { passwordProblem } from '../lib/password.js';
import { useArrival } from '../ui/arrival.js';
import { Button, Field } from '../ui/field.js';
import { ErrorBox, Loading } from '../ui/states.js';

const LINK = /^#(password-reset|email-confirmation|viewer)=([\w-]+)$/;
const OVER = 'This link does not work any more. Ask for another mail.';

/** What the page was opened for by a link in a mail: {kind, token}; null otherwise. */
export function linkOfMail() {
  const found = LINK.exec(location.hash);
  return found && { kind: found[1], token: found[2] };
}

const TITLES = { 'password-reset': 'Set a new password', 'email-confirmation': 'Confirm your address', viewer: 'Look at an account' };

/** Tells what to do about a link that was used or is over. */
async function follow(path, body) {
  try {
    await callOnce('POST', path, body);
  } catch (error) {
    throw error.status === 404 ? Object.assign(new Error(OVER), { advice: 'Links work once, and for an hour.' }) : error;
  }
}

const toSignIn = () => location.replace('/sign-in');

export function FromMail({ kind, token }) {
  const title = TITLES[kind];
  useArrival(title, kind);
  return html`
    <main class="alone">
      <p class="brand"><span class="logo" aria-hidden="true"></span>Agent Policy</p>
      <section class="card"><h1 tabindex="-1">${title}</h1>
        ${kind === 'viewer' ? html`<${Viewing} token=${token} />`
          : kind === 'password-reset' ? html`<${NewPassword} token=${token} />` : html`<${Confirmed} token=${token} />`}
      </section>
    </main>`;
}

/** Asks first: it ends the session that this browser may have. */
function Viewing({ token }) {
  const opening = useAction();
  const open = () => opening.run(async () => {
    try {
      await callOnce('POST', '/session/viewer', { token });
      forgetDrafts();
      location.replace('/');
    } catch (error) {
      throw error.status === 404 ? Object.assign(error, { advice: 'Ask whoever gave you the address.' }) : error;
    }
  });
  return html`
    <p class="lead">Somebody lets you look at an account. You can change nothing there.</p>
    <p>If you are signed in to an account of your own in this browser, that ends.</p>
    <${ErrorBox} error=${opening.error} />
    <div class="actions"><${Button} class="primary" isBusy=${opening.isBusy} busy="Opening…" onClick=${open}>Look at the account<//></div>`;
}

function NewPassword({ token }) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState(null);
  const setting = useAction();
  const submit = (event) => {
    event.preventDefault();
    const found = passwordProblem(password);
    setProblem(found);
    if (found) document.getElementById('password').focus();
    else setting.run(() => follow(`/password-reset/${token}`, { password }).then(toSignIn));
  };
  return html`
    <form onSubmit=${submit} novalidate>
      <${Field} id="password" label="New password" type="password" autocomplete="new-password" value=${password}
        error=${problem} onInput=${setPassword} hint="Afterwards you sign in with it; all sessions end." />
      <${ErrorBox} error=${setting.error} />
      <div class="actions">
        <${Button} type="submit" class="primary" isBusy=${setting.isBusy} busy="Saving…">Set the password<//>
        <button type="button" onClick=${toSignIn}>Sign in instead</button>
      </div>
    </form>`;
}

function Confirmed({ token }) {
  const confirming = useAction();
  const [isDone, setDone] = useState(false);
  useEffect(() => { confirming.run(() => follow(`/email-confirmation/${token}`, {}).then(() => setDone(true))); }, [token]);
  if (!isDone && !confirming.error) return html`<${Loading} what="Confirming" />`;
  return html`
    ${isDone && html`<p class="lead">This is your address now.</p>`}
    <${ErrorBox} error=${confirming.error} />
    <div class="actions"><button type="button" class="primary" onClick=${toSignIn}>Go on</button></div>`;
}

/** Asks for a mail that resets the password. */
export function Forgotten({ onBack }) {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const asking = useAction();
  const submit = (event) => {
    event.preventDefault();
    asking.run(async () => {
      try {
        await callOnce('POST', '/password-reset', { email: email.trim() });
        setSent(true);
      } catch (error) {
        throw error.status === 404
          ? Object.assign(new Error('This service sends no mails.'), { advice: 'Ask its operator.' }) : error;
      }
    });
  };
  return isSent
    ? html`<div class="notice good" role="status"><p>If an account has this address, a mail with a link is on its way.</p></div>
      <div class="actions"><button type="button" onClick=${onBack}>Back</button></div>`
    : html`
      <form onSubmit=${submit} novalidate>
        <p class="lead">You get a mail with a link that sets a new password.</p>
        <${Field} id="email" label="E-mail" type="email" autocomplete="username" value=${email} onInput=${setEmail} />
        <${ErrorBox} error=${asking.error} />
        <div class="actions">
          <${Button} type="submit" class="primary" isBusy=${asking.isBusy} busy="Sending…">Send the mail<//>
          <button type="button" onClick=${onBack}>Back</button>
        </div>
      </form>`;
}
