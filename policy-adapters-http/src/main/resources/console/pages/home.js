/** Home: how the account stands, in one view, and what to do next. */
import { html } from '../lib/html.js';
import { get } from '../lib/api.js';
import { gain, lastHeard, percent, plural, points, tradeWords, usd, worth } from '../lib/format.js';
import { useInbox } from '../lib/inbox.js';
import { useLoad, usePoll } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { isViewing } from '../lib/viewing.js';
import { RecentDays } from '../portfolio/history.js';
import { ConnectionBadge, StaleNotice } from '../ui/custodian.js';
import { Checklist, TryThis, firstSteps } from '../ui/first-steps.js';
import { LimitUse } from '../ui/limit-use.js';
import { Loaded } from '../ui/states.js';
import { AgentBadge, Badge, Foreign, PageHead, When } from '../ui/text.js';
import { ruleTitle } from '../ui/violations.js';

const POLL = 15000;

/** The measures by the rule of their limit. */
const LIMITS = {
  crypto_max_allocation: ['Crypto', 'maximum'], crypto_min_allocation: ['Crypto', 'minimum'],
  tradfi_max_allocation: ['Traditional', 'maximum'], tradfi_min_allocation: ['Traditional', 'minimum'],
  cash_floor: ['Cash', 'floor'], drawdown_exceeded: ['Drawdown', 'limit'],
};

export function Home({ user }) {
  const inbox = useInbox();
  const steps = useLoad(firstSteps);
  const home = useLoad(() => get('/home'));
  useChanges(['requests', 'portfolio', 'policy', 'keys'], home.reload);
  useChanges(['requests'], steps.reload);
  usePoll(home.reload, POLL);
  // Drawn before the inbox and the first steps are known, the page would be moved by them.
  const isWhole = [inbox, steps].every((one) => one.data !== undefined || one.error);
  const loaded = isWhole ? home : { ...home, data: undefined };
  return html`
    <${PageHead} title="Home">${loaded.data && html`<p class="lead"><${Summary} of=${loaded.data} inbox=${inbox.data} /></p>`}<//>
    <${Loaded} of=${loaded}>${(home) => html`
      <${Next} of=${home} />
      <${TryThis} user=${user} />
      <${StaleNotice} stale=${home.stale} />
      ${home.storedPairs.length > 0 && html`<${StoredPairs} of=${home.storedPairs} />`}
      ${home.pending.count > 0 && html`<${Pending} of=${home.pending} />`}
      ${steps.data && html`<${Checklist} taken=${{ ...steps.data, connect: home.activeKeys > 0 }} onAway=${steps.reload} />`}
      ${home.value && html`<${Value} of=${home.value} />`}
      ${home.value && html`<${RecentDays} version=${`${home.value.asOf} ${home.ipsVersion}`} />`}
      ${home.limits.length > 0 && html`<${Limits} of=${home} />`}
      ${home.policyLimits.length > 0 && html`<section class="card"><h2>How much of your limits is used</h2><${LimitUse} of=${home.policyLimits} /></section>`}
      ${home.value && html`<div class="two"><${BlockedDecisions} of=${home.blocked} /><${Custodians} of=${home.custodians} /></div>`}`}<//>`;
}

/** The gravest item of the inbox, or that there is none; a viewer, who has no inbox, is told what waits. */
function Summary({ of: { paused, pending, drift }, inbox }) {
  if (paused) return 'All agents are paused.';
  const gravest = inbox?.items[0];
  if (!gravest && pending.count > 0) return `${plural(pending.count, 'request')} ${pending.count === 1 ? 'waits' : 'wait'} for a decision.`;
  if (!gravest) return drift ? 'Nothing is waiting for you, and your portfolio is within its limits.' : 'Nothing is waiting for you.';
  return html`<${Link} to=${gravest.href}><${Foreign} text=${gravest.title} /><//>${inbox.count > 1 && html` <${Link} to="/inbox">${inbox.count - 1} more in your inbox<//>`}`;
}

/** What is missing before agents can propose anything. */
function Next({ of: { ipsVersion, value, activeKeys } }) {
  const missing = [ipsVersion === null && 'a policy', value === null && 'your holdings', activeKeys === 0 && 'a key for an agent'].filter(Boolean);
  return missing.length > 0 && !isViewing() && html`
    <div class="notice"><p><strong>Next:</strong> before an agent can propose anything, this is missing: ${missing.join(', ')}.</p>
      <p><${Link} to="/welcome" class="button primary">Continue the set-up<//></p></div>`;
}

const PLACES = { policy: 'the policy', keys: 'a key', holdings: 'your holdings' };

/** What is stored although it would be refused today. */
const StoredPairs = ({ of }) => html`
  <div class="notice" data-stored-pairs><p><strong>Pairs and derivatives:</strong> these stay as they are, each as an asset of its own. Rules that name the coin do not hold for them.</p>
    <ul class="plain">${of.map(({ symbol, base, quote, in: places }) => html`
      <li key=${symbol}><strong>${symbol}</strong> ${quote === null ? html`is a derivative of ${base}` : html`trades ${base} against ${quote}`}; it is in ${places.map((place) => PLACES[place]).join(' and ')}.</li>`)}</ul></div>`;

