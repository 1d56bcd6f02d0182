/** The audit feed: every decision of the guardrail, newest first, each with its inputs. */
import { html, useState } from '../lib/html.js';
import { get, query } from '../lib/api.js';
import { custodiansById } from '../lib/custodians.js';
import { percent, sleeveName, slippage, tradeWords, usd, worth } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { ExecutionWords } from '../ui/execution.js';
import { Field } from '../ui/field.js';
import { Empty, Loaded } from '../ui/states.js';
import { AgentBadge, Badge, Facts, Foreign, PageHead, StatusBadge, VerdictBadge, When } from '../ui/text.js';
import { Violations } from '../ui/violations.js';

const LIMIT = 100;
const KINDS = { validate: 'Asked', propose: 'Proposed', attestation: 'You decided' };
const SINCE = { hour: 3600e3, day: 86400e3, week: 7 * 86400e3 };
const ANY = { agentKeyId: '', allowed: '', kind: '', since: '' };

const load = ({ agentKeyId, allowed, since }) => get(query('/audit', {
  limit: LIMIT, agentKeyId, allowed, since: since && new Date(Date.now() - SINCE[since]).toISOString(),
}));

export function Audit() {
  const [filter, setFilter] = useState(ANY);
  const keys = useLoad(() => get('/keys'));
  const custodians = useLoad(custodiansById);
  const feed = useLoad(() => load(filter), [filter]);
  usePoll(feed.reload, 5000);
  const names = new Map((keys.data?.keys ?? []).map((key) => [key.agentKeyId, key.name]));
  return html`
    <${PageHead} title="Audit"><p class="lead">Every decision about every trade, as it was made.</p><//>
    <${Filters} filter=${filter} names=${names} onChange=${(members) => setFilter({ ...filter, ...members })} />
    <${Loaded} of=${feed}>${(all) => {
      const rows = filter.kind === '' ? all : all.filter((row) => row.kind === filter.kind);
      if (rows.length === 0) {
        return filter === ANY || all.length === 0 && Object.values(filter).every((value) => value === '')
          ? html`<${Empty} title="No decisions yet"><p>When an agent asks whether a trade is allowed, the answer is listed here.</p><//>`
          : html`<${Empty} title="No decision fits these filters"><p><button type="button" onClick=${() => setFilter(ANY)}>Show all</button></p><//>`;
      }
      return html`<ol class="feed">${rows.map((row) => html`<${Decision} key=${row.id} of=${row} name=${names.get(row.agentKeyId)} known=${custodians.data} />`)}</ol>
        ${all.length === LIMIT && html`<p class="muted">These are the last ${LIMIT}. Older ones are in the chain of events, under <${Link} to="/proof">Proof<//>.</p>`}`;
    }}<//>`;
}

const Filters = ({ filter, names, onChange }) => html`
  <form class="filters" role="search" aria-label="Filter decisions" onSubmit=${(event) => event.preventDefault()}>
    <${Field} id="by-key" label="Agent" value=${filter.agentKeyId} onInput=${(agentKeyId) => onChange({ agentKeyId })}>
      <option value="">All agents</option>${[...names].map(([id, name]) => html`<option value=${id}>${name}</option>`)}<//>
    <${Field} id="by-verdict" label="Verdict" value=${filter.allowed} onInput=${(allowed) => onChange({ allowed })}>
      <option value="">Any</option><option value="true">Allowed</option><option value="false">Blocked</option><//>
    <${Field} id="by-kind" label="Kind" value=${filter.kind} onInput=${(kind) => onChange({ kind })}>
      <option value="">Any</option>${Object.entries(KINDS).map(([kind, words]) => html`<option value=${kind}>${words}</option>`)}<//>
    <${Field} id="by-time" label="Since" value=${filter.since} onInput=${(since) => onChange({ since })}>
      <option value="">Any time</option><option value="hour">An hour ago</option><option value="day">A day ago</option><option value="week">A week ago</option><//>
  </form>`;

/** The labels of the user's own decisions. */
function verdict(row) {
  if (row.kind === 'attestation' && row.violations.length === 0) {
    return html`<${Badge} kind=${row.allowed ? 'good' : 'bad'}>${row.allowed ? 'Accepted' : 'Rejected'}<//>`;
  }
  return html`<${VerdictBadge} allowed=${row.allowed} />`;
}

const Decision = ({ of: row, name, known }) => html`
  <li data-seq=${row.eventSeq} data-hash=${row.eventHash}>
    <details>
      <summary>
        <span class="verdict">${verdict(row)}</span>
        <strong>${tradeWords(row.payload)}</strong>
        <span class="by-whom">${row.actor === 'user' ? 'You' : html`<${AgentBadge} name=${name ?? 'unknown'} />`} · ${KINDS[row.kind] ?? row.kind}</span>
        <${When} at=${row.checkedAt} />
      </summary>
      <div class="decision">
        <p>${row.reason}</p>
        ${row.violations.length > 0 && html`<${Violations} of=${row.violations} />`}
        ${row.rationale && html`<figure class="rationale"><figcaption>The agent said</figcaption><blockquote><${Foreign} text=${row.rationale} /></blockquote></figure>`}
        <div class="two">
          <${Facts} of=${[
            row.payload && ['Sleeve', sleeveName(row.payload.assetType)],
            row.payload && ['Amount', usd(row.payload.amountUsd)],
            row.payload && ['Expected slippage', slippage(row.payload)],
            ['Policy', row.ipsVersion === null ? 'none' : `version ${row.ipsVersion}`],
            row.serviceRequest && ['Request', html`<${Link} to=${`/requests/${row.serviceRequest.id}`}>${row.serviceRequest.id}<//> <${StatusBadge} request=${row.serviceRequest} />`],
            row.serviceRequest?.execution && ['Execution', html`<${ExecutionWords} of=${row.serviceRequest.execution} trade=${row.payload} known=${known} />`],
          ]} />
          ${row.snapshot && html`<${Facts} of=${[
            ['Portfolio before', worth(row.snapshot.totalValue)],
            ['Crypto', `${worth(row.snapshot.cryptoValue)} (${percent(row.snapshot.cryptoPct)})`],
            ['Traditional', `${worth(row.snapshot.tradfiValue)} (${percent(row.snapshot.tradfiPct)})`],
            ['Cash', `${worth(row.snapshot.cashValue)} (${percent(row.snapshot.cashPct)})`],
            ['Drawdown', percent(row.snapshot.currentDrawdownPct, 2)],
          ]} />`}
        </div>
        <${Facts} of=${[['Event', row.eventSeq], ['Hash', html`<code class="hash">${row.eventHash}</code>`]]} />
        <p><${Link} to=${`/proof?seq=${row.eventSeq}&hash=${row.eventHash}`}>Check this event in the chain<//></p>
      </div>
    </details>
  </li>`;
