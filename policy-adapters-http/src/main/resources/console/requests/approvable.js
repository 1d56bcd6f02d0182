/** Proposals that only a standing rule stopped which asks for the user's approval. They are no requests; allowing lets the next one pass. */
import { html, useRef, useState } from '../lib/html.js';
import { get, post, query } from '../lib/api.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
import { tradeWords, usd } from '../lib/format.js';
import { useAction, useLoad, usePoll } from '../lib/load.js';
import { useChanges } from '../lib/stream.js';
import { wordsOf } from '../policy/words.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { AgentBadge, Badge, When } from '../ui/text.js';

const RULE = 'standing_rule_requires_approval';
const LIMIT = 25;
/** Blocked proposals are not told by the stream. */
const POLL = 5000;
const DAY = 86400e3;
const TIMES = { 3600e3: 'an hour', [DAY]: 'a day', [7 * DAY]: 'a week', [30 * DAY - 60e3]: '30 days' };

const covers = (approval, rule, { agentKeyId, trade }) => approval.ruleId === rule && Date.parse(approval.until) > Date.now()
  && (!approval.agentKeyId || approval.agentKeyId === agentKeyId) && (!approval.action || approval.action === trade.action)
  && (!approval.symbol || approval.symbol === trade.assetSymbol)
  && (approval.maxAmountUsd === undefined || approval.maxAmountUsd === null || trade.amountUsd <= approval.maxAmountUsd)
  && approval.left?.uses !== 0 && (typeof approval.left?.usd !== 'number' || trade.amountUsd <= approval.left.usd);

/** The standing rule or limit with an id. */
const ruleOf = (ips, id) => [...ips.standingRules, ...(ips.limits ?? [])].find((rule) => rule.id === id);

/** The rules of a blocked proposal, if nothing else blocked it and they are not approved by now. */
function openRules(event, ips) {
  const asked = event.violations.every(({ rule }) => rule === RULE) ? event.violations.map(({ standingRuleId }) => standingRuleId) : [];
  const existing = new Set([...ips.standingRules, ...(ips.limits ?? [])].filter(({ effect }) => effect === 'require_approval').map(({ id }) => id));
  return asked.filter((id) => existing.has(id) && !(ips.approvals ?? []).some((approval) => covers(approval, id, event)));
}

/** The newest blocked proposal of each agent and trade in a week that the user may allow. */
async function approvable(ips) {
  if (!ips) return [];
  const { events } = await get(query('/activity', { kinds: 'guardrail.decision', rule: RULE, allowed: false, limit: LIMIT, from: new Date(Date.now() - 7 * DAY).toISOString() }));
  const found = new Map();
  for (const row of events) {
    const event = { ...row, trade: { action: row.action, assetSymbol: row.symbol, assetType: row.assetType, amountUsd: row.amountUsd } };
    if (event.kind !== 'propose' || event.actor !== 'agent') continue;
    const name = [event.agentKeyId, event.trade.action, event.trade.assetSymbol, event.trade.amountUsd].join(' ');
    const rules = openRules(event, ips);
    if (rules.length > 0 && !found.has(name)) found.set(name, { event, rules });
  }
  return [...found.values()];
}

/** @param children what comes after them, once they are known */
export function Approvable({ ips, children }) {
  const loaded = useLoad(() => approvable(ips), [ips?.ipsVersion]);
  useChanges(['requests', 'policy'], loaded.reload);
  usePoll(loaded.reload, POLL);
  if (loaded.data === undefined && !loaded.error) return null;
  if (!loaded.data?.length) return html`<${ErrorBox} error=${loaded.error} retry=${loaded.reload} />${children}`;
  return html`
    <section aria-label="Needs your approval">
      <h2>Needs your approval</h2>
      <p class="muted">A rule of yours blocks these unless you allow them. If you do, the agent has to propose again, and you decide then as always.</p>
      ${loaded.data.map(({ event, rules }) => html`<${Blocked} key=${event.seq} event=${event} rules=${rules} ips=${ips} onAllowed=${loaded.reload} />`)}
    </section>
    ${children}`;
}

