/** The activity: every signed event in words, searched and filtered by the service. The filters are in the address. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { get, getIfAny, query } from '../lib/api.js';
import { custodiansById } from '../lib/custodians.js';
import { assetClass, dateTime, usd, worth } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { keep, kept, Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { isViewing, readKeys } from '../lib/viewing.js';
import { ExecutionWords } from '../ui/execution.js';
import { Button, Field } from '../ui/field.js';
import { Empty, ErrorBox, Loading } from '../ui/states.js';
import { Badge, Facts, Foreign, PageHead, StatusBadge, When } from '../ui/text.js';
import { Logged } from '../ui/logged.js';
import { ruleTitle, RULES, Violations } from '../ui/violations.js';

const LIMIT = 50;
/** Decisions that change nothing else are not told by the stream. */
const POLL = 5000;
const NAMES = ['text', 'agentKeyId', 'kinds', 'symbol', 'rule', 'allowed', 'from', 'to'];
const KINDS = {
  'guardrail.decision': 'Decisions',
  'broker.trade_observed': 'Trades',
  'ips.created,ips.amended': 'Policy changes',
  'key.minted,key.rotated,key.revoked': 'Keys',
  'policy.drift_detected,policy.drift_cleared': 'Drift',
  'signing_key.rotated': 'Signing keys',
};

/** The filters in the address. */
function useFilters() {
  const [, draw] = useState(0);
  const given = new URLSearchParams(location.search);
  const filters = Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? '']));
  const set = (members) => {
    const next = Object.entries({ ...filters, ...members }).filter(([, value]) => value !== '');
    history.replaceState(history.state, '', query(location.pathname, Object.fromEntries(next)));
    draw((times) => times + 1);
  };
  return [filters, set];
}

/** The start of a UTC day, some days later, as an instant; nothing for a text that is no day. */
function startOf(day, daysLater) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + daysLater);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const asked = ({ from, to, ...filters }) => ({ ...filters, symbol: filters.symbol.trim().toUpperCase(), text: filters.text.trim(), from: startOf(from, 0), to: startOf(to, 1) });

/** The events that fit, page after page. While only the first page is shown, it is loaded again when something changes. */
function useFeed(filters) {
  const [state, setState] = useState({ events: null, pages: 0, next: null, error: null, isLoading: false });
  const latest = useRef(0);
  const key = JSON.stringify(filters);
  const load = async (cursor = null, wanted = 1) => {
    const mine = ++latest.current;
    setState((was) => ({ ...was, isLoading: true, error: null }));
    try {
      let events = cursor === null ? [] : state.events;
      let pages = cursor === null ? 0 : state.pages;
      let next = cursor;
      for (let more = wanted; more > 0; more = next === null ? 0 : more - 1) {
        const page = await get(query('/activity', { ...asked(filters), limit: LIMIT, cursor: next }));
        if (mine !== latest.current) return;
        events = [...events, ...page.events];
        pages++;
        next = page.nextCursor;
      }
      keep({ pages });
      setState({ events, pages, next, error: null, isLoading: false });
    } catch (error) {
      if (mine === latest.current) setState((was) => ({ ...was, error, isLoading: false }));
    }
  };
  useEffect(() => {
    const isFirst = state.events === null;
    const timer = setTimeout(() => load(null, isFirst ? kept().pages : 1), isFirst ? 0 : 250);
    return () => {
      clearTimeout(timer);
      latest.current++;
    };
  }, [key]);
  const refresh = () => {
    // Where few events fit, pages are short, and the next one is loaded at once.
    const isComplete = state.next === null || state.events.length === LIMIT;
    if (state.pages === 1 && isComplete && !state.isLoading) load();
  };
  useChanges(['requests', 'portfolio', 'policy', 'keys'], refresh);
  usePoll(refresh, POLL);
  return { ...state, more: () => { if (!state.isLoading && state.next) load(state.next); }, retry: () => load() };
}

