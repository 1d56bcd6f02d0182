/** The allocation against its bands: one line per measure, all on the same scale from 0 to 100 %. */
import { html } from '../lib/html.js';
import { percent } from '../lib/format.js';

const x = (fraction) => `${Math.min(1, Math.max(0, fraction)) * 100}%`;

/** The measures of a portfolio under an IPS; `after` only if a trade is shown. */
export function measures(ips, before, after) {
  const row = (kind, name, member, band) => ({ kind, name, ...band, before: before?.[member], after: after?.[member] });
  return [
    row('crypto', 'Crypto', 'cryptoPct', ips?.crypto ?? {}),
    row('tradfi', 'Traditional', 'tradfiPct', ips?.tradfi ?? {}),
    row('cash', 'Cash', 'cashPct', { min: ips?.cashFloor, isFloor: true }),
    row('drawdown', 'Drawdown', 'currentDrawdownPct', { max: ips?.maxDrawdown, isLimit: true }),
  ];
}

const isNumber = (value) => value !== undefined && value !== null;

const isOutside = (row, value) => isNumber(value)
  && ((row.min !== undefined && value < row.min - 1e-9) || (row.max !== undefined && value > row.max + 1e-9));

const isBand = (row) => row.min !== undefined && row.max !== undefined;

/** The bounds of a measure in words. */
export function bounds(row) {
  if (row.isFloor) return row.min === undefined ? '' : `floor ${percent(row.min)}`;
  if (row.isLimit) return row.max === undefined ? '' : `limit ${percent(row.max)}`;
  return isBand(row) ? `band ${percent(row.min)} to ${percent(row.max)}` : '';
}

/** The bounds in short form for a column. */
function shortBounds(row) {
  if (row.isFloor || row.isLimit) return bounds(row);
  return isBand(row) ? `${percent(row.min).slice(0, -1)}–${percent(row.max)}` : '';
}

const aligned = (fraction) => `${(fraction * 100).toFixed(1)}%`;

function words(row) {
  const parts = [];
  if (isNumber(row.before)) parts.push(`${percent(row.before)} now`);
  if (isNumber(row.after)) parts.push(`${percent(row.after)} after`);
  if (row.target !== undefined) parts.push(`target ${percent(row.target)}`);
  if (bounds(row)) parts.push(bounds(row));
  if (isOutside(row, row.after ?? row.before)) parts.push('outside of its bounds');
  return `${row.name}: ${parts.join(', ')}`;
}

function Line({ row }) {
  const last = row.after ?? row.before;
  const from = row.min ?? 0;
  const width = Math.max(0, (row.max ?? 1) - from);
  const out = isOutside(row, last) ? ' outside' : '';
  return html`
    <svg class=${`band ${row.kind}${out}`} role="img" aria-label=${words(row)} width="100%" height="26">
      <rect class="track" x="0" y="9" width="100%" height="8" rx="4" />
      ${bounds(row) && html`<rect class="allowed" x=${x(from)} y="5" width=${`${width * 100}%`} height="16" rx="3" />`}
      ${row.target !== undefined && html`<line class="target" x1=${x(row.target)} x2=${x(row.target)} y1="2" y2="24" />`}
      ${isNumber(row.after) && isNumber(row.before) && html`
        <line class="way" x1=${x(row.before)} x2=${x(row.after)} y1="13" y2="13" />
        <circle class="before" cx=${x(row.before)} cy="13" r="4.5" />`}
      ${isNumber(last) && html`<circle class="now" cx=${x(last)} cy="13" r="5.5" />`}
    </svg>`;
}

const Legend = ({ isChanging }) => html`
  <ul class="legend">
    <li><svg width="22" height="16" class="band" aria-hidden="true"><rect class="allowed" y="1" width="22" height="14" rx="3" /></svg>allowed by your policy</li>
    <li><svg width="8" height="18" class="band" aria-hidden="true"><line class="target" x1="4" x2="4" y1="0" y2="18" /></svg>target</li>
    <li><svg width="14" height="14" class="band crypto" aria-hidden="true"><circle class=${isChanging ? 'before' : 'now'} cx="7" cy="7" r=${isChanging ? 4.5 : 5.5} /></svg>your portfolio now</li>
    ${isChanging && html`<li><svg width="14" height="14" class="band crypto" aria-hidden="true"><circle class="now" cx="7" cy="7" r="5.5" /></svg>after the trade</li>`}
  </ul>`;

/** The picture of all measures with their numbers beside it. */
export function BandPicture({ ips, before, after, caption, hasLegend }) {
  return html`
    <figure class=${`bands ${after ? 'changing' : before ? 'standing' : ''}`}>
      ${caption && html`<figcaption>${caption}</figcaption>`}
      ${measures(ips, before, after).map((row) => html`
        <div class="band-row">
          <span class="band-name">${row.name}</span>
          <${Line} row=${row} />
          <span class="band-numbers" aria-hidden="true">
            ${isNumber(row.before) && html`<span class=${!isNumber(row.after) && isOutside(row, row.before) ? 'outside' : ''}>${aligned(row.before)}</span>`}
            ${isNumber(row.after) && html`<span class="arrow">→</span><strong class=${isOutside(row, row.after) ? 'outside' : ''}>${aligned(row.after)}</strong>`}
            <small>${shortBounds(row)}</small>
          </span>
        </div>`)}
      <div class="band-row axis" aria-hidden="true"><span></span>
        <span class="ticks"><i>0%</i><i>25%</i><i>50%</i><i>75%</i><i>100%</i></span><span></span></div>
      ${hasLegend && html`<${Legend} isChanging=${Boolean(after)} />`}
    </figure>`;
}
