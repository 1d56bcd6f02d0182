/** What a person needs to know of a proposed trade, most important first. */
import { html } from '../lib/html.js';
import { getIfAny } from '../lib/api.js';
import { number, percent, slippage, usd, worth } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { isUndecided } from '../lib/orders.js';
import { projected } from '../lib/projection.js';
import { Link } from '../lib/router.js';
import { passkeyAbove } from '../lib/viewing.js';
import { BandPicture } from '../ui/bands.js';
import { CustodianName } from '../ui/custodian.js';
import { Facts, When } from '../ui/text.js';
import { leftWords, shareWords } from './verdict.js';

/** "About 0.0625 BTC at 80,000 USD". */
export function estimateWords({ estimate }, { assetSymbol }) {
  if (!estimate) return 'known once it is ordered';
  const age = Date.now() - Date.parse(estimate.priceAt);
  return html`about ${number(Number(Number(estimate.quantity).toPrecision(6)))} ${assetSymbol} at ${usd(estimate.price)}${age > 3600e3
    ? html` <small>(price of <${When} at=${estimate.priceAt} isAgo />)</small>` : ''}`;
}

/** The facts a decision needs, of a request that waits; those that are not known yet keep their places. */
export function KeyFacts({ request, now, around }) {
  const { trade } = request;
  const known = around?.custodians;
  const left = leftWords(around?.keys.find((key) => key.agentKeyId === request.agentKeyId));
  return html`
    <${Facts} of=${[
      ['Quantity', now ? estimateWords(now, trade) : '…'],
      ['Size', now ? shareWords(now.portfolioShare) : '…'],
      (!now || now.position) && [`${trade.assetSymbol} held`, now ? html`${worth(now.position.before)} → <strong>${worth(now.position.after)}</strong>` : '…'],
      (!now || now.custodian) && ['Custodian', now ? html`<${CustodianName} id=${now.custodian} known=${known} />` : '…'],
      left && ['Agent has left today', left],
    ]} />
    ${now?.isFirstOfAsset && html`<p><strong>First time:</strong> you hold no ${trade.assetSymbol} and have not traded it here.</p>`}`;
}

/** What accepting binds the order to. A paper custodian fills the whole amount at its list price. */
export function PriceBound({ request: { trade }, now, around }) {
  const most = around?.ips?.maxSlippage;
  const custodian = around?.custodians?.get(now?.custodian);
  if (most === undefined || !custodian || custodian.kind === 'paper') return null;
  return html`<p class="muted" data-bound>${trade.action === 'buy'
    ? `At most ${percent(most, 4)} above the price of that moment is paid, and no more than ${usd(trade.amountUsd)} in all: up to ${percent(most, 4)} less ${trade.assetSymbol} may be bought.`
    : `Nothing is sold at more than ${percent(most, 4)} below the price of that moment.`}</p>`;
}

/** That accepting asks for a passkey, said before it does. */
export function PasskeyDemand({ amountUsd }) {
  const above = passkeyAbove();
  if (above === null) return null;
  return html`<p class="muted" data-passkey-demand>${above === 0 || amountUsd > above ? 'Accepting asks for your passkey.'
    : `Accepting asks for your passkey if, with what you accepted without one in the last 24 hours, it is more than ${usd(above)}.`}</p>`;
}

/**
 * The portfolio before and after the trade: the current one, if it is known, until the user decides, and that of the
 * decision otherwise. The current one already has what is ordered.
 */
export function Effect({ request, around }) {
  const isPending = isUndecided(request);
  const now = isPending ? around?.portfolio.snapshot : null;
  const before = now ?? request.decision.snapshot;
  const inForce = around?.ips;
  const isCurrent = inForce?.ipsVersion === request.ipsVersion;
  const then = useLoad(async () => (isPending || request.ipsVersion === null ? null : getIfAny(`/ips/versions/${request.ipsVersion}`)), [request.id, isPending]);
  const ips = isPending ? inForce : then.data;
  const { trade } = request;
  return html`
    <${BandPicture} ips=${ips ?? undefined} before=${before} after=${projected(before, trade)} hasLegend
      caption=${now ? 'Your allocation now and after' : 'The allocation when it was proposed, and after'} />
    <${Facts} of=${[
      ['Expected slippage', slippage(trade, ips?.maxSlippage)],
      ['Portfolio', worth(before?.totalValue)],
      ['Policy', html`<${Link} to="/policy">version ${request.ipsVersion}<//>${isPending && inForce && !isCurrent
        ? html` (proposed under it; version ${inForce.ipsVersion} is in force and will be asked)` : ''}`],
      ['Proposed', html`<${When} at=${request.createdAt} />`],
      isPending && ['Expires', html`<${When} at=${request.expiresAt} />`],
    ]} />`;
}

