/** One agent: what became of its proposals, what stopped it, how much of its caps is used, and its log. */
import { html } from '../lib/html.js';
import { get, getIfAny, query } from '../lib/api.js';
import { custodiansById } from '../lib/custodians.js';
import { gain, number, percent, plural, tradeWords } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { isUnderWay } from '../lib/orders.js';
import { Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { Connect } from '../agents/secret.js';
import { Empty, Loaded } from '../ui/states.js';
import { Foreign, PageHead, StatusBadge, VerdictBadge, When } from '../ui/text.js';
import { ruleTitle } from '../ui/violations.js';
import { Event } from './activity.js';
import { KeyFacts, KeyMarks } from './agents.js';

/** Decisions that change nothing else are not told by the stream. */
const POLL = 10000;
const DECISIONS = 100;
const PROPOSALS = 10;
const EVENTS = 10;

async function load(id) {
  const [{ keys }, decisions, { events }, ips, known, { custodians }] = await Promise.all([
    get('/keys'), get(query('/audit', { agentKeyId: id, limit: DECISIONS })), get(query('/activity', { agentKeyId: id, limit: EVENTS })), getIfAny('/ips'), custodiansById(), get('/portfolio')]);
  const own = decisions.filter(({ actor }) => actor === 'agent').map((decision) => ({ ...decision, earned: earned(decision, custodians) }));
  return { agent: keys.find((key) => key.agentKeyId === id), decisions: own, isAll: decisions.length < DECISIONS, events, ips, known };
}

/** Reasons of rejected requests that nobody decided, and of those whose order came to nothing after they were accepted. */
const UNDECIDED = ['expired', 'key_revoked'];
const ACCEPTED = ['canceled', 'closed'];

/**
 * What a trade has earned since it was filled, or cost where negative: the price known now against that of the fill, and the
 * other way round for a sell. Null where no price is known, undefined where nothing is filled.
 */
function earned({ payload, serviceRequest }, custodians) {
  const { custodian, quantity, price } = serviceRequest?.execution ?? {};
  if (!price) return undefined;
  const held = custodians.flatMap(({ id, positions }) => positions.map((position) => ({ ...position, id })))
    .filter(({ symbol, assetType }) => symbol === payload.assetSymbol && assetType === payload.assetType);
  const now = held.find(({ id }) => id === custodian) ?? held[0];
  return now ? (now.price - price) * quantity * (payload.action === 'buy' ? 1 : -1) : null;
}

/** What became of proposals, as counts. */
function outcomes(proposals) {
  const requests = proposals.map(({ serviceRequest }) => serviceRequest).filter(Boolean);
  const accepted = requests.filter((request) => request.status === 'completed' || isUnderWay(request) || ACCEPTED.includes(request.reason)).length;
  const waiting = requests.filter((request) => request.status === 'pending' && !isUnderWay(request)).length;
  const undecided = requests.filter(({ reason }) => UNDECIDED.includes(reason)).length;
  return { all: proposals.length, blocked: proposals.filter(({ allowed }) => !allowed).length, waiting, accepted, decided: requests.length - waiting - undecided };
}

/** How many decisions broke each rule, the most broken first. */
function brokenRules(decisions) {
  const counts = new Map();
  for (const { violations } of decisions) {
    for (const rule of new Set(violations.map((violation) => violation.rule))) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}

export function Agent({ id }) {
  const loaded = useLoad(() => load(id), [id]);
  useChanges(['keys', 'requests', 'policy'], loaded.reload);
  usePoll(loaded.reload, POLL);
  const agent = loaded.data?.agent;
  return html`
    <p class="back"><${Link} to="/agents">All agents<//></p>
    <${PageHead} title=${agent ? html`<${Foreign} text=${agent.name} />` : 'Agent'} />
    <${Loaded} of=${loaded}>${(data) => (data.agent ? html`<${Report} ...${data} />`
      : html`<${Empty} title="There is no such agent"><p>It may belong to another account.</p><//>`)}<//>`;
}

const Figure = ({ name, value, note }) => html`<div class="tile"><dt>${name}</dt><dd>${value}${note && html` <small>${note}</small>`}</dd></div>`;

function Report({ agent, decisions, isAll, events, ips, known }) {
  const proposals = decisions.filter(({ kind }) => kind === 'propose');
  const { all, accepted, decided, waiting, blocked } = outcomes(proposals);
  const rules = brokenRules(decisions);
  const fills = proposals.filter((proposal) => proposal.earned !== undefined);
  const priced = fills.filter((proposal) => proposal.earned !== null);
  return html`
    <section class="card"><header class="row"><h2>What it may do</h2><${KeyMarks} of=${agent} /></header><${KeyFacts} of=${agent} />
      ${!agent.revokedAt && !agent.client && html`<details><summary>Connect it again</summary>
        <p>Its secret was shown once. Put it in place of YOUR_KEY, or rotate the key for another one.</p><${Connect} issued=${{ key: 'YOUR_KEY', scopes: agent.scopes }} /></details>`}</section>
    <section><h2>What it asked</h2>
      <p class="muted">${isAll ? 'Everything it ever asked.' : `Of the last ${plural(DECISIONS, 'decision')} about it.`}</p>
      <dl class="tiles">
        <${Figure} name="Proposals" value=${number(all)} />
        <${Figure} name="Accepted" value=${decided === 0 ? '–' : percent(accepted / decided, 0)} note=${`${number(accepted)} of ${number(decided)} decided`} />
        <${Figure} name="Waiting for you" value=${number(waiting)} />
        <${Figure} name="Blocked" value=${number(blocked)} />
        <${Figure} name="Earned since the fills" value=${priced.length === 0 ? '–' : html`<${Gain} of=${priced.reduce((sum, proposal) => sum + proposal.earned, 0)} />`}
          note=${fills.length === 0 ? 'no trade yet' : `${plural(priced.length, 'trade')}${priced.length < fills.length ? ` of ${fills.length}, the others have no known price` : ''}`} />
      </dl>
      <p class="muted">Earned is what the prices known now make of each fill: a buy earns when the price rises, a sell when it falls. Custodians tell no fees, so they are not in it.</p></section>
    <div class="two">
      <section class="card"><h2>Last proposals</h2>
        ${proposals.length === 0 ? html`<p class="muted">It has proposed nothing yet.</p>` : html`
          <ul class="rules" data-proposals>${proposals.slice(0, PROPOSALS).map((proposal) => html`<${Proposal} key=${proposal.id} of=${proposal} />`)}</ul>`}</section>
      <section class="card"><h2>Stopped by</h2><p class="hint">Of checks and proposals.</p>
        ${rules.length === 0 ? html`<p class="muted">Nothing it asked was blocked.</p>` : html`
          <ul class="plain">${rules.map(([rule, count]) => html`<li key=${rule}><${Link} to=${query('/activity', { agentKeyId: agent.agentKeyId, rule, allowed: false })}>${ruleTitle(rule)}<//> <small>${count}</small></li>`)}</ul>`}</section>
    </div>
    <section><h2>Its log</h2>
      ${events.length === 0 ? html`<p class="muted">Nothing has happened yet.</p>` : html`<ol class="feed">${events.map((event) => html`<${Event} key=${event.seq} of=${event} known=${known} ips=${ips} />`)}</ol>`}
      <p><${Link} to=${query('/activity', { agentKeyId: agent.agentKeyId })}>All of it<//></p></section>`;
}

const Gain = ({ of }) => html`<span class=${of < 0 ? 'bad-text' : 'good-text'}>${gain(of)}</span>`;

/** A proposal, and what became of it. */
const Proposal = ({ of: { payload, allowed, serviceRequest, checkedAt, earned: since } }) => html`
  <li><p>${serviceRequest ? html`<${Link} to=${`/requests/${serviceRequest.id}`}>${tradeWords(payload)}<//>` : tradeWords(payload)}
    ${' '}${serviceRequest ? html`<${StatusBadge} request=${serviceRequest} />` : html`<${VerdictBadge} allowed=${allowed} />`}</p>
    <p class="muted"><${When} at=${checkedAt} isAgo />${since === undefined ? '' : since === null ? ', no price known now' : html`, <${Gain} of=${since} /> since it was filled`}</p></li>`;
