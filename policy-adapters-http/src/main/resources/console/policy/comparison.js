/** Whether a policy allows more than another one, in words, with the trades that show it. */
import { html } from '../lib/html.js';
import { post } from '../lib/api.js';
import { assetClass, dateTime, percent, plural, usd } from '../lib/format.js';
import { useAction, useCalm, useLoad } from '../lib/load.js';
import { Button } from '../ui/field.js';
import { ErrorBox } from '../ui/states.js';
import { Badge } from '../ui/text.js';
import { listed, wordsOf } from './words.js';

const RELATIONS = {
  equivalent: ['good', 'The same', 'Every trade comes out as before.'],
  tighter: ['good', 'Tighter', 'Agents may do less, and nothing more.'],
  looser: ['wait', 'Looser', 'Agents may do more.'],
  mixed: ['wait', 'Looser and tighter', 'Agents may do more in one way, and less in another.'],
  unknown: ['wait', 'Not known', 'This could not be compared to its end. Take it as looser.'],
};

/** "30% crypto (20% BTC), 50% traditional and 20% cash". */
function shares({ cash, positions }, symbol) {
  const worth = (held) => held.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  const total = cash + worth(positions);
  const share = (amount) => percent(amount / total, 2);
  const sleeves = ['crypto', 'tradfi'].map((type) => {
    const held = positions.filter(({ assetType }) => assetType === type);
    const same = held.filter((position) => position.symbol === symbol);
    const others = held.length > same.length || same.length === 0;
    const named = same.length === 0 ? '' : others ? ` (${share(worth(same))} ${symbol})` : ` (${symbol})`;
    return worth(held) === 0 ? null : `${share(worth(held))} ${assetClass(type).toLowerCase()}${named}`;
  });
  return { total, words: listed([...sleeves, cash > 0 && `${share(cash)} cash`].filter(Boolean)) };
}

const hasHours = (ips) => Boolean(ips?.standingRules?.some(({ when }) => when?.hours || when?.daysOfWeek));

/** "A buy of 6,400 USD of BTC would now be allowed, in a portfolio of 100,000 USD with 30% crypto and 70% cash." */
export function witnessWords({ shows, portfolio, used, trade, at }, before, after) {
  const { total, words } = shares(portfolio, trade.assetSymbol);
  const slip = Number(trade.expectedSlippagePct ?? 0);
  const fallen = portfolio.peakValue === undefined ? 0 : 1 - total / portfolio.peakValue;
  return [
    `A ${trade.action} of ${usd(trade.amountUsd)} of ${trade.assetSymbol}`,
    slip > 0 && ` with ${slip}% slippage`,
    ` would now be ${shows === 'looser' ? 'allowed' : 'blocked'}, in a portfolio of ${usd(Number(total.toFixed(2)))} with ${words}`,
    fallen > 0 && `, ${percent(fallen, 2)} below its highest value${portfolio.peakDaysAgo > 0 ? ` of ${plural(portfolio.peakDaysAgo, 'day')} ago` : ''}`,
    used && `, after ${usd(used.usd)} in ${plural(used.trades, 'trade')} were proposed`,
    (hasHours(before) || hasHours(after)) && `, on ${dateTime(at)}`,
    '.',
  ].filter(Boolean).join('');
}

const NAMES = { buy: 'Buying', sell: 'Selling' };

function findingWords({ kind, ruleId, action }, ips) {
  if (kind === 'vacuous') return `${NAMES[action]} is allowed, but no ${action} passes, whatever is held.`;
  const name = wordsOf(ips, ruleId) ?? ruleId;
  return kind === 'shadowed' ? `Never reached, because the rest of the policy is stricter: ${name}` : `Changes nothing: ${name}`;
}

/**
 * The comparison of a document with the policy in force, made anew when nothing was changed for a moment. It is null
 * while there is nothing to compare, and never that of an earlier document.
 */
export function useComparison(ips, document) {
  const now = document === null || !ips ? null : JSON.stringify(document);
  const calm = useCalm(now);
  const loaded = useLoad(async () => (calm === null ? null
    : { of: calm, answer: await post('/ips/compare', { to: { document: JSON.parse(calm) } }) }), [calm, ips?.ipsVersion]);
  if (now === null) return null;
  const isOfNow = !loaded.isLoading && calm === now;
  return { answer: loaded.data?.of === now ? loaded.data.answer : null, isBusy: !isOfNow, error: isOfNow ? loaded.error : null };
}

/** Buttons that keep the trade of a witness as a test. */
function KeepAsTest({ witness, keep }) {
  const keeping = useAction();
  const name = `a ${witness.trade.action} of ${usd(witness.trade.amountUsd)} of ${witness.trade.assetSymbol}`;
  return html`<span class="keep">Test: ${[[false, 'Must be blocked'], [true, 'Must be allowed']].map(([isAllowed, words]) => html`
    <${Button} class="small" isBusy=${keeping.isBusy} onClick=${() => keeping.run(() => keep(witness, isAllowed))}>${words}<span class="quiet">: ${name}</span><//> `)}</span>
    <${ErrorBox} error=${keeping.error} />`;
}

/**
 * @param of a comparison
 * @param hasFindings whether it also shows what the author of the policy may not have meant
 * @param keep keeps the trade of a witness as a test; absent where that is not offered
 */
export function Relation({ of, before, after, hasFindings, keep }) {
  if (of.answer === null) {
    return html`<div class="relation muted" role="status"><p>${of.error ? `Not compared: ${of.error.message}` : 'Comparing…'}</p></div>`;
  }
  const { relation, witnesses, findings } = of.answer;
  const [kind, title, meaning] = RELATIONS[relation];
  return html`
    <div class="relation" data-relation=${relation} role="status">
      <p><${Badge} kind=${kind}>${title}<//> ${meaning}</p>
      ${witnesses.length > 0 && html`<ul>${witnesses.map((witness) => html`<li data-shows=${witness.shows}>${witnessWords(witness, before, after)}${keep && html` <${KeepAsTest} witness=${witness} keep=${keep} />`}</li>`)}</ul>`}
      ${hasFindings && findings.length > 0 && html`<p>What you may not have meant:</p><ul>${findings.map((one) => html`<li data-finding=${one.kind}>${findingWords(one, after)}</li>`)}</ul>`}
    </div>`;
}

/** The relation of two versions, asked for when it is shown. */
export function VersionRelation({ before, after }) {
  const loaded = useLoad(() => post('/ips/compare', { from: { ipsVersion: before.ipsVersion }, to: { ipsVersion: after.ipsVersion } }), [before.ipsVersion, after.ipsVersion]);
  return html`<${Relation} of=${{ answer: loaded.data ?? null, error: loaded.error }} before=${before} after=${after} />`;
}