const Pending = ({ of: { count, atLeast, newest } }) => html`
  <section class="card"><header class="row"><h2>Waiting for you</h2><${Badge} kind="wait">${count}${atLeast ? '+' : ''}<//></header>
    <ul class="rules">${newest.map((request) => html`
      <li key=${request.id}><${Link} to=${`/requests/${request.id}`}><strong>${tradeWords(request.trade)}</strong><//>
        <p class="muted"><${AgentBadge} name=${request.agentName} />, <${When} at=${request.createdAt} isAgo /></p></li>`)}</ul>
    <p><${Link} to="/requests" class="button primary">${isViewing() ? 'Look at them' : 'Decide'}<//></p>
  </section>`;

const Change = ({ name, of }) => html`
  <div><dt>${name}</dt><dd>${of === null ? 'not known yet' : html`<span class=${of.changeUsd < 0 ? 'bad-text' : 'good-text'}>${gain(of.changeUsd)}</span>
    <small> ${of.changePct === null ? '' : `${of.changePct < 0 ? '−' : of.changePct > 0 ? '+' : ''}${percent(Math.abs(of.changePct), 2)}`}</small>`}</dd></div>`;

const Value = ({ of: { asOf, totalValue, last24Hours, sinceLastClose } }) => html`
  <section class="card"><h2>Value</h2>
    <p class="figure">${worth(totalValue)}</p>
    <dl class="facts"><${Change} name="Last 24 hours" of=${last24Hours} /><${Change} name="Today (UTC)" of=${sinceLastClose} />
      <div><dt>As of</dt><dd><${When} at=${asOf} isAgo /></dd></div></dl>
  </section>`;

const room = ({ rule, headroomPct, headroomUsd }) => {
  const words = LIMITS[rule];
  if (headroomPct < 0) return html`<strong class="bad-text">${points(headroomPct)} beyond its ${words[1]}</strong>`;
  return html`${points(headroomPct)} <small>(${usd(headroomUsd)})</small>`;
};

const Limits = ({ of: { limits, drift, ipsVersion } }) => html`
  <section class="card"><header class="row"><h2>Headroom</h2>${drift?.outOfBand && html`<${Badge} kind="bad">Outside of its limits<//>`}</header>
    <div class="scroll" tabindex="0" role="region" aria-label="Headroom"><table class="stacked figures">
      <thead><tr><th scope="col">Measure</th><th scope="col" class="num">Now</th><th scope="col" class="num">Limit</th><th scope="col" class="num">Headroom</th></tr></thead>
      <tbody>${limits.map((line) => html`<tr key=${line.rule} data-limit=${line.rule}><th scope="row">${LIMITS[line.rule][0]} <small>${LIMITS[line.rule][1]}</small></th>
        <td class="num" data-name="Now">${percent(line.actual, 2)}</td><td class="num" data-name="Limit">${percent(line.limit, 4)}</td><td class="num" data-name="Headroom">${room(line)}</td></tr>`)}</tbody></table></div>
    ${drift && html`<p class="muted">Crypto is ${points(drift.cryptoFromTarget)} ${drift.cryptoFromTarget < 0 ? 'below' : 'above'} its target, traditional ${points(drift.tradfiFromTarget)} ${drift.tradfiFromTarget < 0 ? 'below' : 'above'}.</p>`}
    <p><${Link} to="/policy">Policy, version ${ipsVersion}<//></p>
  </section>`;

const BlockedDecisions = ({ of: { since, count, atLeast, byRule } }) => html`
  <section class="card"><h2>Blocked in 24 hours</h2>
    <p class="figure" data-blocked-count>${count}${atLeast ? '+' : ''}</p>
    ${byRule.length > 0 && html`<ul class="plain">${byRule.map(({ rule, count: times }) => html`<li><${Link} to=${`/activity?rule=${rule}&allowed=false`}>${ruleTitle(rule)}<//> <small>${times}</small></li>`)}</ul>`}
    ${count === 0 ? html`<p class="muted">Since <${When} at=${since} /> every trade that agents asked about was allowed.</p>` : html`<p><${Link} to="/activity?allowed=false">See them all<//></p>`}
  </section>`;

const Custodians = ({ of }) => html`
  <section class="card"><h2>Custodians</h2>
    ${of.length === 0 ? html`<p class="muted">None is connected.</p>` : html`
      <ul class="plain">${of.map((custodian) => html`<li key=${custodian.id}><${Foreign} text=${custodian.name} /> <${ConnectionBadge} of=${custodian} />
        ${custodian.lastSyncedAt && html` <small>synced ${lastHeard(custodian.lastSyncedAt)}</small>`}</li>`)}</ul>`}
    <p><${Link} to="/portfolio">Portfolio<//></p>
  </section>`;
