/** Home: proposed trades and their results. */
import { html, useRef, useState } from '../lib/html.js';
import { get, getIfAny } from '../lib/api.js';
import { custodiansById } from '../lib/custodians.js';
import { plural, tradeWords } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { isUnderWay, isUndecided, outcomeWords } from '../lib/orders.js';
import { pendingRequests, resolvedRequests } from '../lib/requests.js';
import { Link } from '../lib/router.js';
import { StaleNotice } from '../ui/custodian.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { Empty, ErrorBox, Loaded } from '../ui/states.js';
import { AgentBadge, PageHead, StatusBadge, When } from '../ui/text.js';
import { RequestCard } from './request-card.js';

const POLL = 3000;
const SLOW_POLL = 10000;
const PAGE = 25;

async function situation() {
  const [ips, portfolio, keys, custodians] = await Promise.all([getIfAny('/ips'), get('/portfolio'), get('/keys'), custodiansById()]);
  return { ips, portfolio, keys: keys.keys, custodians };
}

function useSituation() {
  const around = useLoad(situation);
  usePoll(around.reload, SLOW_POLL);
  return around;
}

/** Announces what happened to requests since the last look. */
function tellChanges(before, now) {
  const known = new Map(before.map((request) => [request.id, request]));
  for (const request of now) {
    const was = known.get(request.id);
    if (!was && request.status === 'pending') announce(`New request: ${tradeWords(request.trade)}`);
    else if (was && outcomeWords(was) !== outcomeWords(request)) announce(`${tradeWords(request.trade)}: ${outcomeWords(request)}`);
  }
}

/** Pending requests, those that wait for the user on top, first to expire first. All keep their places from then on. */
function useQueue(onResolved) {
  const shown = useRef(null);
  const loaded = useLoad(async () => {
    const requests = await pendingRequests();
    const pending = new Map(requests.map((request) => [request.id, request]));
    const before = shown.current ?? [];
    const gone = before.filter((request) => request.status === 'pending' && !pending.has(request.id));
    const settled = new Map((await Promise.all(gone.map((request) => get(`/requests/${request.id}`)))).map((r) => [r.id, r]));
    const known = before.map((request) => pending.get(request.id) ?? settled.get(request.id) ?? request);
    const ids = new Set(known.map((request) => request.id));
    const fresh = requests.filter((request) => !ids.has(request.id)).sort((a, b) => isUnderWay(a) - isUnderWay(b) || a.id - b.id);
    const next = [...known, ...fresh];
    if (shown.current !== null) tellChanges(before, next);
    if (settled.size > 0) onResolved();
    shown.current = next;
    return next;
  });
  usePoll(loaded.reload, POLL);
  return loaded;
}

/** "1 request waits for your decision. 2 orders are under way." */
function waitingWords(requests) {
  const waiting = requests.filter(isUndecided).length;
  const orders = requests.filter(isUnderWay).length;
  return [
    waiting === 0 ? 'Nothing waits for you.' : `${plural(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'} for your decision.`,
    orders > 0 && `${plural(orders, 'order')} ${orders === 1 ? 'is' : 'are'} under way.`,
  ].filter(Boolean).join(' ');
}

export function Requests() {
  const around = useSituation();
  const past = usePast();
  const resolved = () => {
    around.reload();
    past.reload();
  };
  const queue = useQueue(resolved);
  return html`
    <${PageHead} title="Requests"><p class="lead">${queue.data === undefined ? '' : waitingWords(queue.data)}</p><//>
    <${StaleNotice} stale=${around.data?.portfolio.stale} known=${around.data?.custodians} />
    ${around.data && html`<${FirstSteps} of=${around.data} />`}
    <section aria-label="Waiting for you">
      <${Loaded} of=${queue}>${(requests) => (requests.length === 0
        ? html`<${Empty} title="No request is waiting"><p>When an agent proposes a trade that your policy allows, it appears here by itself.</p><//>`
        : requests.map((request) => html`
          <${RequestCard} key=${request.id} request=${request} around=${around.data} onChange=${queue.reload} />`))}<//>
      <${ErrorBox} error=${around.error} retry=${around.reload} />
    </section>
    <${Past} past=${past} />`;
}

/** The steps that are missing before an agent can call. */
function FirstSteps({ of: { ips, portfolio, keys } }) {
  const missing = [!ips && 'a policy', !portfolio.snapshot && !portfolio.stale && 'your holdings', keys.length === 0 && 'a key for an agent'].filter(Boolean);
  return missing.length > 0 && html`
    <div class="notice"><p><strong>Not ready yet.</strong> Before an agent can propose anything, this is missing: ${missing.join(', ')}.</p>
      <p><${Link} to="/welcome" class="button primary">Continue the set-up<//></p></div>`;
}

function usePast() {
  const [wanted, setWanted] = useState(PAGE);
  return { ...useLoad(() => resolvedRequests(wanted), [wanted]), more: () => setWanted(wanted + PAGE) };
}

function Past({ past }) {
  return html`
    <section>
      <h2>Resolved</h2>
      <${Loaded} of=${past}>${({ requests }) => (requests.length === 0
        ? html`<p class="muted">What you accepted or rejected is listed here.</p>`
        : html`
          <div class="scroll" tabindex="0" role="region" aria-label="Resolved requests"><table>
            <thead><tr><th scope="col">Trade</th><th scope="col">Agent</th><th scope="col">Outcome</th><th scope="col">When</th></tr></thead>
            <tbody>${requests.map((request) => html`<tr key=${request.id}>
              <td><${Link} to=${`/requests/${request.id}`}>${tradeWords(request.trade)}<//></td>
              <td><${AgentBadge} name=${request.agentName} /></td>
              <td><${StatusBadge} request=${request} /></td>
              <td><${When} at=${request.resolvedAt} /></td></tr>`)}</tbody></table></div>`)}<//>
      ${past.data?.hasMore && html`<p><${Button} isBusy=${past.isLoading} busy="Loading…" onClick=${past.more}>Older requests<//></p>`}
    </section>`;
}

/** The page of a single request. */
export function OneRequest({ id }) {
  const request = useLoad(() => get(`/requests/${id}`), [id]);
  const around = useSituation();
  usePoll(() => { if (request.data?.status === 'pending') request.reload(); }, POLL);
  return html`
    <p class="back"><${Link} to="/">All requests<//></p>
    <${PageHead} title=${`Request ${id}`} />
    <${StaleNotice} stale=${around.data?.portfolio.stale} known=${around.data?.custodians} />
    <${Loaded} of=${request}>${(loaded) => html`
      <${RequestCard} request=${loaded} around=${around.data} onChange=${() => { request.reload(); around.reload(); }} />`}<//>`;
}
