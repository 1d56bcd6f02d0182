/** Tells screen readers what happened elsewhere on the page. */
import { html } from '../lib/html.js';

export const LiveRegion = () => html`<div id="live" class="quiet" role="status" aria-live="polite"></div>`;

/** Says one sentence; the region is emptied first, so that the same sentence is said again. */
export function announce(sentence) {
  const region = document.getElementById('live');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => { region.textContent = sentence; }, 50);
}
