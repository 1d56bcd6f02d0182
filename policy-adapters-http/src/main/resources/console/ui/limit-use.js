/** How much of each limit is used, as bars with their numbers. */
import { html } from '../lib/html.js';
import { ahead, dateTime, percent, plural, usd, worth } from '../lib/format.js';
import { limitWords } from '../policy/words.js';
import { Share } from './chart.js';

const AMBER = 0.8;

/** The measures of a limit: what is used of what, as a share and in words; none where nothing is counted. */
export function limitUse({ kind, used, max, maxUsd, maxTrades, actual }) {
  const part = (of, whole, words) => ({ share: whole > 0 ? of / whole : of > 0 ? 1 : 0, words });
  if (kind === 'flow') {
    return [
      used && (maxUsd ?? null) !== null && part(used.usd, maxUsd, `${worth(used.usd)} of ${usd(maxUsd)}`),
      used && (maxTrades ?? null) !== null && part(used.trades, maxTrades, `${used.trades} of ${plural(maxTrades, 'trade')}`),
    ].filter(Boolean);
  }
  if ((actual ?? null) === null) return [];
  return [part(Math.max(0, actual), max, `${percent(Math.max(0, actual), 2)}${kind === 'loss' ? ' lost' : ''} of ${percent(max, 4)}`)];
}

/** Why a limit has no bar. */
function nothingWords({ kind, per }) {
  if (kind !== 'flow') return 'What you hold is not known now.';
  return per === 'agent' ? 'Counted for each agent; each request shows how much its agent has used.' : 'Counted for each asset; each request shows how much of its asset is used.';
}

/** When some of it is free again; nothing where nothing is used. */
function freeWords({ kind, freesAt, windowDays, actual }) {
  if (freesAt) return `The oldest part drops out ${ahead(freesAt)}, on ${dateTime(freesAt)}.`;
  return kind === 'loss' && windowDays === 1 && actual > 0 ? 'It begins anew at midnight UTC.' : null;
}

const kindOf = (share) => (share >= 1 ? 'full' : share >= AMBER ? 'amber' : '');

const Line = ({ of: limit }) => html`
  <li data-policy-limit=${limit.id}>
    <p><strong>${limitWords(limit)}</strong></p>
    ${limitUse(limit).map(({ share, words }) => html`
      <div class="used" data-use=${kindOf(share)}><span>${words}${limit.perAsset && limit.scope?.symbols?.length !== 1 ? ' in the largest' : ''}</span>
        <span class="num">${percent(share, 0)} used${share > 1 ? ', above the limit' : share === 1 ? ', full' : ''}</span><${Share} of=${share} whole=${1} kind=${kindOf(share)} /></div>`)}
    ${limitUse(limit).length === 0 && html`<p class="muted">${nothingWords(limit)}</p>`}
    ${freeWords(limit) && html`<p class="muted">${freeWords(limit)}</p>`}
  </li>`;

/** @param of limits as they stand */
export const LimitUse = ({ of: limits }) => html`<ul class="limit-use">${limits.map((limit) => html`<${Line} key=${limit.id} of=${limit} />`)}</ul>`;
