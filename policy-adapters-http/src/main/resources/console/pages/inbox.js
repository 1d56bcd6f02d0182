/** Everything that needs the user in one list, the gravest first, each with what to do and a way to be done with it. */
import { html } from '../lib/html.js';
import { post } from '../lib/api.js';
import { dateTime, plural } from '../lib/format.js';
import { useInbox } from '../lib/inbox.js';
import { useAction } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { Empty, ErrorBox, Loaded } from '../ui/states.js';
import { Badge, Foreign, PageHead, When } from '../ui/text.js';

const SEVERITIES = { high: ['bad', 'Urgent'], medium: ['wait', 'Waiting for you'], low: ['', 'When you have time'] };

/** What each kind is called, what to do about it, and the name of the way there. */
const KINDS = {
  request: ['Request', 'Accept or reject it; until you do, nothing happens.', 'Decide'],
  approvable: ['Blocked', 'A rule of yours blocks it unless you allow it. If you do, the agent has to propose it again.', 'Allow or leave it'],
  order_failed: ['Order', 'See what happened. What waits again is accepted or rejected as before.', 'See the order'],
  order_stuck: ['Order', 'Take the order back, or end the request if its custodian says that the order is over.', 'See the order'],
  unattested_fill: ['Trade', 'If it was not you, look at who may trade at that custodian.', 'Compare the trades'],
  out_of_limits: ['Limits', 'Nothing is traded by itself. Change the holdings or the policy, or wait for a proposal.', 'See the portfolio'],
  custodian: ['Custodian', 'While its holdings are not known, every trade is blocked.', 'See the custodian'],
  scheduled_policy: ['Policy', 'Look at what changes, and cancel it if it was not you.', 'See the policy'],
  connection: ['Connection', 'Look at who asks before you answer.', 'See who asks'],
  log: ['Log', 'Check the log, and tell whoever runs this service.', 'See the proof'],
};
const OTHER = ['Notice', '', 'Open'];

export function Inbox() {
  const inbox = useInbox();
  return html`
    <${PageHead} title="Inbox"><p class="lead">${inbox.data && words(inbox.data)}</p><//>
    <${Loaded} of=${inbox}>${({ items }) => (items.length === 0
      ? html`<${Empty} title="Your inbox is empty"><p>Requests, orders that went wrong, trades you did not approve and the like appear here by themselves.</p><//>`
      : Object.keys(SEVERITIES).map((severity) => html`<${Group} key=${severity} severity=${severity} items=${items.filter((item) => item.severity === severity)} onDone=${inbox.reload} />`))}<//>
    <p><${Link} to="/requests">All requests<//></p>`;
}

const words = ({ count }) => (count === 0 ? 'Nothing is waiting for you.' : `${plural(count, 'thing')} ${count === 1 ? 'needs' : 'need'} you.`);

/** A title of the service with its times as the user reads times. */
const inZone = (title) => title.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => dateTime(instant));

function Group({ severity, items, onDone }) {
  if (items.length === 0) return null;
  const [, title] = SEVERITIES[severity];
  return html`
    <section aria-label=${title}><h2>${title}</h2>
      <ul class="inbox">${items.map((item) => html`<${Item} key=${item.id} item=${item} onDone=${onDone} />`)}</ul></section>`;
}

function Item({ item, onDone }) {
  const [kind, toDo, way] = KINDS[item.kind] ?? OTHER;
  const ending = useAction();
  const done = () => ending.run(async () => {
    try {
      await post(`/inbox/${encodeURIComponent(item.id)}/done`, {});
    } catch (error) {
      // Somebody else was done with it, or it is over.
      if (error.status !== 404) throw error;
    }
    announce('Done.');
    await onDone();
    document.querySelector('main h1')?.focus();
  });
  return html`
    <li class="card" data-inbox=${item.kind}>
      <header class="row"><${Badge} kind=${SEVERITIES[item.severity]?.[0]}>${kind}<//><${When} at=${item.since} isAgo /></header>
      <h3><${Foreign} text=${inZone(item.title)} /></h3>
      ${toDo && html`<p class="muted">${toDo}</p>`}
      <${ErrorBox} error=${ending.error} />
      <div class="actions">
        <${Link} to=${item.href} class="button primary">${way}<span class="quiet">: <${Foreign} text=${item.subject} /></span><//>
        ${item.actions.includes('done') && html`<${Button} isBusy=${ending.isBusy} busy="Putting away…" onClick=${done}>Done<span class="quiet"> with: <${Foreign} text=${item.title} /></span><//>`}
      </div>
    </li>`;
}
