/** Announces changes on the page to screen readers. */
import { html } from '../lib/html.js';

export const LiveRegion = () => html`<div id="live" class="quiet" role="status" aria-live="polite"></div>`;

/** Announces a sentence. The region is emptied first, so that the same sentence is announced again. */
export function announce(sentence) {
  const region = document.getElementById('live');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => { region.textContent = sentence; }, 50);
}
