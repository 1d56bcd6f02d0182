/** The frame of every page: navigation and signing out. */
import { html, useEffect, useState } from '../lib/html.js';
import { date } from '../lib/format.js';
import { useInbox } from '../lib/inbox.js';
import { useAction, useLoad } from '../lib/load.js';
import { isUndecided } from '../lib/orders.js';
import { pendingRequests } from '../lib/requests.js';
import { Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { isViewing } from '../lib/viewing.js';
import { Button } from './field.js';
import { PauseButton, PausedBanner, SellOnlyButton, usePause } from './pause.js';
import { AwayBanner, ErrorBox } from './states.js';
import { useUnreadBadge } from './unread-badge.js';

const PLACES = [
  ['/', 'Home'], ['/inbox', 'Inbox'], ['/policy', 'Policy'], ['/portfolio', 'Portfolio'], ['/agents', 'Agents'], ['/activity', 'Activity'],
];
const RECORDS = [['/reconciliation', 'Reconciliation'], ['/proof', 'Proof'], ['/usage', 'Usage']];

/** The places of a user alone. */
const OWN = ['/agents', '/inbox'];

/** How many requests wait for the user, and how many orders are under way, which are named before all agents are paused. */
function useOpen(path) {
  const { data, reload } = useLoad(pendingRequests, [path]);
  useChanges(['requests'], reload);
  const waiting = data?.filter(isUndecided).length;
  return { requests: waiting ?? 0, orders: (data?.length ?? 0) - (waiting ?? 0) };
}

/** Whether a page belongs to a place of the menu; requests do to the inbox. */
const isWithin = (path, to) => path.startsWith(to === '/inbox' ? '/requests' : `${to}/`);

/** A list of pages. */
const Places = ({ of, path, count, ...rest }) => html`
  <ul ...${rest}>${of.map(([to, name]) => html`
    <li><${Link} to=${to} aria-current=${path === to ? 'page' : isWithin(path, to) ? 'true' : undefined}>${name}
      ${to === '/inbox' && count > 0 && html` <span class="count">${count}<span class="quiet"> waiting</span></span>`}<//></li>`)}
  </ul>`;

export function Shell({ path, user, signOut, children }) {
  const [isOpen, setOpen] = useState(false);
  const open = useOpen(path);
  const inbox = useInbox([path]).data;
  const count = inbox?.count ?? 0;
  const places = isViewing() ? [...PLACES.filter(([to]) => !OWN.includes(to)), ['/requests', 'Requests']] : PLACES;
  const pause = usePause();
  useUnreadBadge(inbox?.items);
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
        <${Link} to="/" class="brand"><span class="logo" aria-hidden="true"></span><span class="name">Agent Policy</span><//>
        ${!isViewing() && html`<${PauseButton} of=${pause} open=${open} class="narrow-only small" isShort />`}
        <button type="button" class="menu narrow-only" aria-expanded=${String(isOpen)} aria-controls="places"
          onClick=${() => setOpen(!isOpen)}>Menu</button>
      </div>
      <div id="places" class=${isOpen ? 'places open' : 'places'}>
        <nav aria-label="Pages"><${Places} of=${places} path=${path} count=${count} class="wide-only" />
          <h2 id="records" class="group">Records</h2><${Places} of=${RECORDS} path=${path} aria-labelledby="records" /></nav>
        <div>
          <${ErrorBox} error=${leaving.error && { message: `You are still signed in. ${leaving.error.message}`, advice: leaving.error.advice }} />
          ${!isViewing() && html`<div class="actions"><${PauseButton} of=${pause} open=${open} class="wide-only small" /><${SellOnlyButton} of=${pause} class="small" /></div>`}
          <div class="who">${user.viewer ? html`<span data-viewing>${user.viewer.name}, looking on until ${date(user.viewer.expiresAt)}</span>` : html`<${Link} to="/account" title=${user.email} aria-current=${path === '/account' ? 'page' : undefined}>${user.email}<span class="quiet">: your account</span><//>`}
            <${Button} class="plain" isBusy=${leaving.isBusy} busy="Signing out…" onClick=${() => leaving.run(signOut)}>Sign out<//></div>
        </div>
      </div>
    </header>
    <main id="main" tabindex="-1"><${AwayBanner} /><${PausedBanner} of=${pause} />${children}</main>
    <nav class="bottom narrow-only" aria-label="Main pages"><${Places} of=${places} path=${path} count=${count} /></nav>`;
}
