/** Tells of changes on the page: to screen readers, and to everybody for a while. */
import { html } from '../lib/html.js';

const SHOWN = 6000;

let hiding;

export const LiveRegion = () => html`<div id="live" class="quiet" role="status" aria-live="polite"></div><p id="toast" aria-hidden="true" hidden></p>`;

/** Announces a sentence. The region is emptied first, so that the same sentence is announced again. */
export function announce(sentence) {
  const region = document.getElementById('live');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => { region.textContent = sentence; }, 50);
}

/** Announces a sentence, and shows it at the foot of the page for some seconds. */
export function toast(sentence) {
  announce(sentence);
  const shown = document.getElementById('toast');
  if (!shown) return;
  shown.textContent = sentence;
  shown.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { shown.hidden = true; }, SHOWN);
}
