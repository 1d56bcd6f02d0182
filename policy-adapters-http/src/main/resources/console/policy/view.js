/** The policy in force, for a viewer: in a picture and in words. */
import { html } from '../lib/html.js';
import { BandPicture } from '../ui/bands.js';
import { Facts } from '../ui/text.js';
import { Versions } from './versions.js';
import { differences, policyWords } from './words.js';

/**
 * A policy in sentences.
 *
 * @param before the policy that it would replace, whose sentences are not marked; null for none
 */
export const InWords = ({ ips, before = null }) => {
  const known = new Set(policyWords(before ?? ips));
  return html`
    <section class="card" data-in-words><h2>${before ? 'Your draft in words' : 'In words'}</h2>
      <ul class="plain">${policyWords(ips).map((sentence, i) => html`<li key=${i}>${known.has(sentence) ? sentence : html`<strong>${sentence}</strong> <small>new</small>`}</li>`)}</ul>
    </section>`;
};

export const PolicyView = ({ ips, snapshot }) => (ips === null
  ? html`<div class="notice"><p><strong>There is no policy yet,</strong> so every trade is blocked.</p></div>`
  : html`
    <${InWords} ips=${ips} />
    <section class="card"><h2>In force</h2>
      <${BandPicture} ips=${ips} before=${snapshot ?? undefined} hasLegend caption=${snapshot ? 'The portfolio today against this policy' : 'The bands of this policy'} />
      <${Facts} of=${differences(null, ips).map(({ what, to }) => [what, to])} />
    </section>
    <${Versions} current=${ips.ipsVersion} />`);
