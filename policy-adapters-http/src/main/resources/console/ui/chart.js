/** Charts, each with the same numbers in a table. */
import { html } from '../lib/html.js';

const WIDTH = 640;
const HEIGHT = 160;
/** One day is a column, and not the whole chart. */
const MIN_COLUMNS = 7;

/** A line over days. `points` are {label, value}; nulls are gaps. */
export function LineChart({ label, points, format, kind = '', from = null }) {
  const known = points.filter((p) => p.value !== null);
  const most = Math.max(...known.map((p) => p.value), 0);
  const least = from ?? Math.min(...known.map((p) => p.value));
  const span = most - least || most || 1;
  const x = (i) => (points.length === 1 ? WIDTH / 2 : (i / (points.length - 1)) * WIDTH);
  const y = (value) => HEIGHT - 8 - ((value - least) / span) * (HEIGHT - 16);
  const path = known.map((p) => `${x(points.indexOf(p)).toFixed(1)},${y(p.value).toFixed(1)}`).join(' ');
  const last = known.at(-1);
  return html`
    <figure class=${`chart ${kind}`}>
      <figcaption><span>${label}</span> ${last && html`<strong>${format(last.value)}</strong>`}</figcaption>
      <div class="plot">
        <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img"
          aria-label=${`${label}: from ${format(known[0]?.value)} to ${format(last?.value)}. The numbers are in the table below.`}>
          ${[8, HEIGHT / 2, HEIGHT - 8].map((at) => html`<line class="grid" x1="0" x2=${WIDTH} y1=${at} y2=${at} vector-effect="non-scaling-stroke" />`)}
          <polyline class="line" points=${path} vector-effect="non-scaling-stroke" />
          ${known.length === 1 && html`<line class="line dot" x1=${x(points.indexOf(last)) - 8} x2=${x(points.indexOf(last)) + 8} y1=${y(last.value)} y2=${y(last.value)} vector-effect="non-scaling-stroke" />`}
        </svg>
        <span class="scale top" aria-hidden="true">${format(most)}</span>
        <span class="scale bottom" aria-hidden="true">${format(least)}</span>
      </div>
      ${points.length === 1 ? html`<p class="hint">${points[0].label}: one day so far. The line begins with the second.</p>`
        : html`<div class="chart-ends" aria-hidden="true"><span>${points[0]?.label}</span><span>${points.at(-1)?.label}</span></div>`}
    </figure>`;
}

/** A column for each day, with a part of it marked. `name` describes the chart in plain text; `columns` are {label, value, part}. */
export function ColumnChart({ name, label, columns }) {
  const most = Math.max(1, ...columns.map((c) => c.value));
  const width = 100 / Math.max(columns.length, MIN_COLUMNS);
  const height = (value) => `${(value / most) * 100}%`;
  const top = (value) => `${100 - (value / most) * 100}%`;
  return html`
    <figure class="chart">
      <figcaption><span>${label}</span></figcaption>
      <div class="plot">
        <svg width="100%" height=${HEIGHT} role="img" aria-label=${`${name}. The numbers are in the table below.`}>
          ${['0.5', '50%', '99.7%'].map((at) => html`<line class="grid" x1="0" x2="100%" y1=${at} y2=${at} />`)}
          ${columns.map((column, i) => html`
            <rect class="column" x=${`${i * width + width * 0.15}%`} width=${`${width * 0.7}%`} y=${top(column.value)} height=${height(column.value)} />
            <rect class="column part" x=${`${i * width + width * 0.15}%`} width=${`${width * 0.7}%`} y=${top(column.part)} height=${height(column.part)} />`)}
        </svg>
        <span class="scale top" aria-hidden="true">${most}</span>
      </div>
      <div class="chart-ends" aria-hidden="true"><span>${columns[0]?.label}</span>${columns.length > 1 && html`<span>${columns.at(-1).label}</span>`}</div>
    </figure>`;
}

/** A part of a whole as a bar in a table cell. */
export const Share = ({ of, whole, kind = '' }) => html`
  <span class="share" aria-hidden="true"><span class=${kind} style=${{ width: `${whole > 0 ? Math.min(100, (of / whole) * 100) : 0}%` }}></span></span>`;
