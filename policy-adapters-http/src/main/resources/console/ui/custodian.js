/** Custodians as every page names them, and what is said while one is not heard of. */
import { html } from '../lib/html.js';
import { isLive } from '../lib/custodians.js';
import { lastHeard } from '../lib/format.js';
import { Link } from '../lib/router.js';
import { Badge, Foreign } from './text.js';

export const LiveMark = () => html`<${Badge} kind="live">Live: real money<//>`;

/** The name of a custodian; one that trades with real money is marked. A removed one has only its id. */
export const CustodianName = ({ id, known }) => html`<${Foreign} text=${known?.get(id)?.name ?? id} />${isLive(known?.get(id)) && html` <${LiveMark} />`}`;

const KINDS = { paper: 'Paper custodian', alpaca: 'Alpaca' };

/** What a custodian is: "Alpaca, paper account". */
export const kindWords = ({ kind, environment }) => `${KINDS[kind] ?? kind}${environment ? `, ${environment} account` : ''}`;

const STATUS = { connected: ['good', 'Connected'], stale: ['wait', 'Not reached'], refused: ['bad', 'Refused'] };

export function ConnectionBadge({ of: { status } }) {
  const [kind, words] = STATUS[status] ?? ['', status];
  return html`<${Badge} kind=${kind}>${words}<//>`;
}

/** Says that nothing is decided while a custodian is not heard of, and why. */
export function StaleNotice({ stale, known, isAtPortfolio }) {
  if (!stale) return null;
  const entry = known?.get(stale.custodian);
  const advice = entry?.status === 'refused' ? 'Give it new keys, or disconnect it' : 'The service asks again by itself. You can sync it now, or disconnect it';
  return html`
    <div class="notice bad" data-stale=${stale.custodian}>
      <p><strong>Decisions stand still.</strong> <${Foreign} text=${stale.name} />${isLive(entry) && html` <${LiveMark} />`} was last synced
        ${' '}<time datetime=${stale.lastSyncedAt}>${lastHeard(stale.lastSyncedAt)}</time>. Nobody knows what you hold there now, so every trade is blocked until it answers.</p>
      ${entry?.error && html`<p>The reason: <${Foreign} text=${entry.error} /></p>`}
      <p>${isAtPortfolio ? `${advice} below.` : html`${advice} on the page <${Link} to="/portfolio">Portfolio<//>.`}</p>
    </div>`;
}
