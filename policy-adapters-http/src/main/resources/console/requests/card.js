/** One request: a line in the list, and opened, all that a decision needs: verdict, facts, effect, and last the agent's words. */
import { html } from '../lib/html.js';
import { get } from '../lib/api.js';
import { assetClass, dateTime, left, tradeWords } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { isUndecided, isUnderWay } from '../lib/orders.js';
import { useChanges } from '../lib/stream.js';
import { isViewing } from '../lib/viewing.js';
import { LimitUse } from '../ui/limit-use.js';
import { LoggedDetails } from '../ui/logged.js';
import { ErrorBox } from '../ui/states.js';
import { AgentBadge, Foreign, StatusBadge, When } from '../ui/text.js';
import { Decide } from './decide.js';
import { Effect, KeyFacts, PriceBound } from './facts.js';
import { Outcome, UnderWay } from './under-way.js';
import { AllPending, Verdict } from './verdict.js';

const Expiry = ({ request }) => html`
  <span class="expiry">${isUndecided(request)
    ? html`<time datetime=${request.expiresAt} title=${dateTime(request.expiresAt)}>${left(request.expiresAt)}</time>`
    : request.resolvedAt && html`<${When} at=${request.resolvedAt} />`}</span>`;

/** A request that is not opened, in a line. */
export function RequestLine({ request, onOpen }) {
  return html`
    <article class=${`card request line ${request.status}`} data-request=${request.id}>
      <button type="button" class="open" aria-expanded="false" onClick=${onOpen}>
        <strong>${tradeWords(request.trade)}</strong>
        <span class="by"><${AgentBadge} name=${request.agentName} /></span>
        <${StatusBadge} request=${request} />
        <${Expiry} request=${request} />
      </button>
    </article>`;
}

/** A request that is opened. */
export function RequestCard({ request, around, onChange }) {
  const known = around?.custodians;
  const title = `request-${request.id}`;
  return html`
    <article class=${`card request ${request.status}${isUndecided(request) ? ' waiting' : ''}`} aria-labelledby=${title} data-request=${request.id}>
      <header>
        <${AgentBadge} name=${request.agentName} />
        <${StatusBadge} request=${request} />
        <${Expiry} request=${request} />
      </header>
      <h2 id=${title} tabindex="-1">${tradeWords(request.trade)}</h2>
      ${isUndecided(request) ? html`<${Waiting} request=${request} around=${around} onChange=${onChange} />` : html`
        ${isUnderWay(request) ? html`<${UnderWay} request=${request} known=${known} onChange=${onChange} />`
          : html`<${Outcome} request=${request} known=${known} />`}
        <${Effect} request=${request} around=${around} />
        <${AgentsWords} text=${request.rationale} />`}
      <${LoggedDetails} seq=${request.eventSeq} />
    </article>`;
}

/** A request that waits, with its verdict of this moment. */
function Waiting({ request, around, onChange }) {
  const review = useLoad(() => get(`/requests/${request.id}`), [request.id]);
  useChanges(['requests', 'portfolio', 'policy', 'keys'], review.reload);
  const now = review.data?.now;
  const changed = async () => {
    await onChange();
    await review.reload();
  };
  return html`
    <div class="review">
    <${Verdict} now=${now} ips=${around?.ips} />
    ${request.warning && html`<div class="notice bad" role="note"><p><strong>Unknown asset.</strong> That ${request.trade.assetSymbol} is ${assetClass(request.trade.assetType).toLowerCase()} is only what the agent says. Look it up before you accept.</p></div>`}
    <${ErrorBox} error=${review.error} retry=${review.reload} />
    <${KeyFacts} request=${request} now=${now} around=${around} />
    ${around?.waiting?.length > 1 && html`<${AllPending} request=${request} now=${now} waiting=${around.waiting} ips=${around.ips} />`}
    </div>
    <${Effect} request=${request} around=${around} />
    ${now?.policyLimits.length > 0 && html`<section aria-label="Limits of this trade"><h3>How much of your limits is used</h3><${LimitUse} of=${now.policyLimits} /></section>`}
    <${AgentsWords} text=${request.rationale} />
    <${PriceBound} request=${request} now=${now} around=${around} />
    ${!isViewing() && html`<${Decide} request=${request} now=${now} ips=${around?.ips} onChange=${changed} />`}`;
}

/** What the agent wrote, after the facts and never larger than they are. */
const AgentsWords = ({ text }) => (text
  ? html`<figure class="rationale"><figcaption>The agent says (nobody checked this)</figcaption><blockquote><${Foreign} text=${text} /></blockquote></figure>`
  : html`<p class="muted">The agent gave no reason.</p>`);
