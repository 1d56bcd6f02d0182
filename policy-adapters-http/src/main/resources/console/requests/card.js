/** One request: a line in the list, and opened, all that a decision needs: verdict, facts, effect, and last the agent's words. */
import { html } from '../lib/html.js';
import { get } from '../lib/api.js';
import { assetClass, tradeWords } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { isUndecided, isUnderWay } from '../lib/orders.js';
import { useChanges } from '../lib/stream.js';
import { isViewing } from '../lib/viewing.js';
import { LimitUse } from '../ui/limit-use.js';
import { LoggedDetails } from '../ui/logged.js';
import { ErrorBox } from '../ui/states.js';
import { AgentBadge, Foreign, KeyMark, StatusBadge } from '../ui/text.js';
import { Decide } from './decide.js';
import { Effect, KeyFacts, PasskeyDemand, PriceBound } from './facts.js';
import { Expiry } from './row.js';
import { Outcome, UnderWay } from './under-way.js';
import { AllPending, Verdict } from './verdict.js';

/**
 * A request that is opened.
 *
 * @param isNext whether it opened by itself
 * @param onDecided is told of what becomes of it here, before `onChange`
 */
export function RequestCard({ request, around, isNext, onDecided, onChange }) {
  const known = around?.custodians;
  const title = `request-${request.id}`;
  const key = around?.keys.find(({ agentKeyId }) => agentKeyId === request.agentKeyId);
  return html`
    <article class=${`card request ${request.status}${isUndecided(request) ? ' waiting' : ''}`} aria-labelledby=${title} data-request=${request.id}>
      <header>
        <${AgentBadge} name=${request.agentName} />${key && html`<${KeyMark} of=${key} />`}
        <${StatusBadge} request=${request} />
        <${Expiry} request=${request} />
      </header>
      <h2 id=${title} tabindex="-1">${tradeWords(request.trade)}</h2>
      ${isUndecided(request) ? html`<${Waiting} request=${request} around=${around} isNext=${isNext} onDecided=${onDecided} onChange=${onChange} />` : html`
        ${isUnderWay(request) ? html`<${UnderWay} request=${request} known=${known} onChange=${onChange} />`
          : html`<${Outcome} request=${request} known=${known} />`}
        <${Effect} request=${request} around=${around} />
        <${AgentsWords} text=${request.rationale} />`}
      <${LoggedDetails} seq=${request.eventSeq} />
    </article>`;
}

/** A request that waits, with its verdict of this moment. */
function Waiting({ request, around, isNext, onDecided, onChange }) {
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
    <${PasskeyDemand} amountUsd=${request.trade.amountUsd} />
    ${!isViewing() && html`<${Decide} request=${request} now=${now} ips=${around?.ips} isNext=${isNext} onDecided=${onDecided} onChange=${changed} />`}`;
}

/** What the agent wrote, after the facts and never larger than they are. Its line breaks are kept as U+2028; several are one. */
const AgentsWords = ({ text }) => (text
  ? html`<figure class="rationale"><figcaption>The agent says (nobody checked this)</figcaption><blockquote>${text.split(/\u2028+/).map((line) => html`<${Foreign} text=${line} />`)}</blockquote></figure>`
  : html`<p class="muted">The agent gave no reason.</p>`);
