/** The portfolio over days, in pictures and as a table: value, allocation and drawdown, their limits, and what happened. */
import { html, useState } from '../lib/html.js';
import { get, query } from '../lib/api.js';
import { date, percent, plural, worth } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { bounds, measures } from '../ui/bands.js';
import { LineChart } from '../ui/chart.js';
import { Field } from '../ui/field.js';
import { ErrorBox } from '../ui/states.js';
import { Foreign } from '../ui/text.js';

const DAY = 86400000;
const RECENT = 30;
const MAX_EVENTS = 200;
const MAX_VERSIONS = 50;
/** Events of a day that are shown under the pictures, the last. */
const SHOWN = 3;

/** A UTC day, as the service counts them, some days after another. */
const dayAfter = (day, days) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
const today = () => new Date().toISOString().slice(0, 10);
const dayOf = (instant) => instant.slice(0, 10);

/** Versions of the policy, newest first, back to the one in force on a day. */
async function versionsSince(day) {
  const versions = [];
  let cursor = null;
  do {
    const page = await get(query('/ips/versions', { documents: true, cursor }));
    versions.push(...page.versions);
    cursor = page.nextCursor;
  } while (cursor && versions.length < MAX_VERSIONS && dayOf(versions.at(-1).createdAt) > day);
  return versions;
}

/** Trades and changes of the policy, the newest of them. */
const eventsSince = async (day) => (await get(query('/activity', {
  kinds: 'broker.trade_observed,ips.created,ips.amended', from: `${day}T00:00:00Z`, limit: MAX_EVENTS }))).events;

/** Trade, pause or policy: what an event is marked as. */
function markOf({ eventType, ipsVersion, text }, versions) {
  if (eventType === 'broker.trade_observed') return { kind: 'trade', text };
  const isPaused = (version) => versions.find((one) => one.ipsVersion === version)?.paused ?? false;
  return { kind: isPaused(ipsVersion) === isPaused(ipsVersion - 1) ? 'policy' : 'pause', text };
}

/** Every day from the first that is known, each with the policy at its end and what happened. Where nothing changed, a day is as the one before. */
async function load(count, hasEvents) {
  const since = dayAfter(today(), -count);
  const [{ days }, versions, events] = await Promise.all([get(`/portfolio/history?days=${count}`), versionsSince(since), hasEvents ? eventsSince(since) : []]);
  const known = new Map(days.map((one) => [one.day, one]));
  const all = [];
  // The browser's clock may be behind.
  const last = [today(), days.at(-1)?.day ?? '', dayOf(versions[0]?.createdAt ?? '')].sort().at(-1);
  for (let day = days[0]?.day; day <= last && all.length <= count; day = dayAfter(day, 1)) {
    all.push({ ...(known.get(day) ?? all.at(-1)), day, isKnown: known.has(day),
      policy: versions.find(({ createdAt }) => dayOf(createdAt) <= day),
      marks: events.filter(({ createdAt }) => dayOf(createdAt) === day).map((event) => markOf(event, versions)).reverse() });
  }
  return all;
}

const share = (value) => percent(value, 2);

/** What is drawn: the value, and each measure with its limits. */
function series(days) {
  const rows = days.map((day) => measures(day.policy, day));
  return [
    { label: 'Value', format: worth, points: days.map(({ totalValue }) => ({ value: totalValue })) },
    ...measures().map(({ kind, name, isLimit }, i) => ({ label: name, kind, format: share, from: isLimit ? 0 : null, points: rows.map((row) => ({ ...row[i], value: row[i].before })) })),
  ];
}

const noteOf = ({ points }, at) => bounds(points[at] ?? {});

/** The last days, small. `version` says when to load them anew. */
export function RecentDays({ version }) {
  const loaded = useLoad(() => load(RECENT, false), [version]);
  const days = loaded.data ?? [];
  return html`
    <section class="card"><h2>Last ${RECENT} days</h2>
      <${ErrorBox} error=${loaded.error} retry=${loaded.reload} />
      <div class="recent">${series(days).map((one) => html`
        <${LineChart} key=${one.label} ...${one} note=${noteOf(one, days.length - 1)} at=${days.length - 1} elsewhere="on the page Portfolio" />`)}</div>
      <p><${Link} to="/portfolio">Day by day<//></p>
    </section>`;
}

