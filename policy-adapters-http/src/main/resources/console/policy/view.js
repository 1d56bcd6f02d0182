/** The policy in force, for a viewer: in a picture and in words. */
import { html } from '../lib/html.js';
import { BandPicture } from '../ui/bands.js';
import { Facts } from '../ui/text.js';
import { Versions } from './versions.js';
import { differences } from './words.js';

export const PolicyView = ({ ips, snapshot }) => (ips === null
  ? html`<div class="notice"><p><strong>There is no policy yet,</strong> so every trade is blocked.</p></div>`
  : html`
    <section class="card"><h2>In force</h2>
      <${BandPicture} ips=${ips} before=${snapshot ?? undefined} hasLegend caption=${snapshot ? 'The portfolio today against this policy' : 'The bands of this policy'} />
      <${Facts} of=${differences(null, ips).map(({ what, to }) => [what, to])} />
    </section>
    <${Versions} current=${ips.ipsVersion} />`);
