/** Reconciliation: what was accepted against what custodians did. */
import { html } from '../lib/html.js';
import { get, query } from '../lib/api.js';
import { custodiansById } from '../lib/custodians.js';
import { number, plural, tradeWords, usd, worth } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { slippageWords } from '../lib/orders.js';
import { Link, useKept } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { CustodianName } from '../ui/custodian.js';
import { Button } from '../ui/field.js';
import { Empty, Loaded } from '../ui/states.js';
import { AgentBadge, Badge, PageHead, When } from '../ui/text.js';

const LIMIT = 25;
/** The service lists no more unattested fills than this. */
const MAX_UNATTESTED = 200;

/** The first pages of the comparison as one. */
async function load(pages) {
  const known = await custodiansById();
  const requests = [];
  let unattested = [];
  let cursor = null;
  for (let page = 0; page < pages; page++) {
    const answer = await get(query('/reconciliation', { limit: LIMIT, cursor }));
    if (page === 0) unattested = answer.unattested;
    requests.push(...answer.requests);
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return { known, requests, unattested, hasMore: Boolean(cursor) };
}

export function Reconciliation() {
  const [pages, setPages] = useKept('pages', 1);
  const loaded = useLoad(() => load(pages), [pages]);
  useChanges(['requests', 'portfolio'], loaded.reload);
  return html`
    <${PageHead} title="Reconciliation"><p class="lead">What you accepted, what was ordered for it, and what was done.</p><//>
    <${Loaded} of=${loaded}>${({ known, requests, unattested, hasMore }) => html`
      <${Unattested} fills=${unattested} known=${known} hasRequests=${requests.length > 0} />
      <section><h2>What you accepted</h2>
        ${requests.length === 0 ? html`<${Empty} title="Nothing was accepted yet"><p>Each request that you accept is compared here with what its custodian did.</p><//>`
          : html`<${Requests} of=${requests} known=${known} />`}
        ${hasMore && html`<p><${Button} isBusy=${loaded.isLoading} busy="Loading…" onClick=${() => setPages(pages + 1)}>Older requests<//></p>`}
      </section>`}<//>`;
}

/** Fills that no request explains: trades of the user, or of somebody else. */
function Unattested({ fills, known, hasRequests }) {
  if (fills.length === 0) {
    return hasRequests && html`<div class="notice good"><p><strong>Nothing was done that you did not accept.</strong> Every trade at your custodians belongs to a request.</p></div>`;
  }
  return html`
    <section class="card unattested" data-unattested=${fills.length}><h2>Trades you did not approve</h2>
      <p>No request explains ${fills.length === 1 ? 'this trade' : `these ${plural(fills.length, 'trade')}`}. If you did not make ${fills.length === 1 ? 'it' : 'them'} yourself, look at your custodian and change its keys.
        ${fills.length >= MAX_UNATTESTED ? ' Older ones are in the chain of events.' : ''}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Trades you did not approve"><table class="stacked">
        <thead><tr><th scope="col">Trade</th><th scope="col">Custodian</th><th scope="col" class="num">Quantity</th><th scope="col" class="num">Price</th><th scope="col" class="num">Amount</th><th scope="col">When</th></tr></thead>
        <tbody>${fills.map((fill) => html`<tr key=${`${fill.custodian} ${fill.externalId}`}>
          <th scope="row"><${Badge} kind="bad">${fill.action === 'buy' ? 'Bought' : 'Sold'}<//> ${fill.symbol}</th>
          <td data-name="Custodian"><${CustodianName} id=${fill.custodian} known=${known} /></td>
          <td class="num" data-name="Quantity">${number(fill.quantity)}</td><td class="num" data-name="Price">${usd(fill.price)}</td><td class="num" data-name="Amount">${worth(fill.amountUsd)}</td>
          <td data-name="When"><${When} at=${fill.executedAt} /></td></tr>`)}</tbody></table></div>
    </section>`;
}

const STATES = {
  sent: ['wait', 'Sent'], open: ['wait', 'Waiting'], partially_filled: ['wait', 'Filling'],
  filled: ['good', 'Filled'], cancelled: ['', 'Cancelled'], rejected: ['bad', 'Rejected'], expired: ['', 'Expired'],
};
const IS_OPEN = ['sent', 'open', 'partially_filled'];

function State({ of: { state, status } }) {
  const [kind, words] = STATES[state] ?? (status === 'pending' ? ['bad', 'Not executed'] : ['', 'Cancelled']);
  return html`<${Badge} kind=${kind}>${words}<//>`;
}

/** How far what was done is from what was allowed. Amounts are cut to cents on the way, which is no deviation worth a word. */
function Deviation({ of: { deviationUsd, filledUsd, state } }) {
  const size = Math.abs(deviationUsd);
  if (deviationUsd > 0 && size >= 0.01) return html`<strong class="bad-text">${worth(size)} more</strong>`;
  if (IS_OPEN.includes(state)) return html`<span class="muted">${worth(size)} to go</span>`;
  if (size === 0) return 'none';
  if (size < 0.01) return 'under a cent';
  return Number(filledUsd) === 0 ? html`<span class="muted">nothing done</span>` : `${worth(size)} less`;
}

const Requests = ({ of: requests, known }) => html`
  <div class="scroll" tabindex="0" role="region" aria-label="Accepted requests"><table class="stacked">
    <thead><tr><th scope="col">Request</th><th scope="col">Custodian</th><th scope="col">Order</th><th scope="col" class="num">Allowed</th><th scope="col" class="num">Ordered</th><th scope="col" class="num">Filled</th><th scope="col" class="num">Deviation</th></tr></thead>
    <tbody>${requests.map((request) => html`<tr key=${request.serviceRequestId} data-request=${request.serviceRequestId}>
      <th scope="row"><${Link} to=${`/requests/${request.serviceRequestId}`}>${tradeWords(request.trade)}<//><br /><${AgentBadge} name=${request.agentName} /></th>
      <td data-name="Custodian">${request.custodian ? html`<${CustodianName} id=${request.custodian} known=${known} />` : '–'}</td>
      <td data-name="Order"><${State} of=${request} /></td>
      <td class="num" data-name="Allowed">${usd(request.allowedUsd)}</td><td class="num" data-name="Ordered">${usd(request.orderedUsd)}</td>
      <td class="num" data-name="Filled">${worth(request.filledUsd)}<${Fills} of=${request} /></td>
      <td class="num" data-name="Deviation"><${Deviation} of=${request} /></td></tr>`)}</tbody></table></div>`;

const Fills = ({ of: { fills, trade, referencePrice, limitPrice } }) => fills.length > 0 && html`
  <details><summary>${plural(fills.length, 'fill')}</summary>
    <ul class="fills">${fills.map((fill) => html`<li key=${fill.externalId}>${number(fill.quantity)} at ${usd(fill.price)}${fill.slippagePct === undefined ? '' : html`,<br />${slippageWords(fill.slippagePct)}`}<br /><${When} at=${fill.executedAt} /></li>`)}
      ${limitPrice !== undefined && html`<li>Reference ${usd(referencePrice)},<br />${trade.action === 'buy' ? 'at most' : 'at least'} ${usd(limitPrice)}</li>`}</ul></details>`;
