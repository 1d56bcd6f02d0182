/**
 * What to begin with: a checklist for everybody, and suggestions for whoever looks at a demonstration. This browser remembers
 * the steps that were taken, and is the only one to know of some.
 */
import { html, useState } from '../lib/html.js';
import { get } from '../lib/api.js';
import { Link } from '../lib/router.js';
import { isViewing } from '../lib/viewing.js';
import { signedInAs } from '../lib/who.js';
import { Badge } from './text.js';

const name = () => `first-steps:${signedInAs()}`;

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(name())) ?? {};
  } catch {
    return {};
  }
}

/** Remembers that the user took a step, put the checklist away (`away`), or what a demonstration suggests (`demo`). */
export function tookStep(step) {
  try {
    localStorage.setItem(name(), JSON.stringify({ ...remembered(), [step]: true }));
  } catch {
    // Without storage the checklist stays as it is.
  }
}

async function ask(step, path, member) {
  if (!remembered()[step] && (await get(path))[member].length > 0) tookStep(step);
}

/** The steps by whether they were taken; asked for only where that is not remembered. Null for whoever has no checklist. */
export async function firstSteps() {
  if (isViewing() || remembered().away) return null;
  await Promise.all([
    ask('passkey', '/passkeys', 'passkeys'),
    ask('propose', '/requests?limit=1', 'requests').then(() => remembered().propose && ask('accept', '/requests?status=completed&limit=1', 'requests')),
  ]);
  return remembered();
}

const STEPS = [
  ['connect', '/agents', 'Connect an agent', 'by consent, or with a key'],
  ['try', '/policy#try', 'Try a trade', 'as an agent would ask; nothing is recorded'],
  ['propose', '/agents', 'Have the agent propose a trade', 'with the lines that its page shows'],
  ['accept', '/requests', 'Accept a request', 'after a look at what it would change'],
  ['verify', '/proof', 'Verify the log', 'in this browser, without trusting the service'],
  ['passkey', '/account#passkeys', 'Add a passkey', 'to sign in, and to sign what you accept'],
  ['notifications', '/account', 'Turn on notifications', 'so that requests find you'],
  ['backup', '/account#data', 'Keep a back-up of your data', 'as one file, from your account'],
];

const leave = () => document.querySelector('h1').focus();

/** @param taken the steps by whether they were taken; `onAway` is called when the user puts the checklist away */
export function Checklist({ taken, onAway }) {
  const done = STEPS.filter(([step]) => taken[step]).length;
  if (done === STEPS.length) return null;
  return html`
    <section class="card" data-checklist><header class="row"><h2>First steps</h2><${Badge}>${done} of ${STEPS.length}<//>
      <button type="button" class="small" onClick=${() => { tookStep('away'); leave(); onAway(); }}>Put away<span class="quiet"> the first steps</span></button></header>
      <ul class="checklist">${STEPS.map(([step, to, words, more]) => html`
        <li key=${step} data-step=${step} class=${taken[step] ? 'done' : ''}><span class="step-number" aria-hidden="true">${taken[step] ? '✓' : ''}</span>
          <span>${taken[step] ? html`${words}<span class="quiet">: done</span>` : html`<${Link} to=${to}>${words}<//> <small>${more}</small>`}</span></li>`)}</ul>
    </section>`;
}

/** The address of the demonstration's user, which nobody else can confirm. */
const DEMO = 'demo@example.com';

export function TryThis({ user }) {
  const [isShown, show] = useState(user.email === DEMO && !remembered().demo);
  return isShown && html`
    <section class="card" data-try-this><header class="row"><h2>Try this</h2>
      <button type="button" class="small" onClick=${() => { tookStep('demo'); leave(); show(false); }}>Put away<span class="quiet"> what to try</span></button></header>
      <p>This is a demonstration: what happened before it was started was made up. Prices move, and an agent proposes a trade now and then.</p>
      <ul class="checklist">
        <li><span><${Link} to="/requests">Decide on what waits<//> <small>see what it would change, then accept it or say why not</small></span></li>
        <li><span>Paste the first line that the terminal shows <small>it proposes a trade, which appears here by itself</small></span></li>
        <li><span><${Link} to="/policy#allocation">Lower the maximum of crypto to 20%<//> <small>before you save, see what that would have blocked, and which requests it would block now</small></span></li>
        <li><span><${Link} to="/proof">Verify 60 days of decisions<//> <small>each is signed and chained to the one before</small></span></li>
        <li><span>Pause all agents <small>then paste the line again</small></span></li>
      </ul>
    </section>`;
}
