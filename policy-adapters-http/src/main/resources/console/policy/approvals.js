/** The approvals in force: what standing rules do not block for a while. */
import { html, useState } from '../lib/html.js';
import { get, put } from '../lib/api.js';
import { usd } from '../lib/format.js';
import { useAction } from '../lib/load.js';
import { isViewing } from '../lib/viewing.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { When } from '../ui/text.js';
import { wordsOf } from './words.js';

/** The members that were given, without what is used of them. */
const given = ({ used, left, ...approval }) => JSON.stringify(approval);

const isInForce = ({ until }) => Date.parse(until) > Date.now();

/** "Buy up to 5,000 USD of BTC, by Rebalancer". */
function approvalWords({ action, symbol, maxAmountUsd, agentKeyId }, names) {
  const what = action ? (action === 'buy' ? 'Buy' : 'Sell') : 'Trade';
  const size = maxAmountUsd === undefined || maxAmountUsd === null ? '' : ` up to ${usd(maxAmountUsd)}`;
  return `${what}${size} of ${symbol ?? 'any asset'}, by ${agentKeyId ? names.get(agentKeyId) ?? 'an agent without a key' : 'any agent'}`;
}

/** "Used 1 of 3 times, 1,500 of 5,000 USD". */
function useWords({ used, maxUses, maxTotalUsd }) {
  const parts = [maxUses && `${used.uses} of ${maxUses} ${maxUses === 1 ? 'time' : 'times'}`, maxTotalUsd !== undefined && `${usd(used.usd)} of ${usd(maxTotalUsd)}`];
  return `Used ${parts.filter(Boolean).join(', ')}`;
}

export function Approvals({ ips, names, onChanged }) {
  const inForce = (ips?.approvals ?? []).filter(isInForce);
  const [ending, setEnding] = useState(null);
  const action = useAction();
  if (inForce.length === 0) return null;
  const end = (approval) => {
    setEnding(approval);
    action.run(async () => {
      const { ipsVersion, createdAt, paused, ...document } = await get('/ips');
      const kept = document.approvals.filter((one) => given(one) !== given(approval));
      await put(`/ips?ifVersion=${ipsVersion}`, { ...document, approvals: kept });
      announce('The approval has ended.');
      await onChanged();
    });
  };
  return html`
    <section><h2>Approvals</h2>
      <p class="muted">What these allow is not blocked by the rule named, until the time given. You still decide on each request.</p>
      <${ErrorBox} error=${action.error} />
      <ul class="rules">${inForce.map((approval) => html`
        <li key=${given(approval)}><p><strong>${approvalWords(approval, names)}</strong></p>
          <p>${wordsOf(ips, approval.ruleId) ?? 'Rule'} <code>${approval.ruleId}</code>, until <${When} at=${approval.until} /></p>
          ${approval.used && html`<p>${useWords(approval)}</p>`}
          ${!isViewing() && html`<div class="actions"><${Button} class="small danger-text" isBusy=${action.isBusy && ending === approval} busy="Ending…" onClick=${() => end(approval)}>End now<//></div>`}</li>`)}</ul>
    </section>`;
}
