/** Tries a trade: verdict, numbers, and how much would be allowed. Nothing is recorded. */
import { html, useState } from '../lib/html.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
import { post } from '../lib/api.js';
import { lowerFirst, tradeWords, usd } from '../lib/format.js';
import { useAction } from '../lib/load.js';
import { projected } from '../lib/projection.js';
import { BandPicture } from '../ui/bands.js';
import { Button, Field } from '../ui/field.js';
import { tookStep } from '../ui/first-steps.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { VerdictBadge } from '../ui/text.js';
import { Violations, violationTitle } from '../ui/violations.js';

const FIRST = { action: 'buy', symbol: '', assetType: 'tradfi', amount: '', slippage: '' };
const isNumber = (text) => /^\d+(\.\d{1,8})?$/.test(text.trim());

function problems(form) {
  const found = {};
  if (!/^[A-Za-z0-9.\-/_]{1,32}$/.test(form.symbol.trim())) found.symbol = 'Enter a ticker.';
  if (amountProblem(form.amount)) found.amount = amountProblem(form.amount);
  if (form.slippage.trim() !== '' && !isNumber(form.slippage)) found.slippage = 'Enter percent or leave the field empty.';
  return found;
}

function toTrade(form) {
  const trade = { action: form.action, assetSymbol: form.symbol.trim(), assetType: form.assetType, amountUsd: Number(typedAmount(form.amount)) };
  return form.slippage.trim() === '' ? trade : { ...trade, expectedSlippagePct: Number(form.slippage) };
}

const isRefused = ({ decision: { violations } }) => violations.some(({ rule }) => rule === 'invalid_payload');

/** The form. `agentKeyId` is that of the key whose caps apply, or null for the policy alone; `ips` draws the bands. */
export function TryForm({ agentKeyId = null, ips }) {
  const id = (name) => `try-${agentKeyId ?? 'policy'}-${name}`;
  const [form, setForm] = useState(FIRST);
  const [wrong, setWrong] = useState({});
  const [answer, setAnswer] = useState(null);
  const trying = useAction();
  const set = (name) => (value) => setForm({ ...form, [name]: value });
  const submit = (event) => {
    event.preventDefault();
    const found = problems(form);
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first) {
      document.getElementById(id(first))?.focus();
      return;
    }
    const ask = (trade) => post(agentKeyId ? `/keys/${agentKeyId}/try` : '/ips/try', trade);
    trying.run(async () => {
      let trade = toTrade(form);
      let tried = await ask(trade);
      if (isRefused(tried)) {
        // The service may know the asset in the other class.
        const other = { ...trade, assetType: trade.assetType === 'crypto' ? 'tradfi' : 'crypto' };
        const again = await ask(other);
        if (!isRefused(again)) {
          [trade, tried] = [other, again];
          setForm({ ...form, assetType: other.assetType });
        }
      }
      setAnswer({ trade, ...tried });
      tookStep('try');
      announce(`${tradeWords(trade)}: ${tried.decision.allowed ? 'allowed' : 'blocked'}. ${tried.decision.reason}.`);
    });
  };
  return html`
    <form onSubmit=${submit} novalidate>
      <p class="hint">The answer is exact for this moment. Nothing is recorded, and no cap is used.</p>
      <div class="three">
        <${Field} id=${id('action')} label="Action" value=${form.action} onInput=${set('action')}>
          <option value="buy">Buy</option><option value="sell">Sell</option><//>
        <${Field} id=${id('symbol')} label="Asset" placeholder="SPY" value=${form.symbol} error=${wrong.symbol} onInput=${set('symbol')} autocomplete="off" spellcheck=${false} />
        <${Field} id=${id('type')} label="Asset class" value=${form.assetType} onInput=${set('assetType')}>
          <option value="tradfi">Traditional</option><option value="crypto">Crypto</option><//>
      </div>
      <div class="two">
        <${Field} id=${id('amount')} label="Amount" unit="USD" inputmode="decimal" value=${form.amount} error=${wrong.amount} onInput=${set('amount')} autocomplete="off" />
        <${Field} id=${id('slippage')} label="Expected slippage" unit="%" inputmode="decimal" value=${form.slippage} error=${wrong.slippage} onInput=${set('slippage')} autocomplete="off" />
      </div>
      <${ErrorBox} error=${trying.error} />
      <div class="actions"><${Button} type="submit" isBusy=${trying.isBusy} busy="Asking…">Try this trade<//></div>
    </form>
    ${answer && html`<${Verdict} ...${answer} ips=${ips} />`}`;
}

function Verdict({ trade, decision, headroom, ips }) {
  return html`
    <section class="verdict" aria-label="Verdict">
      <p><strong>${tradeWords(trade)}</strong> <${VerdictBadge} allowed=${decision.allowed} /> ${decision.reason}.</p>
      ${decision.violations.length > 0 && html`<${Violations} of=${decision.violations} ips=${ips} />`}
      <p>${room(headroom, ips)}</p>
      ${decision.snapshot && html`<${BandPicture} ips=${ips ?? undefined} before=${decision.snapshot} after=${projected(decision.snapshot, trade)} caption="The allocation now and after" />`}
    </section>`;
}

/** How much would be allowed, in words. */
function room({ maxAllowedUsd, binding }, ips) {
  if (binding === null) return 'Any amount would be allowed.';
  const why = lowerFirst(violationTitle(binding, ips));
  if (maxAllowedUsd === null) return `No amount would be allowed: ${why}.`;
  return `At most ${usd(maxAllowedUsd)} would be allowed. One cent more: ${why}.`;
}
