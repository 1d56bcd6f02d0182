/** Charts, each with the same numbers in a table. */
import { html } from '../lib/html.js';
import { date } from '../lib/format.js';

const WIDTH = 640;
const HEIGHT = 160;
/** One day is a column, and not the whole chart. */
const MIN_COLUMNS = 7;

/**
 * A line over days, between its limits. `points` are {value, min, max}, without what there is not; `at` is the one whose numbers
 * are shown, and a pointer on the chart calls `onAt`. `days` are {day, marks} of the points, where they are drawn.
 */
export function LineChart({ label, note, points, format, kind = '', from = null, at, onAt, days, elsewhere = 'in the table below' }) {
  const isNumber = (value) => value !== null && value !== undefined;
  const values = points.map(({ value }) => value).filter(isNumber);
  const drawn = [...values, ...points.flatMap(({ min, max }) => [min, max]).filter(isNumber)];
  const most = drawn.length > 0 ? Math.max(...drawn) : 0;
  const least = from ?? (drawn.length > 0 ? Math.min(...drawn) : 0);
  const part = (i) => (points.length > 1 ? i / (points.length - 1) : 0.5 + i);
  const x = (i) => (part(i) * WIDTH).toFixed(1);
  const y = (value) => (HEIGHT - 8 - ((value - least) / (most - least || most || 1)) * (HEIGHT - 16)).toFixed(1);
  const limit = (member) => points.map((point, i) => (isNumber(point[member]) ? `M${x(i - 0.5)} ${y(point[member])}H${x(i + 0.5)}` : '')).join('');
  const allowed = points.map(({ min, max }, i) => (isNumber(min) || isNumber(max)
    ? `M${x(i - 0.5)} ${isNumber(max) ? y(max) : 0}H${x(i + 0.5)}V${isNumber(min) ? y(min) : HEIGHT}H${x(i - 0.5)}Z` : '')).join('');
  const line = points.map(({ value }, i) => (isNumber(value) ? `${x(i)},${y(value)}` : '')).join(' ');
  const point = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onAt(Math.max(0, Math.min(points.length - 1, Math.round(((event.clientX - left) / width) * (points.length - 1)))));
  };
  return html`
    <figure class=${`chart ${kind}`}>
      <figcaption><span>${label}${note && html` <small>${note}</small>`}</span> <strong>${isNumber(points[at]?.value) ? format(points[at].value) : ''}</strong></figcaption>
      <div class="plot" onPointerMove=${onAt && points.length > 0 ? point : undefined} onPointerDown=${onAt && points.length > 0 ? point : undefined}>
        <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img"
          aria-label=${`${label}: from ${format(values[0])} to ${format(values.at(-1))}. The numbers are ${elsewhere}.`}>
          <path class="allowed" d=${allowed} shape-rendering="crispEdges" />
          ${[8, HEIGHT / 2, HEIGHT - 8].map((height) => html`<line class="grid" x1="0" x2=${WIDTH} y1=${height} y2=${height} vector-effect="non-scaling-stroke" />`)}
          <path class="limit" d=${limit('min') + limit('max')} vector-effect="non-scaling-stroke" />
          <polyline class="line" points=${line} vector-effect="non-scaling-stroke" />
          ${points.length === 1 && values.length === 1 && html`<line class="line dot" x1=${WIDTH / 2 - 8} x2=${WIDTH / 2 + 8} y1=${y(values[0])} y2=${y(values[0])} vector-effect="non-scaling-stroke" />`}
        </svg>
        ${days?.map(({ day, marks }, i) => [...new Set(marks.map((mark) => mark.kind))].map((of) => html`
          <span key=${`${day} ${of}`} class=${`flag ${of}`} style=${{ left: `${part(i) * 100}%` }} aria-hidden="true"></span>`))}
        ${onAt && points.length > 0 && html`<span class="cursor" style=${{ left: `${part(at) * 100}%` }} aria-hidden="true"></span>`}
        <span class="scale most" aria-hidden="true">${values.length > 0 && format(most)}</span>
        <span class="scale least" aria-hidden="true">${values.length > 0 && format(least)}</span>
      </div>
      ${days && html`<div class="chart-ends" aria-hidden="true"><span>${date(days[0]?.day)}</span><span>${days.length > 1 && date(days.at(-1).day)}</span></div>`}
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
        <span class="scale most" aria-hidden="true">${most}</span>
      </div>
      <div class="chart-ends" aria-hidden="true"><span>${columns[0]?.label}</span>${columns.length > 1 && html`<span>${columns.at(-1).label}</span>`}</div>
    </figure>`;
}

/** A part of a whole as a bar in a table cell. */
export const Share = ({ of, whole, kind = '' }) => html`
  <span class="share" aria-hidden="true"><span class=${kind} style=${{ width: `${whole > 0 ? Math.min(100, (of / whole) * 100) : 0}%` }}></span></span>`;
