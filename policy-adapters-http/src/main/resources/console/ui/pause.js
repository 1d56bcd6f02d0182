/** Stops all agents on every page, or lets them only sell, and says so while it is so. */
import { html, useEffect, useState } from '../lib/html.js';
import { get, getIfAny, post, put, query, remove } from '../lib/api.js';
import { plural } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { useChanges } from '../lib/stream.js';
import { isViewing } from '../lib/viewing.js';
import { Confirm } from './dialog.js';
import { Button, Choices } from './field.js';
import { announce } from './live.js';
import { ErrorBox } from './states.js';
import { When } from './text.js';

/** Has every page read again which policy waits. */
export const tellScheduled = () => dispatchEvent(new Event('policyscheduled'));

/** Whether agents are paused: `isPaused` is null without a policy, when no agent can do anything anyway. */
export function usePause() {
  const policy = useLoad(() => getIfAny('/ips'));
  const changing = useAction();
  /** What the last press came to, until the policy is read again. */
  const [pressed, setPressed] = useState(null);
  useChanges(['policy'], policy.reload);
  useEffect(() => {
    addEventListener('policyscheduled', policy.reload);
    return () => removeEventListener('policyscheduled', policy.reload);
  }, [policy.reload]);
  const change = (work) => changing.run(async () => {
    const [words, paused] = await work();
    setPressed(paused);
    announce(words);
    await policy.reload();
    setPressed(null);
    return true;
  });
  const actions = policy.data?.allowedActions ?? [];
  return {
    isPaused: pressed ?? (policy.data ? Boolean(policy.data.paused) : null),
    mayBuy: actions.includes('buy'),
    maySell: actions.includes('sell'),
    scheduled: policy.data?.scheduled ?? null,
    isBusy: changing.isBusy,
    error: changing.error,
    cancelScheduled: () => changing.run(async () => {
      await remove('/ips/scheduled');
      announce('The policy that waited is cancelled.');
      await policy.reload();
    }),
    pause: (ends) => change(async () => {
      const { ordersTakenBack: orders, requestsRejected: requests } = await post('/pause', ends);
      const ended = [orders > 0 && `${plural(orders, 'order')} taken back`, requests > 0 && `${plural(requests, 'request')} rejected`].filter(Boolean);
      return [`All agents are paused.${ended.length > 0 ? ` ${ended.join(', ')}.` : ''}`, true];
    }),
    resume: () => change(async () => {
      await post('/resume', {});
      return ['Agents may trade again, within your policy.', false];
    }),
    allow: (allowedActions) => change(async () => {
      const { ipsVersion, ...document } = await get('/ips');
      const { scheduled } = await put(query('/ips', { ifVersion: ipsVersion }), { ...document, allowedActions });
      if (scheduled) return ['It lets agents do more, so it waits before it comes into force.', false];
      return [allowedActions.includes('buy') ? 'Agents may buy again, within your policy.' : 'Agents may only sell now.', false];
    }),
  };
}

/**
 * Pauses at once where that would end nothing, and else asks what it is to end.
 *
 * @param open how many orders are under way, and how many requests wait
 */
export function PauseButton({ of, open: { orders, requests }, class: kind = '', isShort }) {
  const [isAsking, setAsking] = useState(false);
  const [ends, setEnds] = useState([]);
  if (of.isPaused !== false) return null;
  const press = () => {
    setEnds([]);
    if (orders + requests === 0) of.pause({});
    else setAsking(true);
  };
  const pause = async () => {
    if (await of.pause(Object.fromEntries(ends.map((name) => [name, true])))) setAsking(false);
  };
  const options = [
    orders > 0 && { name: 'cancelOrders', label: `Take back ${plural(orders, 'order')} under way`, hint: ' What is filled by then stays.' },
    requests > 0 && { name: 'rejectWaiting', label: `Reject ${plural(requests, 'request')} that ${requests === 1 ? 'waits' : 'wait'} for you` },
  ].filter(Boolean);
  return html`
    <${Button} class=${`danger-text pause ${kind}`} isBusy=${of.isBusy} busy="Pausing…" onClick=${press}>${isShort ? html`Pause<span class="quiet"> all agents</span>` : 'Pause all agents'}<//>
    ${isAsking && html`
      <${Confirm} title="Pause all agents?" yes="Pause now" isDangerous isBusy=${of.isBusy} error=${of.error} onYes=${pause} onNo=${() => setAsking(false)}>
        <p>Every trade they ask for is blocked until you resume.</p>
        <${Choices} legend="End as well" options=${options} chosen=${ends} onChange=${setEnds} />
      <//>`}`;
}

/** Blocks every purchase with one press. */
export const SellOnlyButton = ({ of, class: kind = '' }) => of.isPaused === false && of.mayBuy && of.maySell && html`
  <${Button} class=${kind} isBusy=${of.isBusy} onClick=${() => of.allow(['sell'])}>Only selling<span class="quiet"> for all agents</span><//>`;

export const PausedBanner = ({ of }) => html`
  ${of.scheduled && html`<div class="paused-banner" role="status" data-scheduled><p><strong>A looser policy comes into force <${When} at=${of.scheduled.effectiveAt} />.</strong> Until then the present one decides.</p>
    ${!isViewing() && html`<${Button} isBusy=${of.isBusy} busy="Cancelling…" onClick=${of.cancelScheduled}>Cancel<span class="quiet"> the policy that waits</span><//>`}</div>`}
  ${of.isPaused && html`<div class="paused-banner" role="status"><p><strong>All agents are paused.</strong> Every trade they ask for is blocked until you resume.</p>
    ${!isViewing() && html`<${Button} isBusy=${of.isBusy} busy="Resuming…" onClick=${of.resume}>Resume<//>`}</div>`}
  ${of.isPaused === false && !of.mayBuy && of.maySell && html`<div class="paused-banner" role="status"><p><strong>Agents may only sell.</strong> Every purchase they ask for is blocked.</p>
    ${!isViewing() && html`<${Button} isBusy=${of.isBusy} onClick=${() => of.allow(['buy', 'sell'])}>Allow buying<//>`}</div>`}
  <${ErrorBox} error=${of.error} />`;
