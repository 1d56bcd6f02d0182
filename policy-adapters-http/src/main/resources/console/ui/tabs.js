/** Tabs: one panel at a time, chosen with the mouse or the arrow keys. */
import { html, useState } from '../lib/html.js';

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** `tabs` are `{ id, name, panel }`; `panel` draws what the tab shows. */
export function Tabs({ label, tabs }) {
  const [chosen, choose] = useState(tabs[0].id);
  const { id, panel } = tabs.find((tab) => tab.id === chosen);
  const move = (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((tab) => tab.id === chosen) + step + tabs.length) % tabs.length];
    choose(next.id);
    document.getElementById(`tab-${next.id}`).focus();
  };
  return html`
    <div class="tabs">
      <div role="tablist" aria-label=${label} onKeyDown=${move}>${tabs.map((tab) => html`
        <button type="button" role="tab" id=${`tab-${tab.id}`} aria-selected=${tab.id === chosen ? 'true' : 'false'} aria-controls=${`panel-${tab.id}`}
          tabindex=${tab.id === chosen ? '0' : '-1'} onClick=${() => choose(tab.id)}>${tab.name}</button>`)}</div>
      <div role="tabpanel" id=${`panel-${id}`} aria-labelledby=${`tab-${id}`} tabindex="0">${panel()}</div>
    </div>`;
}
