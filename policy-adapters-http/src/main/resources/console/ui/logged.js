/** Where an event is in the transparency log of the service. */
import { html } from '../lib/html.js';
import { bytes } from '../lib/api.js';
import { dateTime, number } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { claimed, readProof } from '../proof/tlog.js';

/** The proof of an event; null while the log does not have it, or where no log is kept. */
async function proofOf(seq) {
  try {
    return readProof(await bytes(`/api/app/v1/events/${seq}/proof`));
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** Says where an event is in the log and who has witnessed it, with a download of the proof. The proof page checks it. */
export function Logged({ seq }) {
  const { data: proof, error } = useLoad(() => proofOf(seq), [seq]);
  if (error || proof === undefined) return null;
  if (proof === null) return html`<p class="muted" data-logged="">Not in the log yet.</p>`;
  const { count, at } = claimed(proof);
  return html`<p data-logged=${proof.index}>In the log at ${number(proof.index)}, ${count === 0 ? 'not witnessed' : `witnessed by ${count}`}${at > 0 && `, at ${dateTime(new Date(at * 1000).toISOString())}`}.
    <a href=${`/api/app/v1/events/${seq}/proof`} download=${`${seq}.tlog-proof`}>Download the proof</a></p>`;
}
