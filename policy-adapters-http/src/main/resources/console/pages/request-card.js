/** One request: the information that the user needs, and the buttons to accept or reject it. */
import { html, useRef, useState } from '../lib/html.js';
import { getIfAny, post } from '../lib/api.js';
import { isLive } from '../lib/custodians.js';
import { dateTime, left, sleeveName, slippage, tradeWords, worth } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { failureOf, isUndecided, isUnderWay, outcomeWords, standing } from '../lib/orders.js';
import { projected } from '../lib/projection.js';
import { Link } from '../lib/router.js';
import { BandPicture } from '../ui/bands.js';
import { CustodianName } from '../ui/custodian.js';
import { ExecutionWords, Filled, OrderNumbers } from '../ui/execution.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { AgentBadge, Facts, Foreign, StatusBadge, When } from '../ui/text.js';
import { Violations } from '../ui/violations.js';

export function RequestCard({ request, around, onChange }) {
  const isWaiting = isUndecided(request);
  const known = around?.custodians;
  const title = `request-${request.id}`;
  return html`
    <article class=${`card request ${request.status}`} aria-labelledby=${title} data-request=${request.id}>
      <header>
        <${AgentBadge} name=${request.agentName} />
        <${StatusBadge} request=${request} />
        <span class="expiry">${isWaiting
          ? html`<time datetime=${request.expiresAt} title=${dateTime(request.expiresAt)}>${left(request.expiresAt)}</time>`
          : request.resolvedAt && html`<${When} at=${request.resolvedAt} />`}</span>
      </header>
      <h2 id=${title} tabindex="-1">${tradeWords(request.trade)}</h2>
      ${request.warning && html`<div class="notice bad" role="note"><p><strong>Nobody knows this asset.</strong> That ${request.trade.assetSymbol} is ${sleeveName(request.trade.assetType).toLowerCase()} is only what the agent says. Look it up before you accept.</p></div>`}
      <${Rationale} text=${request.rationale} />
      <${Effect} request=${request} around=${around} />
      ${isWaiting ? html`<${Decide} request=${request} known=${known} onChange=${onChange} />`
        : isUnderWay(request) ? html`<${UnderWay} request=${request} known=${known} onChange=${onChange} />`
          : html`<${Outcome} request=${request} known=${known} />`}
    </article>`;
}

const Rationale = ({ text }) => (text
  ? html`<figure class="rationale"><figcaption>The agent says</figcaption><blockquote><${Foreign} text=${text} /></blockquote></figure>`
  : html`<p class="muted">The agent gave no reason.</p>`);

/**
 * The portfolio before and after the trade: the current one, if it is known, until the user decides, and that of the
 * decision otherwise. The current one already has what is ordered.
 */
function Effect({ request, around }) {
  const isPending = isUndecided(request);
  const now = isPending ? around?.portfolio.snapshot : null;
  const before = now ?? request.decision.snapshot;
  const inForce = around?.ips;
  const isCurrent = inForce?.ipsVersion === request.ipsVersion;
  const then = useLoad(async () => (isPending || request.ipsVersion === null ? null : getIfAny(`/ips/versions/${request.ipsVersion}`)), [request.id, isPending]);
  const ips = isPending ? inForce : then.data;
  const { trade } = request;
  return html`
    <${BandPicture} ips=${ips ?? undefined} before=${before} after=${projected(before, trade)}
      caption=${now ? 'Your allocation now and after' : 'The allocation when it was proposed, and after'} />
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

const backToTitle = (request) => document.getElementById(`request-${request.id}`)?.focus();

function Decide({ request, known, onChange }) {
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
      announce(`${tradeWords(request.trade)}: ${outcomeWords(settled)}`);
    } catch (error) {
      if (error.code === 'policy_blocked') setAnswer(error);
      else if (error.code !== 'already_resolved') throw error;
      announce(error.message);
    }
    await onChange();
    backToTitle(request);
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
  const live = [...known?.values() ?? []].filter(isLive);
  return html`
    ${failureOf(request) && html`<div class="notice bad" role="alert"><p><strong>Accepted, but not executed.</strong> <${Foreign} text=${failureOf(request)} /></p>
      <p>Look at your <${Link} to="/portfolio">holdings<//>, then accept again or reject.</p></div>`}
    ${answer && html`<div class="notice bad" role="alert"><p><strong>Not accepted: the policy does not allow this trade now.</strong></p>
      <${Violations} of=${answer.violations} /><p>${answer.advice}</p></div>`}
    <${ErrorBox} error=${accepting.error ?? rejecting.error} />
    ${live.map(({ id }) => html`<p key=${id}>If you accept, it may be ordered at <${CustodianName} id=${id} known=${known} /></p>`)}
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

/** An order that is not over: where it stands, and how to take it back. */
function UnderWay({ request, known, onChange }) {
  const { execution } = request;
  const cancelling = useAction();
  const cancel = () => cancelling.run(async () => {
    try {
      const after = await post(`/requests/${request.id}/cancel`, {});
      announce(`${tradeWords(request.trade)}: ${outcomeWords(after)}`);
    } catch (error) {
      if (error.code !== 'already_resolved') throw error;
      announce(error.message);
    }
    await onChange();
    backToTitle(request);
  });
  return html`
    <div class="notice" data-order=${execution.state}>
      <p><strong>${standing(execution)}.</strong> <${ExecutionWords} of=${execution} trade=${request.trade} known=${known} /></p>
      ${execution.state === 'sent' && html`<p>The custodian has not confirmed the order. The service asks again by itself; it is never ordered twice.</p>`}
      <${Filled} of=${execution} />
      ${execution.cancelRequested && html`<p>You asked to cancel the order. It is over once the custodian says so; what is filled until then stays.</p>`}
      <${OrderNumbers} of=${execution} />
    </div>
    <${ErrorBox} error=${cancelling.error} />
    ${!execution.cancelRequested && html`
      <div class="actions">
        <${Button} isBusy=${cancelling.isBusy} busy="Cancelling…" onClick=${cancel}>Cancel the order<span class="quiet">: ${tradeWords(request.trade)}</span><//>
        <span class="hint">What is filled by then stays.</span>
      </div>`}`;
}

/** What the service gives as a reason, in words. */
const REASONS = {
  expired: ['Expired.', 'It was not decided in time, so it was rejected.'],
  canceled: ['Cancelled.', 'You cancelled the order before anything was filled.'],
  key_revoked: ['Rejected.', 'The key of the agent was revoked.'],
};

function Outcome({ request: { status, execution, reason, trade }, known }) {
  if (status === 'completed') {
    return html`<div class="notice good"><p><strong>${execution.status === 'partially_filled' ? 'Partly done.' : 'Completed.'}</strong>
      ${' '}<${ExecutionWords} of=${execution} trade=${trade} known=${known} /></p><${OrderNumbers} of=${execution} /></div>`;
  }
  if (REASONS[reason]) return html`<div class="notice"><p><strong>${REASONS[reason][0]}</strong> ${REASONS[reason][1]}</p></div>`;
  return html`<div class="notice bad"><p><strong>Rejected.</strong> ${reason ? html`<${Foreign} text=${reason} />` : 'No reason was given.'}</p></div>`;
}
