/** One custodian: whether it answers, what is held there, what is ordered, and what can be done with it. */
import { html, useState } from '../lib/html.js';
import { post, remove } from '../lib/api.js';
import { isLive } from '../lib/custodians.js';
import { lastHeard, number, assetClass, usd, worth } from '../lib/format.js';
import { useAction } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { isViewing } from '../lib/viewing.js';
import { ConnectionBadge, CustodianName, LiveMark, kindWords } from '../ui/custodian.js';
import { Confirm } from '../ui/dialog.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { Foreign, When } from '../ui/text.js';

/** `of` is the custodian's entry, `holdings` is null before its first sync. */
export function CustodianCard({ of, holdings, known, onEdit, onConnect, onChange }) {
  const [isRemoving, setRemoving] = useState(false);
  const syncing = useAction();
  const isPaper = of.kind === 'paper';
  const sync = () => syncing.run(async () => {
    const entry = await post(`/custodians/${of.id}/sync`, {});
    announce(entry.status === 'connected' ? `${entry.name} is synced.` : `${entry.name} is not synced. ${entry.error ?? ''}`);
    await onChange();
  });
  const name = html`<span class="quiet"> ${of.name}</span>`;
  return html`
    <section class="card" data-custodian=${of.id}>
      <header class="row"><h3><${CustodianName} id=${of.id} known=${known} /></h3>${!isPaper && html`<${ConnectionBadge} of=${of} />`}</header>
      <p class="muted">${kindWords(of)}, ${isPaper ? html`changed <${When} at=${of.lastSyncedAt} />`
        : html`synced <time datetime=${of.lastSyncedAt}>${lastHeard(of.lastSyncedAt)}</time>`}</p>
      <${Problem} of=${of} />
      ${of.warning && html`<div class="notice"><p><${Foreign} text=${of.warning} /></p></div>`}
      ${holdings === null ? html`<p>Nothing is known yet of what is held here.</p>` : html`
        <${Positions} of=${holdings} />
        <${OpenOrders} of=${holdings.openOrders ?? []} />`}
      <${ErrorBox} error=${syncing.error} />
      ${!isViewing() && html`<div class="actions">
        ${isPaper ? html`<button type="button" class="small" onClick=${onEdit}>Edit holdings<span class="quiet"> at ${of.name}</span></button>` : html`
          <${Button} class="small" isBusy=${syncing.isBusy} busy="Asking…" onClick=${sync}>Sync now${name}<//>
          <button type="button" class="small" onClick=${onConnect}>New keys<span class="quiet"> for ${of.name}</span></button>`}
        <button type="button" class="small danger-text" onClick=${() => setRemoving(true)}>${isPaper ? 'Remove' : 'Disconnect'}${name}</button>
      </div>`}
      ${isRemoving && html`<${Removal} of=${of} onRemoved=${onChange} onNo=${() => setRemoving(false)} />`}
    </section>`;
}

/** Why a custodian did not answer as it should. */
function Problem({ of }) {
  if (of.status === 'connected' || !of.status) return null;
  const isRefused = of.status === 'refused';
  return html`
    <div class="notice bad"><p><strong>${isRefused ? 'Refused.' : 'Not reached.'}</strong> ${of.error && html`<${Foreign} text=${of.error} />`}</p>
      <p>${isRefused ? 'If the keys no longer work, give it new ones.' : 'The service asks again by itself. What is shown here is from the last time it answered.'}</p></div>`;
}

const Positions = ({ of }) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${`Positions at ${of.name}`}><table class="stacked">
    <thead><tr><th scope="col">Asset</th><th scope="col">Asset class</th><th scope="col" class="num">Quantity</th><th scope="col" class="num">Price</th><th scope="col" class="num">Value</th></tr></thead>
    <tbody>
      ${of.positions.map((position) => html`<tr key=${`${position.symbol} ${position.assetType}`}><th scope="row">${position.symbol}</th><td data-name="Asset class">${assetClass(position.assetType)}</td>
        <td class="num" data-name="Quantity">${number(position.quantity)}</td><td class="num" data-name="Price">${usd(position.price)}</td><td class="num" data-name="Value">${worth(position.marketValue)}</td></tr>`)}
      <tr><th scope="row">Cash</th><td></td><td></td><td></td><td class="num" data-name="Value">${worth(of.cash)}</td></tr>
    </tbody></table></div>`;

/** What is ordered and not yet filled; the allocation counts it as done. */
const OpenOrders = ({ of: orders }) => orders.length > 0 && html`
  <div class="open-orders"><h4>Open orders</h4>
    <ul>${orders.map((order, i) => html`<li key=${i}>${order.action === 'buy' ? 'Buy' : 'Sell'} ${order.symbol}: ${worth(order.restUsd)} not yet filled</li>`)}</ul>
    <p class="hint">The allocation counts them as done. You can cancel them on the page <${Link} to="/requests">Requests<//>.</p></div>`;

/** Asks before a custodian is removed. */
function Removal({ of, onRemoved, onNo }) {
  const removing = useAction();
  const isPaper = of.kind === 'paper';
  const yes = () => removing.run(async () => {
    await remove(`/custodians/${of.id}`);
    announce(`${of.name} is ${isPaper ? 'removed' : 'disconnected'}.`);
    await onRemoved();
  });
  return html`
    <${Confirm} title=${html`${isPaper ? 'Remove' : 'Disconnect'} <${Foreign} text=${of.name} />?`} yes=${isPaper ? 'Remove' : 'Disconnect'} isDangerous
      isBusy=${removing.isBusy} error=${removing.error} onYes=${yes} onNo=${onNo}>
      ${isLive(of) && html`<p><${LiveMark} /></p>`}
      <p>What is held there leaves your portfolio, as if you had withdrawn it, and trades are checked against the rest. What happened stays in the chain.</p>
      ${!isPaper && html`<p>Nothing is sold, and your account at Alpaca stays as it is. The keys kept here are deleted; delete them at Alpaca, too, if nothing else uses them.</p>`}
    <//>`;
}
