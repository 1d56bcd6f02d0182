/** One request: the information that the user needs, and the buttons to accept or reject it. */
import { html, useRef, useState } from '../lib/html.js';
import { getIfAny, post } from '../lib/api.js';
import { dateTime, left, number, percent, sleeveName, slippage, tradeWords, usd, worth } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { projected } from '../lib/projection.js';
import { Link } from '../lib/router.js';
import { BandPicture } from '../ui/bands.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { AgentBadge, Facts, Foreign, StatusBadge, When } from '../ui/text.js';
import { Violations } from '../ui/violations.js';

export function RequestCard({ request, around, onChange }) {
  const isPending = request.status === 'pending';
  const title = `request-${request.id}`;
  return html`
    <article class=${`card request ${request.status}`} aria-labelledby=${title} data-request=${request.id}>
      <header>
        <${AgentBadge} name=${request.agentName} />
        <${StatusBadge} request=${request} />
        <span class="expiry">${isPending
          ? html`<time datetime=${request.expiresAt} title=${dateTime(request.expiresAt)}>${left(request.expiresAt)}</time>`
          : html`<${When} at=${request.resolvedAt} />`}</span>
      </header>
      <h2 id=${title} tabindex="-1">${tradeWords(request.trade)}</h2>
      ${request.warning && html`<div class="notice bad" role="note"><p><strong>Nobody knows this asset.</strong> That ${request.trade.assetSymbol} is ${sleeveName(request.trade.assetType).toLowerCase()} is only what the agent says. Look it up before you accept.</p></div>`}
      <${Rationale} text=${request.rationale} />
      <${Effect} request=${request} around=${around} />
      ${isPending ? html`<${Decide} request=${request} onChange=${onChange} />` : html`<${Outcome} request=${request} />`}
    </article>`;
}

const Rationale = ({ text }) => (text
  ? html`<figure class="rationale"><figcaption>The agent says</figcaption><blockquote><${Foreign} text=${text} /></blockquote></figure>`
  : html`<p class="muted">The agent gave no reason.</p>`);

/** The portfolio before and after the trade: the current one while it is pending, later that of the decision. */
function Effect({ request, around }) {
  const isPending = request.status === 'pending';
  const before = isPending ? around?.portfolio.snapshot ?? request.decision.snapshot : request.decision.snapshot;
  const inForce = around?.ips;
  const isCurrent = inForce?.ipsVersion === request.ipsVersion;
  const then = useLoad(async () => (isPending || request.ipsVersion === null ? null : getIfAny(`/ips/versions/${request.ipsVersion}`)), [request.id, isPending]);
  const ips = isPending ? inForce : then.data;
  const { trade } = request;
  return html`
    <${BandPicture} ips=${ips ?? undefined} before=${before} after=${projected(before, trade)}
      caption=${isPending ? 'Your allocation now and after' : 'The allocation when it was proposed, and after'} />
    <${Facts} of=${[
      ['Sleeve', sleeveName(trade.assetType)],
      ['Expected slippage', slippage(trade, ips?.maxSlippage)],
      ['Portfolio', worth(before?.totalValue)],
      ['Policy', html`<${Link} to="/policy">version ${request.ipsVersion}<//>${isPending && inForce && !isCurrent
        ? html` (proposed under it; version ${inForce.ipsVersion} is in force and will be asked)` : ''}`],
      ['Proposed', html`<${When} at=${request.createdAt} />`],
      ['Expires', isPending && html`<${When} at=${request.expiresAt} />`],
    ].filter(([, value]) => value)} />`;
}

/** Why the last acceptance of a request failed, or null. */
const failureOf = ({ execution }) => (execution?.status === 'failed' ? execution.error : null);

function Decide({ request, onChange }) {
  const [isRejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState('');
  const [answer, setAnswer] = useState(null);
  const accepting = useAction();
  const rejecting = useAction();
  const rejectButton = useRef(null);
  const isBusy = accepting.isBusy || rejecting.isBusy;
  const settle = async (path, body) => {
    setAnswer(null);
    try {
      const settled = await post(`/requests/${request.id}/${path}`, body);
      announce(`${tradeWords(request.trade)}: ${settled.status}${failureOf(settled) ? `, not executed. ${failureOf(settled)}` : ''}`);
    } catch (error) {
      if (error.code === 'policy_blocked') setAnswer(error);
      else if (error.code !== 'already_resolved') throw error;
      announce(error.message);
    }
    await onChange();
    document.getElementById(`request-${request.id}`)?.focus();
  };
  const askWhy = () => {
    setRejecting(true);
    setTimeout(() => document.getElementById(`reason-${request.id}`)?.focus());
  };
  const cancel = () => {
    setRejecting(false);
    setTimeout(() => rejectButton.current?.focus());
  };
  const reject = (event) => {
    event.preventDefault();
    rejecting.run(() => settle('reject', reason.trim() === '' ? {} : { reason: reason.trim() }));
  };
  if (request.execution?.status === 'in_progress') {
    return html`<div class="notice"><p><strong>Accepted.</strong> It is being executed at ${request.execution.custodian}.</p></div>`;
  }
  return html`
    ${failureOf(request) && html`<div class="notice bad" role="alert"><p><strong>Accepted, but not executed.</strong> <${Foreign} text=${failureOf(request)} /></p>
      <p>Look at your holdings, then accept again or reject.</p></div>`}
    ${answer && html`<div class="notice bad" role="alert"><p><strong>Not accepted: the policy does not allow this trade now.</strong></p>
      <${Violations} of=${answer.violations} /><p>${answer.advice}</p></div>`}
    <${ErrorBox} error=${accepting.error ?? rejecting.error} />
    ${isRejecting ? html`
      <form class="reject" onSubmit=${reject}>
        <${Field} id=${`reason-${request.id}`} label="Why not? (optional)" hint="The agent reads this." rows="2" maxlength="500"
          value=${reason} onInput=${(text) => setReason(text.replace(/[\u0000-\u001f\u007f]+/g, ' '))} />
        <div class="actions">
          <${Button} type="submit" class="danger" isBusy=${isBusy} busy="Rejecting…">Reject this request<//>
          <button type="button" onClick=${cancel}>Back</button>
        </div>
      </form>` : html`
      <div class="actions">
        <${Button} class="primary big" isBusy=${isBusy} busy="Executing…" onClick=${() => accepting.run(() => settle('accept'))}>
          Accept<span class="quiet">: ${tradeWords(request.trade)}</span><//>
        <button type="button" class="big" ref=${rejectButton} onClick=${askWhy}>
          Reject<span class="quiet">: ${tradeWords(request.trade)}</span></button>
      </div>`}`;
}

function Outcome({ request: { status, execution, reason, trade } }) {
  if (status === 'completed') {
    return html`<div class="notice good"><p><strong>Completed.</strong> ${trade.action === 'buy' ? 'Bought' : 'Sold'}
      ${' '}${number(execution.quantity)} ${trade.assetSymbol} at ${usd(execution.price)} for ${usd(execution.amountUsd)}, at ${execution.custodian}.</p></div>`;
  }
  if (reason === 'expired') return html`<div class="notice"><p><strong>Expired.</strong> It was not decided in time, so it was rejected.</p></div>`;
  return html`<div class="notice bad"><p><strong>Rejected.</strong> ${reason ? html`<${Foreign} text=${reason} />` : 'No reason was given.'}</p></div>`;
}
