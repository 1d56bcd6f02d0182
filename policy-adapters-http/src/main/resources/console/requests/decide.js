/** The buttons of a request that waits: accept what was shown, or reject it with a reason. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { post } from '../lib/api.js';
import { tradeWords } from '../lib/format.js';
import { useAction } from '../lib/load.js';
import { failureOf, isUndecided, outcomeWords } from '../lib/orders.js';
import { signAcceptance } from '../lib/passkeys.js';
import { Link } from '../lib/router.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { Foreign } from '../ui/text.js';
import { Violations } from '../ui/violations.js';

/** How long Accept does nothing on a request that opened by itself: the second click of a double click was for the one before. */
const HOLD = 1000;

/** Answers that leave the request waiting and say why it was not accepted. */
const NOT_NOW = ['policy_blocked', 'changed'];

/** Why the last acceptance was not taken. */
function NotAccepted({ of: error, ips }) {
  const isBlocked = error.violations.length > 0;
  return html`
    <div class="notice bad" role="alert" data-refused=${error.code}>
      <p><strong>${isBlocked ? 'Not accepted: the policy does not allow this trade now.' : 'Not accepted: something changed since this was shown.'}</strong></p>
      ${isBlocked ? html`<${Violations} of=${error.violations} ips=${ips} /><p>Reject the request, or change the policy and accept again.</p>`
        : html`<p>Your policy or your holdings are not what they were. The card shows how it stands now; look again, then decide.</p>`}
    </div>`;
}

function RejectForm({ id, isBusy, onReject, onBack }) {
  const [reason, setReason] = useState('');
  const submit = (event) => {
    event.preventDefault();
    onReject(reason.trim() === '' ? {} : { reason: reason.trim() });
  };
  return html`
    <form class="reject" onSubmit=${submit}>
      <${Field} id=${`reason-${id}`} label="Why not? (optional)" hint="The agent reads this." rows="2" maxlength="500"
        value=${reason} onInput=${(text) => setReason(text.replace(/[\u0000-\u001f\u007f]+/g, ' '))} />
      <div class="actions">
        <${Button} type="submit" class="danger" isBusy=${isBusy} busy="Rejecting…">Reject this request<//>
        <button type="button" onClick=${onBack}>Back</button>
      </div>
    </form>`;
}

/** Accepts, and signs with a passkey where the user demands that of this amount; `onSigning` is told when that begins and ends. */
async function accepted(id, shown, onSigning) {
  const path = `/requests/${id}/accept`;
  try {
    return await post(path, { shown });
  } catch (error) {
    if (error.code !== 'passkey_required') throw error;
    onSigning(true);
    const passkey = await signAcceptance(id).finally(() => onSigning(false));
    return post(path, { shown, passkey });
  }
}

/**
 * Both buttons are there from the beginning, and neither ever moves: a finger on its way to one must not find the other.
 *
 * @param now the request as it would be decided now, which is what the user is shown, and accepting says so; undefined until
 *   it is known, and nothing can be accepted before
 * @param isNext whether the request opened by itself after another was decided
 * @param onDecided is told what became of it
 */
export function Decide({ request, now, ips, isNext = false, onDecided, onChange }) {
  const [isHeld, setHeld] = useState(isNext);
  useEffect(() => {
    const timer = isNext && setTimeout(() => setHeld(false), HOLD);
    return () => clearTimeout(timer);
  }, []);
  const [isRejecting, setRejecting] = useState(false);
  const [refused, setRefused] = useState(null);
  const [isSigning, setSigning] = useState(false);
  const accepting = useAction();
  const rejecting = useAction();
  const rejectButton = useRef(null);
  const isBusy = accepting.isBusy || rejecting.isBusy;
  const settle = async (answer) => {
    setRefused(null);
    try {
      const settled = await answer();
      announce(`${tradeWords(request.trade)}: ${outcomeWords(settled)}`);
      if (!isUndecided(settled)) onDecided?.(settled);
    } catch (error) {
      if (NOT_NOW.includes(error.code)) setRefused(error);
      else if (error.code !== 'already_resolved') throw error;
      announce(error.message);
    }
    await onChange();
  };
  const accept = () => accepting.run(() => settle(() => accepted(request.id, { ipsVersion: now.ipsVersion, portfolioRevision: now.portfolioRevision }, setSigning)));
  const reject = (body) => rejecting.run(() => settle(() => post(`/requests/${request.id}/reject`, body)));
  const askWhy = () => {
    setRejecting(true);
    setTimeout(() => document.getElementById(`reason-${request.id}`)?.focus());
  };
  const back = () => {
    setRejecting(false);
    setTimeout(() => rejectButton.current?.focus());
  };
  const isBlocked = now && !now.allowed;
  const isGood = now?.allowed && now.execution.possible;
  return html`
    ${failureOf(request) && html`<div class="notice bad" role="alert"><p><strong>Accepted, but not executed.</strong> <${Foreign} text=${failureOf(request)} /></p>
      <p>Look at your <${Link} to="/portfolio">holdings<//>, then accept again or reject.</p></div>`}
    ${refused && html`<${NotAccepted} of=${refused} ips=${ips} />`}
    <${ErrorBox} error=${accepting.error ?? rejecting.error} />
    ${isRejecting ? html`<${RejectForm} id=${request.id} isBusy=${isBusy} onReject=${reject} onBack=${back} />` : html`
      <div class="decide">
        <${Button} class=${isGood ? 'primary big' : 'big'} data-do="accept" isDisabled=${!now || isHeld} isBusy=${isBusy} busy=${isSigning ? 'Confirm with your passkey…' : 'Executing…'} onClick=${accept}>
          Accept<span class="quiet">: ${tradeWords(request.trade)}</span><//>
        <button type="button" class=${isBlocked ? 'primary big' : 'big'} data-do="reject" ref=${rejectButton} onClick=${askWhy}>
          Reject<span class="quiet">: ${tradeWords(request.trade)}</span></button>
      </div>`}`;
}
