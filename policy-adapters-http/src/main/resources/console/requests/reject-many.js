/** Rejects all waiting requests at once, or those of one agent. */
import { html, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { plural } from '../lib/format.js';
import { useAction } from '../lib/load.js';
import { Confirm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { announce } from '../ui/live.js';

/** As many as one call takes. */
const MAX_IDS = 1000;

/** @param waiting the requests that were shown; only these are rejected, not what arrives meanwhile */
export function RejectMany({ waiting, onDone }) {
  const [isAsking, setAsking] = useState(false);
  const [agent, setAgent] = useState('');
  const [reason, setReason] = useState('');
  const rejecting = useAction();
  const agents = new Map(waiting.map((request) => [request.agentKeyId, request.agentName]));
  const chosen = waiting.filter((request) => agent === '' || request.agentKeyId === agent);
  const reject = () => rejecting.run(async () => {
    const ids = chosen.map((request) => request.id);
    let count = 0;
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const { rejected } = await post('/requests/reject', { ids: ids.slice(from, from + MAX_IDS), ...(reason.trim() && { reason: reason.trim() }) });
      count += rejected;
    }
    setAsking(false);
    announce(`${plural(count, 'request')} rejected.`);
    await onDone(ids);
  });
  if (waiting.length < 2) return null;
  return html`
    <p><button type="button" class="small" onClick=${() => setAsking(true)}>Reject several…</button></p>
    ${isAsking && html`
      <${Confirm} title="Reject several requests" isDangerous yes=${`Reject ${plural(chosen.length, 'request')}`} isBusy=${rejecting.isBusy}
        error=${rejecting.error} onYes=${reject} onNo=${() => setAsking(false)}>
        <${Field} id="reject-agent" label="Which ones" value=${agent} onInput=${setAgent}>
          <option value="">All that wait (${waiting.length})</option>
          ${[...agents].map(([id, name]) => html`<option value=${id}>Those of ${name}</option>`)}<//>
        <${Field} id="reject-reason" label="Why not? (optional)" hint="The agents read this." maxlength="500" value=${reason}
          onInput=${(text) => setReason(text.replace(/[\u0000-\u001f\u007f]+/g, ' '))} />
      <//>`}`;
}
