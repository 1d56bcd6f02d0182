/** Proposed trades: those that wait for a decision, and what became of the others. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { get, getIfAny } from '../lib/api.js';
import { custodiansById } from '../lib/custodians.js';
import { tradeWords } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { isUndecided } from '../lib/orders.js';
import { resolvedRequests } from '../lib/requests.js';
import { Link, useKept } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { AcceptMany } from '../requests/accept-many.js';
import { isViewing, readKeys } from '../lib/viewing.js';
import { Approvable } from '../requests/approvable.js';
import { RequestCard } from '../requests/card.js';
import { focusButton, useKeys } from '../requests/keys.js';
import { useQueue, waitingWords } from '../requests/queue.js';
import { RejectMany } from '../requests/reject-many.js';
import { RequestLine, Rows } from '../requests/row.js';
import { StaleNotice } from '../ui/custodian.js';
import { Button } from '../ui/field.js';
import { Empty, ErrorBox, Loaded } from '../ui/states.js';
import { AgentBadge, PageHead, StatusBadge, When } from '../ui/text.js';

const PAGE = 25;
/** Holdings also become too old without a change. */
const POLL = 10000;

async function situation() {
  const [ips, portfolio, { keys }, custodians] = await Promise.all([getIfAny('/ips'), get('/portfolio'), readKeys(), custodiansById()]);
  return { ips, portfolio, keys, custodians };
}

function useSituation() {
  const around = useLoad(situation);
  useChanges(['portfolio', 'policy', 'keys'], around.reload);
  usePoll(around.reload, POLL);
  return around;
}

/** What is loaded, once its surroundings are known too or cannot be: drawn before, it would be moved by them. */
const settled = (loaded, around) => (around.data === undefined && !around.error ? { ...loaded, data: undefined } : loaded);

/**
 * The request that is opened: the one chosen, else the first that waits. After a decision the next one that waits opens by itself,
 * also one that comes later; the others keep the place of the one that was decided.
 */
function useOpened(requests) {
  const [{ id: chosen, isNext }, set] = useState({ id: null, isNext: false });
  const [isFree, setFree] = useState(false);
  const choose = (id) => {
    setFree(false);
    set({ id, isNext: false });
  };
  const isThere = requests.some((request) => request.id === chosen);
  const opened = isThere ? chosen : (requests.find(isUndecided) ?? requests[0])?.id ?? null;
  useEffect(() => {
    if (isThere && !isFree) document.getElementById(`request-${chosen}`)?.focus();
  }, [chosen]);
  useEffect(() => { if (opened !== null && chosen === null) choose(opened); }, [opened]);
  const next = isFree ? requests.find(isUndecided)?.id : undefined;
  useEffect(() => { if (next !== undefined) set({ id: next, isNext: true }); }, [next]);
  const decided = ({ id }) => {
    const at = requests.findIndex((request) => request.id === id);
    const waits = [...requests.slice(at + 1), ...requests.slice(0, at)].find(isUndecided);
    setFree(!waits);
    if (waits) set({ id: waits.id, isNext: true });
  };
  const step = (by) => {
    const next = requests[requests.findIndex((request) => request.id === opened) + by];
    if (next) choose(next.id);
  };
  useKeys({
    j: () => step(1), k: () => step(-1), a: () => focusButton(opened, 'accept'), r: () => focusButton(opened, 'reject'),
  });
  return { opened, isNext, choose, decided };
}

/** Whether there is room for the rows and the opened request beside each other. */
const ROOM = matchMedia('(min-width: 75rem)');

function useRoom() {
  const [hasRoom, set] = useState(ROOM.matches);
  useEffect(() => {
    const look = () => set(ROOM.matches);
    ROOM.addEventListener('change', look);
    return () => ROOM.removeEventListener('change', look);
  }, []);
  return hasRoom;
}

