/** The frame of every page: navigation and signing out. */
import { html, useEffect, useState } from '../lib/html.js';
import { useAction, useLoad, usePoll } from '../lib/load.js';
import { isUndecided } from '../lib/orders.js';
import { pendingRequests } from '../lib/requests.js';
import { Link } from '../lib/router.js';
import { Button } from './field.js';
import { ErrorBox } from './states.js';

const PLACES = [
  ['/', 'Requests'], ['/policy', 'Policy'], ['/portfolio', 'Portfolio'], ['/agents', 'Agents'],
  ['/audit', 'Audit'], ['/reconciliation', 'Reconciliation'], ['/proof', 'Proof'], ['/usage', 'Usage'],
];

/** The number of requests that wait for the user, visible on every page. */
function usePending(path) {
  const { data, reload } = useLoad(pendingRequests, [path]);
  usePoll(reload, 5000);
  return data?.filter(isUndecided).length ?? 0;
}

export function Shell({ path, user, signOut, children }) {
  const [isOpen, setOpen] = useState(false);
  const pending = usePending(path);
  const leaving = useAction();
  useEffect(() => {
    setOpen(false);
    leaving.clear();
  }, [path]);
  const skip = (event) => {
    event.preventDefault();
    document.getElementById('main').focus();
  };
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the page</a>
    <header class="side">
      <div class="brand-row">
        <${Link} to="/" class="brand"><span class="logo" aria-hidden="true"></span>Agent Policy<//>
        ${pending > 0 && html`<${Link} to="/" class="badge wait narrow-only">${pending} waiting<//>`}
        <button type="button" class="menu narrow-only" aria-expanded=${String(isOpen)} aria-controls="places"
          onClick=${() => setOpen(!isOpen)}>Menu</button>
      </div>
      <div id="places" class=${isOpen ? 'places open' : 'places'}>
        <nav aria-label="Pages"><ul>${PLACES.map(([to, name]) => html`
          <li><${Link} to=${to} aria-current=${path === to ? 'page' : undefined}>${name}
            ${to === '/' && pending > 0 && html` <span class="count">${pending}<span class="quiet"> waiting</span></span>`}<//></li>`)}
        </ul></nav>
        <div>
          <${ErrorBox} error=${leaving.error && { message: `You are still signed in. ${leaving.error.message}`, advice: leaving.error.advice }} />
          <div class="who"><span title=${user.email}>${user.email}</span>
            <${Button} class="plain" isBusy=${leaving.isBusy} busy="Signing out…" onClick=${() => leaving.run(signOut)}>Sign out<//></div>
        </div>
      </div>
    </header>
    <main id="main" tabindex="-1">${children}</main>`;
}
