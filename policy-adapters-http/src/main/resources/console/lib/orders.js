/** What became of an accepted request, in words. */
import { worth } from './format.js';

/** Whether the user accepted a request whose order is not over. */
export const isUnderWay = ({ status, execution }) => status === 'pending' && execution?.status === 'in_progress';

/** Whether a request waits for the user. */
export const isUndecided = (request) => request.status === 'pending' && !isUnderWay(request);

/** Why the last acceptance of a request failed, or null. */
export const failureOf = ({ execution }) => (execution?.status === 'failed' ? execution.error : null);

/** The part of an order that is filled, from 0 to 1: of its units, or of its amount where no units are ordered. */
export function filledShare({ quantity, orderedQuantity, amountUsd, orderedUsd }) {
  if (orderedQuantity) return Math.min(1, (quantity ?? 0) / orderedQuantity);
  return orderedUsd > 0 ? Math.min(1, (amountUsd ?? 0) / orderedUsd) : 0;
}

/** "0.25% worse than the reference", of a slippage in percent. */
export function slippageWords(percent) {
  const size = Number(Math.abs(percent).toFixed(4));
  return size === 0 ? 'at the reference' : `${size}% ${percent > 0 ? 'worse' : 'better'} than the reference`;
}

/** Where an order stands that is under way: "Filled 40%". */
export function standing(execution) {
  const share = filledShare(execution);
  if (share > 0) return share < 0.01 ? 'Filled less than 1%' : `Filled ${share < 1 ? Math.min(99, Math.round(share * 100)) : 100}%`;
  return execution.state === 'sent' ? 'Sent' : 'Waiting for the market';
}

/** Why an order that ended with a part was not filled further. */
export function restWords({ state, cancelRequested }) {
  if (state === 'cancelled') return cancelRequested ? 'the rest was cancelled, as you asked' : 'the custodian cancelled the rest';
  return state === 'expired' ? 'the rest expired' : state === 'rejected' ? 'the custodian rejected the rest' : 'the rest was not filled';
}

/** What a request has come to, to be announced. */
export function outcomeWords(request) {
  const { status, reason, execution } = request;
  if (isUnderWay(request)) return execution.cancelRequested ? `${standing(execution)}, cancelling` : standing(execution);
  if (failureOf(request)) return `not executed. ${failureOf(request)}`;
  if (reason === 'canceled') return 'cancelled';
  if (reason === 'closed') return 'closed';
  return execution?.status === 'partially_filled' ? `partly done, for ${worth(execution.amountUsd)}` : status;
}
