/** Signing up, signing in, and signing in again when a session has ended. */
import { html, useState } from '../lib/html.js';
import { callOnce } from '../lib/api.js';
import { useAction } from '../lib/load.js';
import { passkeyProblem, signInWithPasskey } from '../lib/passkeys.js';
import { MIN_PASSWORD_LENGTH, passwordProblem } from '../lib/password.js';
import { Link, navigate } from '../lib/router.js';
import { useArrival } from '../ui/arrival.js';
import { Dialog } from '../ui/dialog.js';
import { Button, Field } from '../ui/field.js';
import { ErrorBox } from '../ui/states.js';
import { Forgotten } from './from-mail.js';

/** What to do when address and password do not belong together; elsewhere the same code means that a session has ended. */
const advised = (error) => (error?.code === 'unauthorized' ? Object.assign(error, { advice: 'Check both, and try again.' }) : error);

/** A form of address and password; `send` gets both. `usePasskey` signs in without them. */
function Credentials({ send, usePasskey, verb, busy, isNew, email: known = '', children }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState({});
  const action = useAction();
  const submit = (event) => {
    event.preventDefault();
    const found = {
      email: email.includes('@') ? null : 'Enter your e-mail address.',
      password: isNew ? passwordProblem(password) : password === '' ? 'Enter your password.' : null,
    };
    setProblems(found);
    const wrong = ['email', 'password'].find((name) => found[name]);
    if (wrong) document.getElementById(wrong).focus();
    else action.run(() => send({ email: email.trim(), password }));
  };
  return html`
    <form onSubmit=${submit} novalidate>
      <${Field} id="email" label="E-mail" type="email" autocomplete="username" value=${email} onInput=${setEmail}
        error=${problems.email} readonly=${known !== ''} />
      <${Field} id="password" label="Password" type="password" value=${password} onInput=${setPassword}
        autocomplete=${isNew ? 'new-password' : 'current-password'} error=${problems.password}
        hint=${isNew ? `${MIN_PASSWORD_LENGTH} characters or more. A few unrelated words are best.` : undefined} />
      <${ErrorBox} error=${advised(action.error)} />
      <div class="actions">
        <${Button} type="submit" class="primary" isBusy=${action.isBusy} busy=${busy}>${verb}<//>
        ${usePasskey && !passkeyProblem() && html`<button type="button" onClick=${() => action.run(usePasskey)}>Use a passkey</button>`}
        ${children}
      </div>
      ${usePasskey && passkeyProblem() && html`<p class="hint" data-no-passkeys>${passkeyProblem()}</p>`}
    </form>`;
}

const signIn = (login) => callOnce('POST', '/session', login);

/** The page for users who are not signed in, at any path; signing in continues there. A new user begins with the first steps,
 * unless a program waits for an answer. */
export function SignIn({ path, onSignedIn }) {
  const isNew = path === '/sign-up';
  const [begun] = useState(path);
  const [isForgotten, setForgotten] = useState(false);
  const title = isNew ? 'Create your account' : isForgotten ? 'Forgotten password' : 'Sign in';
  useArrival(title, isNew, isNew ? title : 'You are signed out.');
  const enterBy = async (signing) => {
    onSignedIn(await signing);
    if (begun.startsWith('/connect/')) navigate(begun);
    else if (isNew) navigate('/welcome');
    else if (path === '/sign-in') navigate('/');
  };
  const enter = async (login) => {
    if (isNew) await callOnce('POST', '/users', login);
    await enterBy(signIn(login));
  };
  return html`
    <main class="alone">
      <p class="brand"><span class="logo" aria-hidden="true"></span>Agent Policy</p>
      <section class="card">
        <h1 tabindex="-1">${title}</h1>
        ${isForgotten && !isNew ? html`<${Forgotten} onBack=${() => setForgotten(false)} />` : html`
        <p class="lead">${isNew
          ? 'Write down your investment policy, give your agents keys, and decide on every trade yourself.'
          : 'Your agents propose. You decide.'}</p>
        <${Credentials} key=${isNew} send=${enter} usePasskey=${isNew ? null : () => enterBy(signInWithPasskey())} isNew=${isNew} verb=${isNew ? 'Create account' : 'Sign in'}
          busy=${isNew ? 'Creating…' : 'Signing in…'} />
        <p class="else">${isNew
          ? html`Already have an account? <${Link} to="/sign-in">Sign in</${Link}>`
          : html`<button type="button" class="plain" onClick=${() => setForgotten(true)}>Forgot your password?</button> New here? <${Link} to="/sign-up">Create an account</${Link}>`}</p>`}
      </section>
    </main>`;
}

/** A dialog over the open page, which keeps its input. Only its buttons close it, so that no stray Escape loses a draft. */
export function SignInAgain({ email, onEnd }) {
  const enter = async (login) => onEnd(await signIn(login));
  return html`
    <${Dialog} title="Your session has ended">
      <p>Sign in to continue where you were. Nothing you typed is lost.</p>
      <${Credentials} send=${enter} usePasskey=${async () => onEnd(await signInWithPasskey())} email=${email} verb="Sign in and go on" busy="Signing in…">
        <button type="button" onClick=${() => onEnd(null)}>Sign out</button>
      <//>
    <//>`;
}