export function Requests() {
  const around = useSituation();
  const past = usePast();
  const resolved = () => {
    around.reload();
    past.reload();
  };
  const opened = useRef(null);
  const queue = settled(useQueue(opened, resolved), around);
  return html`
    <${PageHead} title="Requests"><p class="lead">${queue.data === undefined ? '' : waitingWords(queue.data)}</p><//>
    <${StaleNotice} stale=${around.data?.portfolio.stale} known=${around.data?.custodians} />
    ${around.data && !isViewing() && html`<${FirstSteps} of=${around.data} />`}
    <section aria-label="Waiting for you">
      <${Loaded} of=${queue}>${(requests) => (requests.length === 0
        ? html`<${Empty} title="No request is waiting"><p>When an agent proposes a trade that your policy allows, it appears here by itself.</p><//>`
        : html`<${List} requests=${requests} around=${around.data} onChange=${queue.reload} onRejected=${queue.dismiss} openedId=${opened} />`)}<//>
      <${ErrorBox} error=${around.error} retry=${around.reload} />
    </section>
    ${queue.data !== undefined && (isViewing() ? html`<${Past} past=${past} />`
      : html`<${Approvable} ips=${around.data?.ips ?? null}><${Past} past=${past} /><//>`)}`;
}

function List({ requests, around, onChange, onRejected, openedId }) {
  const hasRoom = useRoom();
  const { opened, isNext, choose, decided } = useOpened(requests);
  openedId.current = opened;
  const waiting = requests.filter(isUndecided);
  const situation = around && { ...around, waiting };
  const card = (request) => html`<${RequestCard} key=${request.id} request=${request} around=${situation} isNext=${isNext} onDecided=${decided} onChange=${onChange} />`;
  const keys = requests.length > 1 && !isViewing() && html`<p class="hint keys-hint">Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>a</kbd> to Accept, <kbd>r</kbd> to Reject.</p>`;
  const many = !isViewing() && html`<${AcceptMany} waiting=${waiting} around=${situation} onDone=${onChange} /><${RejectMany} waiting=${waiting} onDone=${onRejected} />`;
  if (hasRoom) {
    return html`
      <div class="beside">
        <div class="beside-rows"><${Rows} requests=${requests} opened=${opened} onOpen=${choose} />${many}${keys}</div>
        ${requests.filter((request) => request.id === opened).map(card)}
      </div>`;
  }
  return html`
    ${keys}
    ${requests.map((request) => (request.id === opened ? card(request) : html`<${RequestLine} key=${request.id} request=${request} onOpen=${() => choose(request.id)} />`))}
    ${many}`;
}

/** The steps that are missing before an agent can call. */
function FirstSteps({ of: { ips, portfolio, keys } }) {
  const missing = [!ips && 'a policy', !portfolio.snapshot && !portfolio.stale && 'your holdings', keys.length === 0 && 'a key for an agent'].filter(Boolean);
  return missing.length > 0 && html`
    <div class="notice"><p><strong>Not ready yet.</strong> Before an agent can propose anything, this is missing: ${missing.join(', ')}.</p>
      <p><${Link} to="/welcome" class="button primary">Continue the set-up<//></p></div>`;
}

function usePast() {
  const [wanted, setWanted] = useKept('resolved', PAGE);
  return { ...useLoad(() => resolvedRequests(wanted), [wanted]), more: () => setWanted(wanted + PAGE) };
}

function Past({ past }) {
  return html`
    <section>
      <h2>Resolved</h2>
      <${Loaded} of=${past}>${({ requests }) => (requests.length === 0
        ? html`<p class="muted">What you accepted or rejected is listed here.</p>`
        : html`
          <div class="scroll" tabindex="0" role="region" aria-label="Resolved requests"><table class="stacked">
            <thead><tr><th scope="col">Trade</th><th scope="col">Agent</th><th scope="col">Outcome</th><th scope="col">When</th></tr></thead>
            <tbody>${requests.map((request) => html`<tr key=${request.id}>
              <th scope="row"><${Link} to=${`/requests/${request.id}`}>${tradeWords(request.trade)}<//></th>
              <td data-name="Agent"><${AgentBadge} name=${request.agentName} /></td>
              <td data-name="Outcome"><${StatusBadge} request=${request} /></td>
              <td data-name="When"><${When} at=${request.resolvedAt} /></td></tr>`)}</tbody></table></div>`)}<//>
      ${past.data?.hasMore && html`<p><${Button} isBusy=${past.isLoading} busy="Loading…" onClick=${past.more}>Older requests<//></p>`}
    </section>`;
}

/** The page of a single request. */
export function OneRequest({ id }) {
  const request = useLoad(() => get(`/requests/${id}`), [id]);
  const around = useSituation();
  useChanges(['requests'], request.reload);
  return html`
    <p class="back"><${Link} to="/requests">All requests<//></p>
    <${PageHead} title=${`Request ${id}`} />
    <${StaleNotice} stale=${around.data?.portfolio.stale} known=${around.data?.custodians} />
    <${Loaded} of=${settled(request, around)}>${(loaded) => html`
      <${RequestCard} request=${loaded} around=${around.data} onChange=${() => { request.reload(); around.reload(); }} />`}<//>`;
}
