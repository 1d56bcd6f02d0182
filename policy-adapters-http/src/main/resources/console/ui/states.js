/** Placeholders of a page: loading, an error, no content yet. */
import { html } from '../lib/html.js';

export const Loading = ({ what = 'Loading' }) => html`
  <p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>${what}…</p>`;

/** An error, what to do about it, and a button to try again if that can help. */
export function ErrorBox({ error, retry }) {
  if (!error) return null;
  const details = error.violations ?? [];
  return html`
    <div class="notice bad" role="alert">
      <p><strong>${error.message}</strong></p>
      ${details.length > 1 && html`<ul>${details.map((one) => html`<li>${one.message}</li>`)}</ul>`}
      <p>${error.advice ?? 'Reload the page and try again.'}</p>
      ${retry && html`<button type="button" class="small" onClick=${retry}>Try again</button>`}
    </div>`;
}

export const Empty = ({ title, children }) => html`
  <div class="empty"><p class="empty-title">${title}</p>${children}</div>`;

/** Shows loaded content, or why there is none yet. */
export function Loaded({ of, children }) {
  const problem = html`<${ErrorBox} error=${of.error} retry=${of.reload} />`;
  if (of.data === undefined) return of.error ? problem : html`<${Loading} />`;
  return html`${problem}${children(of.data)}`;
}
