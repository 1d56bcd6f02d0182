/** A request in a row: what it is, how it would be decided now, and how much of the portfolio it is. */
import { html } from '../lib/html.js';
import { get } from '../lib/api.js';
import { dateTime, left, tradeWords } from '../lib/format.js';
import { isUndecided } from '../lib/orders.js';
import { AgentBadge, Badge, StatusBadge, When } from '../ui/text.js';
import { shareWords } from './verdict.js';

/** How each waiting request would be decided alone, by its id, and what that is based on. */
export async function verdictsById() {
  const { verdicts, ...shown } = await get('/requests/verdicts');
  return { shown, verdicts: new Map(verdicts.map((verdict) => [verdict.id, verdict])) };
}

/** Whether a request could be accepted and carried out now. */
export const fits = ({ verdict }) => Boolean(verdict?.allowed && verdict.executable);

const mark = ({ allowed, executable }) => (!allowed ? ['bad', 'Would be blocked'] : executable ? ['good', 'Within policy'] : ['wait', 'Cannot be executed']);

/** The verdict of a request that waits, or what became of another. */
export function Standing({ of: request }) {
  if (!isUndecided(request) || !request.verdict) return html`<${StatusBadge} request=${request} />`;
  const [kind, words] = mark(request.verdict);
  return html`<${Badge} kind=${kind}>${words}<//>`;
}

export const Share = ({ of: { verdict } }) => (verdict?.portfolioShare ?? null) !== null && html`<small class="of-portfolio">${shareWords(verdict.portfolioShare)}</small>`;

export const Expiry = ({ request }) => html`
  <span class="expiry">${isUndecided(request)
    ? html`<time datetime=${request.expiresAt} title=${dateTime(request.expiresAt)}>${left(request.expiresAt)}</time>`
    : request.resolvedAt && html`<${When} at=${request.resolvedAt} />`}</span>`;

const Words = ({ request }) => html`
  <strong>${tradeWords(request.trade)}</strong>
  <span class="by"><${AgentBadge} name=${request.agentName} /></span>
  <${Standing} of=${request} /><${Share} of=${request} />
  <${Expiry} request=${request} />`;

/** A request that is not opened, in a line between those that are. */
export const RequestLine = ({ request, onOpen }) => html`
  <article class=${`card request line ${request.status}`} data-request=${request.id}>
    <button type="button" class="open" aria-expanded="false" onClick=${onOpen}><${Words} request=${request} /></button>
  </article>`;

/** All requests in rows; the opened one is shown beside them. */
export const Rows = ({ requests, opened, onOpen }) => html`
  <ul class="queue" aria-label="Requests">${requests.map((request) => html`
    <li key=${request.id}><button type="button" data-row=${request.id} aria-current=${request.id === opened ? 'true' : undefined}
      onClick=${() => onOpen(request.id)}><${Words} request=${request} /></button></li>`)}</ul>`;
