/** The portfolio: allocation, holdings by custodian, value and drawdown over time. */
import { html, useEffect, useState } from '../lib/html.js';
import { get, getIfAny } from '../lib/api.js';
import { date, number, percent, plural, sleeveName, usd, worth } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { HoldingsForm } from '../portfolio/holdings-form.js';
import { BandPicture } from '../ui/bands.js';
import { LineChart } from '../ui/chart.js';
import { Field } from '../ui/field.js';
import { Empty, Loaded } from '../ui/states.js';
import { Facts, Foreign, PageHead, When } from '../ui/text.js';

const load = async () => {
  const [portfolio, ips] = await Promise.all([get('/portfolio'), getIfAny('/ips')]);
  return { portfolio, ips };
};

const free = (custodians) => {
  const taken = custodians.map((custodian) => custodian.id);
  return ['paper', ...Array.from({ length: taken.length + 1 }, (_, i) => `paper-${i + 2}`)].find((id) => !taken.includes(id));
};

export function Portfolio() {
  const loaded = useLoad(load);
  const [edited, setEdited] = useState(null);
  const saved = async () => {
    setEdited(null);
    await loaded.reload();
    document.querySelector('main h1').focus();
  };
  return html`
    <${PageHead} title="Portfolio">${loaded.data?.portfolio.asOf && html`<p class="lead">As of <${When} at=${loaded.data.portfolio.asOf} /></p>`}<//>
    <${Loaded} of=${loaded}>${({ portfolio, ips }) => html`
      ${portfolio.snapshot && html`<${Overview} snapshot=${portfolio.snapshot} ips=${ips} />`}
      ${portfolio.custodians.length > 0 && html`<${History} asOf=${portfolio.asOf} />`}
      <section><h2>Holdings</h2>
        ${portfolio.custodians.length === 0 && !edited && html`<${Empty} title="No holdings yet">
          <p>Enter what you hold, so that trades can be checked against it.</p><//>`}
        ${portfolio.custodians.map((custodian) => (edited === custodian.id
          ? html`<${Edit} key=${custodian.id} id=${custodian.id} custodian=${custodian} onSaved=${saved} onCancel=${() => setEdited(null)} />`
          : html`<${Custodian} key=${custodian.id} of=${custodian} onEdit=${() => setEdited(custodian.id)} />`))}
        ${edited === 'new' ? html`<${Edit} id=${free(portfolio.custodians)} custodian=${null} onSaved=${saved} onCancel=${() => setEdited(null)} />`
          : html`<p><button type="button" onClick=${() => setEdited('new')}>Add a custodian</button></p>`}
      </section>`}<//>`;
}

const Overview = ({ snapshot, ips }) => html`
  <section class="card"><h2>Allocation</h2>
    <p class="figure">${worth(snapshot.totalValue)}</p>
    <${BandPicture} ips=${ips ?? undefined} before=${snapshot} />
    <${Facts} of=${[['Crypto', worth(snapshot.cryptoValue)], ['Traditional', worth(snapshot.tradfiValue)], ['Cash', worth(snapshot.cashValue)],
      ['Below the peak', percent(snapshot.currentDrawdownPct, 2)]]} />
  </section>`;

function Edit({ id, custodian, onSaved, onCancel }) {
  useEffect(() => document.getElementById('holdings-name').focus(), []);
  return html`<section class="card"><h3>${custodian ? `Holdings at ${custodian.name}` : 'A new custodian'}</h3>
    <p class="muted">What you save replaces what this custodian held before.</p>
    <${HoldingsForm} id=${id} custodian=${custodian} onSaved=${onSaved} onCancel=${onCancel} /></section>`;
}

const Custodian = ({ of, onEdit }) => html`
  <section class="card"><header class="row"><h3><${Foreign} text=${of.name} /></h3>
    <button type="button" class="small" onClick=${onEdit}>Edit holdings<span class="quiet"> at ${of.name}</span></button></header>
    <p class="muted">${of.kind === 'paper' ? 'Paper custodian' : of.kind}, synced <${When} at=${of.syncedAt} /></p>
    <div class="scroll" tabindex="0" role="region" aria-label=${`Positions at ${of.name}`}><table>
      <thead><tr><th scope="col">Asset</th><th scope="col">Sleeve</th><th scope="col" class="num">Quantity</th><th scope="col" class="num">Price</th><th scope="col" class="num">Value</th></tr></thead>
      <tbody>
        ${of.positions.map((position) => html`<tr key=${position.symbol}><th scope="row">${position.symbol}</th><td>${sleeveName(position.assetType)}</td>
          <td class="num">${number(position.quantity)}</td><td class="num">${usd(position.price)}</td><td class="num">${worth(position.marketValue)}</td></tr>`)}
        <tr><th scope="row">Cash</th><td></td><td></td><td></td><td class="num">${usd(of.cash)}</td></tr>
      </tbody></table></div>
  </section>`;

function History({ asOf }) {
  const [days, setDays] = useState('30');
  const loaded = useLoad(() => get(`/portfolio/history?days=${days}`), [days, asOf]);
  return html`
    <section class="card over-time"><header class="row"><h2>Over time</h2>
      <${Field} id="days" label="Days" value=${days} onInput=${setDays}>${[30, 90, 366].map((count) => html`<option value=${count}>${count === 366 ? 'One year' : plural(count, 'day')}</option>`)}<//></header>
      <${Loaded} of=${loaded}>${({ days: history }) => (history.length === 0 ? html`<p class="muted">Nothing was recorded on these days.</p>` : html`
        <div class="two charts">
          <${LineChart} label="Value" points=${history.map((day) => ({ label: date(day.day), value: day.totalValue }))} format=${worth} />
          <${LineChart} label="Drawdown" kind="falling" from=${0} points=${history.map((day) => ({ label: date(day.day), value: day.currentDrawdownPct }))} format=${(value) => percent(value, 2)} />
        </div>
        <details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="History"><table>
          <thead><tr><th scope="col">Day</th><th scope="col" class="num">Value</th><th scope="col" class="num">Peak</th><th scope="col" class="num">Drawdown</th></tr></thead>
          <tbody>${[...history].reverse().map((day) => html`<tr key=${day.day}><th scope="row">${date(day.day)}</th><td class="num">${worth(day.totalValue)}</td>
            <td class="num">${worth(day.peakValue)}</td><td class="num">${percent(day.currentDrawdownPct, 2)}</td></tr>`)}</tbody></table></div></details>`)}<//>
    </section>`;
}
