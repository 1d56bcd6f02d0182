/** Placeholders of a page: loading, an error, no content yet. */
import { html, useEffect, useState } from '../lib/html.js';
import { reach } from '../lib/api.js';
import { dateTime } from '../lib/format.js';

export const Loading = ({ what = 'Loading' }) => html`
  <p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>${what}…</p>`;

/** The path of a field of the API at the beginning of a message, such as `policy.dailyUsdCap` or `limits[0].maxTrades`. */
const FIELD = /^[a-z][A-Za-z]*(?:\[\d+\])?(?:\.[A-Za-z]+(?:\[\d+\])?)*(?= (?:must|may|is|has)\b)/;
const UNITS = { usd: 'USD', pct: 'percent', cidrs: 'networks', aum: 'outstanding' };

/** A message that names fields as people know them: "Daily USD cap must be at least 0." */
function plain(message) {
  return message.replace(FIELD, (path) => {
    const words = path.replace(/^(policy|subscription|notices)\./, '').replace(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`)
      .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('.', ', ')
      .split(' ').map((word) => UNITS[word] ?? word).join(' ');
    return words[0].toUpperCase() + words.slice(1);
  });
}

/** An error, what to do about it, and a button to try again if that can help. */
export function ErrorBox({ error, retry }) {
  if (!error) return null;
  const details = error.violations ?? [];
  return html`
    <div class="notice bad" role="alert">
      <p><strong>${plain(error.message)}</strong></p>
      ${details.length > 1 && html`<ul>${details.map((one) => html`<li>${plain(one.message)}</li>`)}</ul>`}
      <p>${error.advice ?? 'Reload the page and try again.'}</p>
      ${retry && html`<button type="button" class="small" onClick=${retry}>Try again</button>`}
    </div>`;
}

export const Empty = ({ title, children }) => html`
  <div class="empty"><p class="empty-title">${title}</p>${children}</div>`;

/** Says once for the whole page that the service is away, and of when is what it shows. */
export function AwayBanner() {
  const [isAway, setAway] = useState(reach.isAway);
  useEffect(() => {
    const look = () => setAway(reach.isAway);
    reach.addEventListener('reach', look);
    return () => reach.removeEventListener('reach', look);
  }, []);
  return isAway && html`<div class="paused-banner" role="status" data-away><p><strong>The service cannot be reached.</strong> What you see is of ${dateTime(new Date(reach.at).toISOString())}; it is asked again by itself.</p></div>`;
}

/** Shows loaded content, or why there is none yet. Old content of a service that is away stays as it is, see `AwayBanner`. */
export function Loaded({ of, children }) {
  const isOld = of.data !== undefined && of.error?.code === 'unreachable';
  const problem = !isOld && html`<${ErrorBox} error=${of.error} retry=${of.reload} />`;
  if (of.data === undefined) return of.error ? problem : html`<${Loading} />`;
  return html`${problem}${children(of.data)}`;
}
