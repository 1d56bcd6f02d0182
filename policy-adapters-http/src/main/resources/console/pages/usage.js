/** Usage: what agents called, how often it failed, and how long it took. */
import { html, useState } from '../lib/html.js';
import { get } from '../lib/api.js';
import { date, number, percent } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { readKeys } from '../lib/viewing.js';
import { ColumnChart, Share } from '../ui/chart.js';
import { Field } from '../ui/field.js';
import { Empty, Loaded } from '../ui/states.js';
import { Badge, Foreign, PageHead, When } from '../ui/text.js';

const load = async (days) => {
  const [usage, { keys }] = await Promise.all([get(`/usage?days=${days}`), readKeys()]);
  return { usage, names: new Map(keys.map((key) => [key.agentKeyId, key.name])) };
};

export function Usage() {
  const [days, setDays] = useState('7');
  const loaded = useLoad(() => load(days), [days]);
  usePoll(loaded.reload, 10000);
  return html`
    <${PageHead} title="Usage"><${Field} id="days" label="Days" value=${days} onInput=${setDays}>
      <option value="1">Today</option><option value="7">7 days</option><option value="30">30 days</option><//><//>
    <${Loaded} of=${loaded}>${({ usage, names }) => (usage.totals.total === 0
      ? html`<${Empty} title="No calls in these days"><p>Calls of your agents are counted here as soon as they are answered.</p><//>`
      : html`<${Report} of=${usage} names=${names} />`)}<//>`;
}

const Figure = ({ name, value, note }) => html`<div class="tile"><dt>${name}</dt><dd>${value}${note && html` <small>${note}</small>`}</dd></div>`;

const Report = ({ of: { totals, series, topPaths, topKeys, recent }, names }) => html`
  <dl class="tiles">
    <${Figure} name="Calls" value=${number(totals.total)} />
    <${Figure} name="Errors" value=${number(totals.errors)} note=${percent(totals.errors / totals.total, 2)} />
    <${Figure} name="Median" value=${`${number(totals.p50Latency)} ms`} />
    <${Figure} name="95th percentile" value=${`${number(totals.p95Latency)} ms`} />
  </dl>
  <section class="card"><h2>By day</h2>
    <${ColumnChart} name="Calls and errors by day" label=${html`Calls, <span class="legend-part">errors</span> marked`} columns=${series.map((day) => ({ label: date(day.day), value: day.total, part: day.errors }))} />
    <details><summary>As a table</summary><table>
      <thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="num">Calls</th><th scope="col" class="num">Errors</th></tr></thead>
      <tbody>${[...series].reverse().map((day) => html`<tr><th scope="row">${date(day.day)}</th><td class="num">${number(day.total)}</td><td class="num">${number(day.errors)}</td></tr>`)}</tbody></table></details>
  </section>
  <div class="two">
    <${Ranking} title="By path" head="Path" rows=${topPaths.map(({ path, count }) => ({ name: html`<code>${path.replace('/api/agent/v1', '')}</code>`, count }))} />
    <${Ranking} title="By agent" head="Agent" rows=${topKeys.map(({ agentKeyId, count }) => ({ name: html`<${Foreign} text=${names.get(agentKeyId) ?? 'unknown'} />`, count }))} />
  </div>
  <section class="card"><h2>Last calls</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Last calls"><table>
      <thead><tr><th scope="col">Path</th><th scope="col">Agent</th><th scope="col">Status</th><th scope="col" class="num">Took</th><th scope="col">When</th></tr></thead>
      <tbody>${recent.map((one) => html`<tr><td><code>${one.path.replace('/api/agent/v1', '')}</code></td><td><${Foreign} text=${names.get(one.agentKeyId) ?? 'unknown'} /></td>
        <td><${Badge} kind=${one.status >= 400 ? 'bad' : 'good'}>${one.status}<//></td><td class="num">${number(one.latencyMs)} ms</td><td><${When} at=${one.createdAt} /></td></tr>`)}</tbody></table></div>
  </section>`;

function Ranking({ title, head, rows }) {
  const most = Math.max(...rows.map((row) => row.count), 1);
  return html`<section class="card"><h2>${title}</h2><table class="ranking">
    <thead><tr><th scope="col">${head}</th><th scope="col" class="num">Calls</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}<${Share} of=${row.count} whole=${most} /></th><td class="num">${number(row.count)}</td></tr>`)}</tbody></table></section>`;
}
