/** Small pieces of text that many pages show. */
import { html, useState } from '../lib/html.js';
import { ago, dateTime, visible } from '../lib/format.js';
import { isUnderWay } from '../lib/orders.js';
import { announce } from './live.js';

/** Text from outside. It is never markup and cannot reorder the text around it. */
export const Foreign = ({ text }) => html`<bdi class="foreign" dir="auto">${visible(text).map((part) =>
  (part.mark ? html`<span class="mark" title="An invisible character in the original text">${part.mark}</span>` : part.text))}</bdi>`;

export const When = ({ at, isAgo }) => html`
  <time datetime=${at} title=${isAgo ? dateTime(at) : at}>${isAgo ? ago(at) : dateTime(at)}</time>`;

export const Badge = ({ kind, children }) => html`<span class=${`badge ${kind ?? ''}`}>${children}</span>`;

const STATUS = { pending: ['wait', 'Waiting for you'], completed: ['good', 'Completed'], rejected: ['bad', 'Rejected'] };

/** Reasons that the service gives, not the user. */
const REASONS = { expired: 'Expired', canceled: 'Cancelled' };

export function StatusBadge({ request }) {
  const [kind, words] = request.execution?.status === 'partially_filled' ? ['good', 'Partly done']
    : isUnderWay(request) ? ['wait', 'Order under way'] : STATUS[request.status] ?? ['', request.status];
  return html`<${Badge} kind=${kind}>${REASONS[request.reason] ?? words}<//>`;
}

export const VerdictBadge = ({ allowed }) => html`
  <${Badge} kind=${allowed ? 'good' : 'bad'}>${allowed ? 'Allowed' : 'Blocked'}<//>`;

/** The agent that proposed: an icon and the name of its key. */
export const AgentBadge = ({ name }) => html`
  <span class="agent">
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path fill="none" stroke="currentColor"
      stroke-width="1.5" d="M8 1v3M3.5 4.5h9a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1zM6 7.5v2M10 7.5v2M5.5 15h5" /></svg>
    <span class="quiet">Agent </span><${Foreign} text=${name} />
  </span>`;

/** What tells a key from others: the end of its secret, or the host of the program that was connected. */
export const KeyMark = ({ of: key }) => (key.client ? html`<${Badge}>Connected: <${Foreign} text=${key.client.host} /><//>` : html`<code title="The end of its key">…${key.last4}</code>`);

/** Text to copy, with a button that confirms it. */
export function Copyable({ text, label }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce('Copying is not possible here. Select the text and copy it.');
      return;
    }
    setCopied(true);
    announce(`${label} copied.`);
    setTimeout(() => setCopied(false), 2500);
  };
  return html`
    <div class="copyable">
      <pre tabindex="0" aria-label=${label}><code>${text}</code></pre>
      <button type="button" class="small" onClick=${copy}>${isCopied ? 'Copied' : `Copy`}<span class="quiet"> ${label}</span></button>
    </div>`;
}

/** An aligned list of names and values. */
export const Facts = ({ of }) => html`
  <dl class="facts">${of.filter(Boolean).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const PageHead = ({ title, children }) => html`
  <header class="page-head"><h1 tabindex="-1">${title}</h1>${children}</header>`;
