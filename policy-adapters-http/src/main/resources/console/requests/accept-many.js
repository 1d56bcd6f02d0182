/** Accepts several waiting requests together: all of them or none, in one call, after a time to think again. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { plural, tradeWords, usd } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { signAcceptances } from '../lib/passkeys.js';
import { projected } from '../lib/projection.js';
import { BandPicture } from '../ui/bands.js';
import { Dialog } from '../ui/dialog.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { AgentBadge } from '../ui/text.js';
import { Violations } from '../ui/violations.js';
import { PasskeyDemand } from './facts.js';
import { fits, Share, Standing, verdictsById } from './row.js';

/** As many as one call takes. */
const MAX = 50;
const UNDO_SECONDS = 5;

/** The requests as they would be decided now, oldest first, and what that is based on. */
async function reviews(waiting) {
  const { shown, verdicts } = await verdictsById();
  return { shown, requests: waiting.filter(({ id }) => verdicts.has(id)).map((request) => ({ ...request, verdict: verdicts.get(request.id) })) };
}

const sum = (requests, action) => requests.filter(({ trade }) => trade.action === action).reduce((all, { trade }) => all + trade.amountUsd, 0);

/** "Buys 3,000 USD and sells 1,000 USD." */
function together(chosen) {
  const [bought, sold] = [sum(chosen, 'buy'), sum(chosen, 'sell')];
  return [bought > 0 && `buys for ${usd(bought)}`, sold > 0 && `sells for ${usd(sold)}`].filter(Boolean).join(' and ');
}

/** Accepts, and signs the list with one passkey where the user demands that of its sum. */
async function accepted(body) {
  try {
    return await post('/requests/accept', body);
  } catch (error) {
    if (error.code !== 'passkey_required') throw error;
    return post('/requests/accept', { ...body, passkey: await signAcceptances(body.ids) });
  }
}

/** @param waiting the requests that wait, oldest first */
export function AcceptMany({ waiting, around, onDone }) {
  const [isAsking, setAsking] = useState(false);
  const [planned, plan] = useState(null);
  const [refused, setRefused] = useState(null);
  const sending = useAction();
  const send = (body) => sending.run(async () => {
    plan(null);
    try {
      const { requests } = await accepted(body);
      announce(`${plural(requests.length, 'request')} accepted.`);
    } catch (error) {
      if (!['policy_blocked', 'changed', 'already_resolved'].includes(error.code)) throw error;
      setRefused(error);
    }
    await onDone();
  });
  if (waiting.length < 2 && !planned && !sending.isBusy && !refused && !sending.error) return null;
  return html`
    ${planned && html`<${Planned} of=${planned} onSend=${send} onUndo=${() => { plan(null); announce('Nothing was accepted.'); }} />`}
    ${sending.isBusy && html`<p role="status">Accepting…</p>`}
    <${ErrorBox} error=${sending.error} />
    ${refused && html`
      <div class="notice bad" role="alert" data-refused=${refused.code}><p><strong>${refused.code === 'changed' ? 'Nothing was accepted: your policy or your holdings changed since this was shown.' : refused.message}</strong></p>
        ${refused.violations?.length > 0 && html`<${Violations} of=${refused.violations} ips=${around?.ips} />`}
        <p>Look again, then decide.</p></div>`}
    ${waiting.length > 1 && !planned && html`<p><button type="button" class="small" onClick=${() => { setRefused(null); sending.clear(); setAsking(true); }}>Accept several…</button></p>`}
    ${isAsking && html`<${Choice} waiting=${waiting} around=${around} onNo=${() => setAsking(false)} onYes=${(body) => { setAsking(false); plan(body); }} />`}`;
}

/** Counts down; nothing is sent before, nor if the page is left. */
function Planned({ of: body, onSend, onUndo }) {
  const [left, setLeft] = useState(UNDO_SECONDS);
  const undo = useRef(null);
  useEffect(() => {
    undo.current?.focus();
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => { if (left === 0) onSend(body); }, [left]);
  return html`
    <div class="notice" data-planned><p role="status"><strong>${plural(body.ids.length, 'request')} will be accepted in ${UNDO_SECONDS} seconds.</strong> Nothing is sent before, nor if you leave this page.</p>
      <div class="actions"><button type="button" class="primary" ref=${undo} onClick=${onUndo}>Undo</button><span aria-hidden="true">${Math.max(0, left)} s</span></div></div>`;
}

function Choice({ waiting, around, onYes, onNo }) {
  const looked = useLoad(() => reviews(waiting.slice(0, MAX)), []);
  const [excluded, exclude] = useState(new Set());
  const all = looked.data?.requests ?? [];
  const chosen = all.filter((request) => fits(request) && !excluded.has(request.id));
  const toggle = (id) => {
    const next = new Set(excluded);
    if (!next.delete(id)) next.add(id);
    exclude(next);
  };
  const before = around?.portfolio.snapshot ?? undefined;
  const after = chosen.reduce((snapshot, { trade }) => projected(snapshot, trade), before);
  const yes = () => onYes({ ids: chosen.map(({ id }) => id), shown: looked.data.shown });
  return html`
    <${Dialog} title="Accept several requests" onClose=${onNo} class="wide">
      <p>All of them or none are accepted, oldest first, each checked as if those before it were filled.</p>
      ${waiting.length > MAX && html`<p class="muted">The oldest ${MAX} of ${waiting.length} are listed.</p>`}
      <${ErrorBox} error=${looked.error} retry=${looked.reload} />
      ${looked.data === undefined && !looked.error && html`<p role="status">Checking the policy…</p>`}
      <ul class="choice">${all.map((request) => html`<${Row} key=${request.id} request=${request} isChosen=${chosen.includes(request)} onToggle=${() => toggle(request.id)} />`)}</ul>
      ${chosen.length > 0 && html`
        <p data-together><strong>Together:</strong> ${together(chosen)}.</p>
        <${BandPicture} ips=${around?.ips ?? undefined} before=${before} after=${after} caption="Your allocation now and after all of them" />
        <${PasskeyDemand} amountUsd=${chosen.reduce((all, { trade }) => all + trade.amountUsd, 0)} />`}
      <div class="actions">
        <${Button} class="primary" isDisabled=${chosen.length === 0} onClick=${yes}>${`Accept ${plural(chosen.length, 'request')}`}<//>
        <button type="button" onClick=${onNo}>Cancel</button>
      </div>
    <//>`;
}

const Row = ({ request, isChosen, onToggle }) => html`
  <li><label class="tick"><input type="checkbox" checked=${isChosen} disabled=${!fits(request)} onChange=${onToggle} />
    <span><strong>${tradeWords(request.trade)}</strong> <${AgentBadge} name=${request.agentName} /> <${Share} of=${request} /> <${Standing} of=${request} /></span></label></li>`;