const isGiven = (text) => text.trim() !== '';

function problems({ uses, total }) {
  const found = {};
  if (isGiven(uses) && !/^([1-9]\d{0,2}|1000)$/.test(uses.trim())) found.uses = 'Enter a number from 1 to 1000.';
  if (isGiven(total) && amountProblem(total)) found.total = amountProblem(total);
  return found;
}

function Blocked({ event, rules, ips, onAllowed }) {
  const { trade } = event;
  const [time, setTime] = useState(String(DAY));
  const [bounds, setBounds] = useState({ uses: '', total: '' });
  const [wrong, setWrong] = useState({});
  const [isOpen, setOpen] = useState(false);
  const allowing = useAction();
  const openButton = useRef(null);
  const open = () => {
    setOpen(true);
    setTimeout(() => document.getElementById(`allow-${event.seq}`)?.focus());
  };
  const close = () => {
    setOpen(false);
    setTimeout(() => openButton.current?.focus());
  };
  const allow = (submit) => {
    submit.preventDefault();
    const found = problems(bounds);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    const limits = {
      ...(isGiven(bounds.uses) && { maxUses: Number(bounds.uses) }),
      ...(isGiven(bounds.total) && { maxTotalUsd: Number(typedAmount(bounds.total)) }),
    };
    allowing.run(async () => {
      const until = new Date(Date.now() + Number(time)).toISOString();
      for (const ruleId of rules) {
        await post('/approvals', { ruleId, agentKeyId: event.agentKeyId, action: trade.action, symbol: trade.assetSymbol, maxAmountUsd: trade.amountUsd, until, ...limits });
      }
      announce(`Allowed for ${TIMES[time]}. The agent may propose it again.`);
      await onAllowed();
    });
  };
  return html`
    <article class="card blocked" data-blocked=${event.seq} aria-label=${`Blocked: ${tradeWords(trade)}`}>
      <header class="row"><${AgentBadge} name=${event.agentName} /><${Badge} kind="bad">Blocked<//><${When} at=${event.createdAt} isAgo /></header>
      <h3>${tradeWords(trade)}</h3>
      ${rules.map((id) => html`<p>${wordsOf(ips, id)} <small>(<code>${id}</code>${ruleOf(ips, id)?.reason ? `: ${ruleOf(ips, id).reason}` : ''})</small></p>`)}
      <${ErrorBox} error=${allowing.error} />
      ${isOpen ? html`
        <form onSubmit=${allow} novalidate>
          <${Field} id=${`allow-${event.seq}`} label=${`Allow ${event.agentName} to ${trade.action} up to ${usd(trade.amountUsd)} of ${trade.assetSymbol} at a time, for`} value=${time} onInput=${setTime}>
            ${Object.entries(TIMES).map(([length, words]) => html`<option value=${length}>${words}</option>`)}<//>
          <div class="two">
            <${Field} id=${`uses-${event.seq}`} label="At most so many times" hint="Leave empty for any number." inputmode="numeric" value=${bounds.uses} error=${wrong.uses} onInput=${(uses) => setBounds({ ...bounds, uses })} autocomplete="off" />
            <${Field} id=${`total-${event.seq}`} label="At most in all" unit="USD" hint="Leave empty for any amount." inputmode="decimal" value=${bounds.total} error=${wrong.total} onInput=${(total) => setBounds({ ...bounds, total })} autocomplete="off" />
          </div>
          <div class="actions"><${Button} type="submit" class="primary" isBusy=${allowing.isBusy} busy="Allowing…">Allow it<//>
            <button type="button" onClick=${close}>Cancel</button></div>
        </form>`
        : html`<div class="actions"><button type="button" ref=${openButton} onClick=${open}>Allow…<span class="quiet"> ${tradeWords(trade)}</span></button></div>`}
    </article>`;
}