/** All days of a time that is chosen, with what happened on them. `version` says when to load them anew. */
export function History({ version }) {
  const [count, setCount] = useState(String(RECENT));
  const [day, setDay] = useState(null);
  const loaded = useLoad(() => load(Number(count), true), [count, version]);
  const days = loaded.data ?? [];
  const found = days.findIndex((one) => one.day === day);
  const at = found < 0 ? days.length - 1 : found;
  const onAt = (i) => setDay(days[i].day);
  return html`
    <section class="card"><header class="row"><h2>Over time</h2>
      <${Field} id="days" label="Days" value=${count} onInput=${setCount}>${[RECENT, 90, 366].map((some) => html`<option value=${some}>${some === 366 ? 'One year' : plural(some, 'day')}</option>`)}<//></header>
      <${ErrorBox} error=${loaded.error} retry=${loaded.reload} />
      ${loaded.data?.length === 0 ? html`<p class="muted">Nothing was recorded on these days.</p>` : html`
        <div class="charts">${series(days).map((one) => html`
          <${LineChart} key=${one.label} ...${one} note=${noteOf(one, at)} at=${at} onAt=${onAt} days=${days} />`)}</div>
        <${Chosen} days=${days} at=${at} onAt=${onAt} />
        <${Table} of=${days} />`}
    </section>`;
}

const KINDS = [['trade', 'trade'], ['policy', 'change of the policy'], ['pause', 'pause or resume']];

/** The day that is looked at, and what happened on it. */
function Chosen({ days, at, onAt }) {
  const one = days[at];
  const words = one ? [date(one.day), ...one.marks.map(({ text }) => text)].join('. ') : '';
  return html`
    <ul class="legend">
      ${KINDS.map(([kind, name]) => html`<li><span class=${`flag ${kind}`}></span>${name}</li>`)}
      <li><svg width="22" height="3" aria-hidden="true"><line class="limit" x2="22" y1="1.5" y2="1.5" /></svg>limit of your policy</li></ul>
    <div class="chosen">
      <label for="day">Day</label>
      <input id="day" type="range" min="0" max=${Math.max(0, days.length - 1)} value=${at} aria-valuetext=${words} onInput=${(event) => onAt(Number(event.currentTarget.value))} />
      <p><strong>${one ? date(one.day) : ''}</strong> ${one && one.marks.length === 0 && html`<span class="muted">No trade, and no change of the policy.</span>`}</p>
      <ul class="plain">${one?.marks.slice(-SHOWN).map(({ kind, text }) => html`<li><span class=${`flag ${kind}`}></span><${Foreign} text=${text} /></li>`)}</ul>
      ${one?.marks.length > SHOWN && html`<p class="muted">And ${one.marks.length - SHOWN} before, in the table below.</p>`}
      ${days.length === 1 && html`<p class="muted">One day so far. The lines begin with the second.</p>`}
    </div>`;
}

/** The days on which something was recorded, newest first. */
function Table({ of: days }) {
  const cell = (row) => html`<td class="num">${share(row.before)}<br /><small>${bounds(row)}</small></td>`;
  return html`
    <details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="History"><table>
      <thead><tr><th scope="col">Day</th><th scope="col" class="num">Value</th><th scope="col" class="num">Peak</th>
        ${measures().map(({ name }) => html`<th scope="col" class="num">${name}</th>`)}<th scope="col" class="what-happened">What happened</th></tr></thead>
      <tbody>${days.filter(({ isKnown, marks }) => isKnown || marks.length > 0).reverse().map((day) => html`<tr key=${day.day}><th scope="row">${date(day.day)}</th>
        <td class="num">${worth(day.totalValue)}</td><td class="num">${worth(day.peakValue)}</td>${measures(day.policy, day).map(cell)}
        <td>${day.marks.map(({ text }) => html`<${Foreign} text=${text} /> `)}</td></tr>`)}</tbody></table></div></details>`;
}
