/** A request after its decision: an order under way, or what became of it. */
import { html } from '../lib/html.js';
import { post } from '../lib/api.js';
import { tradeWords } from '../lib/format.js';
import { useAction } from '../lib/load.js';
import { outcomeWords, standing } from '../lib/orders.js';
import { isViewing } from '../lib/viewing.js';
import { ExecutionWords, Filled, OrderNumbers, PriceWords } from '../ui/execution.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { Foreign } from '../ui/text.js';

/** An order that is not over: where it stands, and how to take it back. */
export function UnderWay({ request, known, onChange }) {
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
  });
  const closing = useAction();
  const close = () => closing.run(async () => {
    const after = await post(`/requests/${request.id}/close`, {});
    announce(`${tradeWords(request.trade)}: ${outcomeWords(after)}`);
    await onChange();
  });
  return html`
    <div class="notice" data-order=${execution.state}>
      <p><strong>${standing(execution)}.</strong> <${ExecutionWords} of=${execution} trade=${request.trade} known=${known} /></p>
      <${PriceWords} of=${execution} trade=${request.trade} />
      ${execution.state === 'sent' && html`<p>The custodian has not confirmed the order. The service asks again by itself; it is never ordered twice.</p>`}
      ${execution.warning && html`<p><${Foreign} text=${execution.warning} /> It is cancelled if it is open.</p>`}
      <${Filled} of=${execution} />
      ${execution.cancelRequested && html`<p>You asked to cancel the order. It is over once the custodian says so; what is filled until then stays.</p>`}
      <${OrderNumbers} of=${execution} />
    </div>
    <${ErrorBox} error=${cancelling.error ?? closing.error} />
    ${(execution.cancelRequested || execution.warning) && !isViewing() && html`
      <div class="actions">
        <${Button} isBusy=${closing.isBusy} busy="Closing…" onClick=${close}>Close the request<span class="quiet">: ${tradeWords(request.trade)}</span><//>
        <span class="hint">Ends it if the custodian says that its order is over.</span>
      </div>`}
    ${!execution.cancelRequested && !isViewing() && html`
      <div class="actions">
        <${Button} isBusy=${cancelling.isBusy} busy="Cancelling…" onClick=${cancel}>Cancel the order<span class="quiet">: ${tradeWords(request.trade)}</span><//>
        <span class="hint">What is filled by then stays.</span>
      </div>`}`;
}

/** What the service gives as a reason, in words. */
const REASONS = {
  expired: ['Expired.', 'It was not decided in time, so it was rejected.'],
  canceled: ['Cancelled.', 'You cancelled the order before anything was filled.'],
  closed: ['Closed.', 'You closed it when its order was over with nothing filled.'],
  paused: ['Rejected.', 'You paused all agents and rejected what waited.'],
  key_revoked: ['Rejected.', 'The key of the agent was revoked.'],
};

export function Outcome({ request: { status, execution, reason, trade }, known }) {
  if (status === 'completed') {
    return html`<div class="notice good"><p><strong>${execution.status === 'partially_filled' ? 'Partly done.' : 'Completed.'}</strong>
      ${' '}<${ExecutionWords} of=${execution} trade=${trade} known=${known} /></p><${PriceWords} of=${execution} trade=${trade} /><${OrderNumbers} of=${execution} /></div>`;
  }
  if (REASONS[reason]) return html`<div class="notice"><p><strong>${REASONS[reason][0]}</strong> ${REASONS[reason][1]}</p></div>`;
  return html`<div class="notice bad"><p><strong>Rejected.</strong> ${reason ? html`<${Foreign} text=${reason} />` : 'No reason was given.'}</p></div>`;
}
