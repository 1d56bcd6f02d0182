/** What was ordered for an accepted request, and what was done. */
import { html } from '../lib/html.js';
import { number, usd, worth } from '../lib/format.js';
import { filledShare, restWords, slippageWords, standing } from '../lib/orders.js';
import { CustodianName } from './custodian.js';
import { Foreign, When } from './text.js';

/** An execution in a sentence. */
export function ExecutionWords({ of: execution, trade, known }) {
  if (execution.status === 'failed') return html`Not executed: <${Foreign} text=${execution.error} />`;
  const at = html`at <${CustodianName} id=${execution.custodian} known=${known} />`;
  if (execution.status === 'in_progress') {
    return html`${filledShare(execution) === 0 ? `Ordered for ${usd(execution.orderedUsd)}, nothing filled yet,`
      : `${worth(execution.amountUsd)} of ${usd(execution.orderedUsd)} filled, at ${worth(execution.price)} a unit,`} ${at}.`;
  }
  const isPart = execution.status === 'partially_filled';
  return html`${trade.action === 'buy' ? 'Bought' : 'Sold'} ${number(execution.quantity)} ${trade.assetSymbol} at ${usd(execution.price)} for
    ${' '}${isPart ? `${worth(execution.amountUsd)} of ${usd(execution.orderedUsd)}` : worth(execution.amountUsd)}, ${at}${isPart ? `; ${restWords(execution)}` : ''}.`;
}

/** The price an order is bound by, and how far from the reference it was filled. */
export function PriceWords({ of: { referencePrice, referenceAt, limitPrice, price }, trade: { action } }) {
  if (limitPrice === undefined) return null;
  const slippage = price ? ((price - referencePrice) / referencePrice) * (action === 'buy' ? 100 : -100) : null;
  return html`<p data-price-bound>Reference ${usd(referencePrice)} (<${When} at=${referenceAt} />), ${action === 'buy' ? 'at most' : 'at least'} ${usd(limitPrice)} a unit${slippage === null ? '' : `; filled ${slippageWords(slippage)}`}.</p>`;
}

/** How much of an order is filled, as a bar with its words. */
export const Filled = ({ of: execution }) => html`
  <div class="progress"><progress max="1" value=${filledShare(execution)} aria-label="Filled">${standing(execution)}</progress></div>`;

/** The numbers by which the order is known here and at the custodian. */
export const OrderNumbers = ({ of: { clientOrderId, externalId } }) => clientOrderId && html`
  <details class="order-numbers"><summary>Order details</summary>
    <p>Ours: <code class="hash">${clientOrderId}</code></p>
    ${externalId && html`<p>The custodian's: <code class="hash">${externalId}</code></p>`}</details>`;