export function Activity() {
  const [filters, set] = useFilters();
  const keys = useLoad(readKeys);
  const custodians = useLoad(custodiansById);
  const ips = useLoad(() => getIfAny('/ips'));
  const feed = useFeed(filters);
  const isFiltered = NAMES.some((name) => filters[name] !== '');
  return html`
    <${PageHead} title="Activity"><p class="lead">Every signed event, newest first: what agents asked, what was decided, what you changed.</p><//>
    <${Filters} filters=${filters} keys=${keys.data?.keys ?? []} onChange=${set} />
    ${!isViewing() && html`<p><a href=${`/api/app/v1${query('/activity', { ...asked(filters), format: 'csv' })}`} download>Download ${isFiltered ? 'these' : 'all'} as CSV</a></p>`}
    <${ErrorBox} error=${feed.error} retry=${feed.retry} />
    ${feed.events === null ? !feed.error && html`<${Loading} />`
      : feed.events.length === 0 && feed.next === null ? (isFiltered
        ? html`<${Empty} title="No event fits these filters"><p><button type="button" onClick=${() => set(Object.fromEntries(NAMES.map((name) => [name, ''])))}>Show all</button></p><//>`
        : html`<${Empty} title="Nothing has happened yet"><p>When you save a policy or an agent asks about a trade, it is listed here.</p><//>`)
        : html`<ol class="feed">${feed.events.map((event) => html`<${Event} key=${event.seq} of=${event} known=${custodians.data} ips=${ips.data} />`)}</ol>
          <${Tail} feed=${feed} />`}`;
}

function Filters({ filters, keys, onChange }) {
  // Opened once for those in the address; a filter that is emptied closes nothing under the hands of who types.
  const isOpen = useRef(Boolean(filters.symbol || filters.rule || filters.from || filters.to)).current;
  return html`
  <form class="filters" role="search" aria-label="Filter events" onSubmit=${(event) => event.preventDefault()}>
    <${Field} id="by-text" label="Search" type="search" value=${filters.text} onInput=${(text) => onChange({ text })} maxlength="200" autocomplete="off" />
    <${Field} id="by-key" label="Agent" value=${filters.agentKeyId} onInput=${(agentKeyId) => onChange({ agentKeyId })}>
      <option value="">All agents</option>${keys.map((key) => html`<option value=${key.agentKeyId}>${key.name}</option>`)}<//>
    <${Field} id="by-kind" label="Kind" value=${filters.kinds} onInput=${(kinds) => onChange({ kinds })}>
      <option value="">Any</option>${Object.entries(KINDS).map(([kinds, words]) => html`<option value=${kinds}>${words}</option>`)}<//>
    <${Field} id="by-verdict" label="Outcome" value=${filters.allowed} onInput=${(allowed) => onChange({ allowed })}>
      <option value="">Any</option><option value="true">Allowed</option><option value="false">Blocked or rejected</option><//>
    <details open=${isOpen}><summary>More filters</summary><div class="filters">
      <${Field} id="by-asset" label="Asset" value=${filters.symbol} onInput=${(symbol) => onChange({ symbol })} maxlength="32" autocomplete="off" />
      <${Field} id="by-rule" label="Rule" value=${filters.rule} onInput=${(rule) => onChange({ rule })}>
        <option value="">Any</option>${RULES.map((rule) => html`<option value=${rule}>${ruleTitle(rule)}</option>`)}<//>
      <${Field} id="by-from" label="From (UTC)" type="date" value=${filters.from} onInput=${(from) => onChange({ from })} />
      <${Field} id="by-to" label="To (UTC)" type="date" value=${filters.to} onInput=${(to) => onChange({ to })} />
    </div></details>
  </form>`;
}

/** The end of the list, which loads the next page when it is in view. After an error the user asks for more. */
function Tail({ feed }) {
  const end = useRef(null);
  useEffect(() => {
    if (feed.isLoading || feed.error) return undefined;
    const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) feed.more(); }, { rootMargin: '600px' });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [feed.events, feed.isLoading, feed.error]);
  return html`<p ref=${end}>${feed.next ? html`<${Button} isBusy=${feed.isLoading} busy="Loading…" onClick=${feed.more}>Older events<//>` : html`<span class="muted">End of the log</span>`}</p>`;
}

function outcome({ allowed, kind, violations }) {
  if (allowed === null) return null;
  if (kind === 'attestation' && violations.length === 0) return html`<${Badge} kind=${allowed ? 'good' : 'bad'}>${allowed ? 'Accepted' : 'Rejected'}<//>`;
  return html`<${Badge} kind=${allowed ? 'good' : 'bad'}>${allowed ? 'Allowed' : 'Blocked'}<//>`;
}

/** An event as a line that opens; `known` are the custodians by id. */
export function Event({ of: event, known, ips }) {
  const [isOpen, setOpen] = useState(false);
  return html`
  <li data-seq=${event.seq} data-hash=${event.hash}>
    <details onToggle=${({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary><span class="verdict">${outcome(event)}</span><span class="said"><${Foreign} text=${event.text} /></span> <${When} at=${event.createdAt} isAgo /></summary>
      <div class="decision">
        ${event.violations.length > 0 && html`<${Violations} of=${event.violations} ips=${ips?.ipsVersion === event.ipsVersion ? ips : null} />`}
        <${Facts} of=${[
          ['When', dateTime(event.createdAt)],
          event.agentName && ['Agent', html`<${Foreign} text=${event.agentName} />`],
          event.symbol && ['Asset', `${event.symbol}${event.assetType ? `, ${assetClass(event.assetType).toLowerCase()}` : ''}`],
          event.amountUsd !== null && ['Amount', (event.kind ? usd : worth)(event.amountUsd)],
          event.ipsVersion !== null && ['Policy', `version ${event.ipsVersion}`],
          event.serviceRequest && ['Request', html`<${Link} to=${`/requests/${event.serviceRequest.id}`}>${event.serviceRequest.id}<//> <${StatusBadge} request=${event.serviceRequest} />`],
          event.serviceRequest?.execution && ['Execution', html`<${ExecutionWords} of=${event.serviceRequest.execution} trade=${{ action: event.action, assetSymbol: event.symbol }} known=${known} />`],
          ['Event', event.seq], ['Hash', html`<code class="hash">${event.hash}</code>`],
        ]} />
        <p><${Link} to=${`/proof?seq=${event.seq}&hash=${event.hash}`}>Check this event in the chain<//></p>
        ${isOpen && html`<${Logged} seq=${event.seq} />`}
      </div>
    </details>
  </li>`;
}
