/** Where an event is in the transparency log of the service. */
import { html, useState } from '../lib/html.js';
import { bytes, getIfAny } from '../lib/api.js';
import { dateTime, number } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { isViewing } from '../lib/viewing.js';
import { claimed, readProof } from '../proof/tlog.js';

/** A row is logged some seconds after it was written. */
const POLL = 5000;

/** The proof of an event; null while the log does not have it, or where no log is kept. */
async function proofOf(seq) {
  try {
    return readProof(await bytes(`/api/app/v1/events/${seq}/proof`));
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** How the log is doing; null before it has anything of the user, and for a viewer. */
export const ownLog = async () => (isViewing() ? null : getIfAny('/log'));

const witnessed = (count, log) => (log?.witnesses ? `witnessed by ${count} of ${log.witnesses.known}` : count === 0 ? 'not witnessed' : `witnessed by ${count}`);

/** Says where an event is in the log and who has witnessed it, with a download of the proof and the check in this browser. */
export function Logged({ seq }) {
  const { data, error, reload } = useLoad(async () => {
    const proof = await proofOf(seq);
    return { proof, log: proof && await ownLog() };
  }, [seq]);
  usePoll(() => { if (data?.proof === null) reload(); }, POLL);
  if (error || data === undefined) return null;
  if (data.proof === null) return html`<p class="muted" data-logged="">Not in the log yet.</p>`;
  const { count, at } = claimed(data.proof);
  return html`<p data-logged=${data.proof.index}>In the log at ${number(data.proof.index)}, ${witnessed(count, data.log)}${at > 0 && `, at ${dateTime(new Date(at * 1000).toISOString())}`}.</p>
    <p class="actions"><a href=${`/api/app/v1/events/${seq}/proof`} download=${`${seq}.tlog-proof`}>Download the proof</a> <${Link} to=${`/proof?logged=${seq}`}>Check it here<//></p>`;
}

/** The same, asked for only once it is opened. */
export function LoggedDetails({ seq }) {
  const [isOpen, setOpen] = useState(false);
  return seq !== undefined && html`<details class="logged" onToggle=${({ currentTarget }) => setOpen(currentTarget.open)}>
    <summary>Proof of its decision</summary>${isOpen && html`<${Logged} seq=${seq} />`}</details>`;
}
