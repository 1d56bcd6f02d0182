/** Stops all agents with one press, on every page, and says so while they are stopped. */
import { html, useState } from '../lib/html.js';
import { getIfAny, post } from '../lib/api.js';
import { useAction, useLoad } from '../lib/load.js';
import { useChanges } from '../lib/stream.js';
import { Button } from './field.js';
import { announce } from './live.js';
import { ErrorBox } from './states.js';

/** Whether agents are paused: `isPaused` is null without a policy, when no agent can do anything anyway. */
export function usePause() {
  const policy = useLoad(() => getIfAny('/ips'));
  const changing = useAction();
  /** What the last press came to, until the policy is read again. */
  const [pressed, setPressed] = useState(null);
  useChanges(['policy'], policy.reload);
  const set = (path, words) => () => changing.run(async () => {
    const { paused } = await post(path, {});
    setPressed(paused);
    announce(words);
    await policy.reload();
    setPressed(null);
  });
  return {
    isPaused: pressed ?? (policy.data ? Boolean(policy.data.paused) : null),
    isBusy: changing.isBusy,
    error: changing.error,
    pause: set('/pause', 'All agents are paused.'),
    resume: set('/resume', 'Agents may trade again, within your policy.'),
  };
}

export const PauseButton = ({ of: { isPaused, isBusy, pause }, class: kind = '', isShort }) => isPaused === false && html`
  <${Button} class=${`danger-text pause ${kind}`} isBusy=${isBusy} busy="Pausing…" onClick=${pause}>${isShort ? html`Pause<span class="quiet"> all agents</span>` : 'Pause all agents'}<//>`;

export const PausedBanner = ({ of: { isPaused, isBusy, error, resume } }) => html`
  ${isPaused && html`<div class="paused-banner" role="status"><p><strong>All agents are paused.</strong> Every trade they ask for is blocked until you resume.</p>
    <${Button} isBusy=${isBusy} busy="Resuming…" onClick=${resume}>Resume<//></div>`}
  <${ErrorBox} error=${error} />`;
