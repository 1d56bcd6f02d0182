/** The page on which the user consents to a connection: who asks, the policy, and what the program may do (docs/reference/connections.md). */
import { html, useState } from '../lib/html.js';
import { get, getIfAny, post } from '../lib/api.js';
import { useLoad } from '../lib/load.js';
import { confirmed } from '../lib/passkeys.js';
import { Link } from '../lib/router.js';
import { ConsentForm } from '../agents/key-form.js';
import { BandPicture } from '../ui/bands.js';
import { Confirmation } from '../ui/confirmation.js';
import { announce } from '../ui/live.js';
import { Loaded } from '../ui/states.js';
import { Badge, Foreign, PageHead, When } from '../ui/text.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const load = async (id) => {
  const [request, ips] = await Promise.all([get(`/connections/${id}`), getIfAny('/ips')]);
  return { request, ips };
};

export function Connect({ id }) {
  const loaded = useLoad(() => load(id), [id]);
  const [left, setLeft] = useState(null);
  if (left) return html`<${Left} to=${left} />`;
  return html`
    <${PageHead} title="Connect a program"><p class="lead">It will act for you, within your policy and the limits that you set here.</p><//>
    <${Loaded} of=${loaded}>${({ request, ips }) => html`<${Request} id=${id} request=${request} ips=${ips} onLeave=${setLeft} />`}<//>`;
}

/** Sends the browser back to the program. A program that is no page opens beside this one, which stays. */
function leave(address, onLeave) {
  announce('Going back to the program.');
  onLeave(address);
  location.assign(address);
}

function Request({ id, request, ips, onLeave }) {
  const [unconfirmed, setUnconfirmed] = useState(null);
  const path = `/connections/${id}/approve`;
  const approve = async (body, confirmation = null) => leave((await confirmed('POST', path, body, confirmation)).redirectTo, onLeave);
  const send = async (body) => {
    try {
      await approve(body);
    } catch (error) {
      if (error.code !== 'confirmation_required') throw error;
      setUnconfirmed(body);
    }
  };
  const refuse = async () => leave((await post(`/connections/${id}/deny`, {})).redirectTo, onLeave);
  return html`
    <section class="card asking" aria-label="Who asks">
      <${Who} client=${request.client} />
      ${request.replaces && html`<p class="notice"><span>It takes the place of your connection <strong><${Foreign} text=${request.replaces.name} /></strong>, and keeps what that has used today.</span></p>`}
      <p class="muted">Answer until <${When} at=${request.expiresAt} />.</p>
    </section>
    <section class="card"><h2>Your policy</h2>
      ${ips ? html`<${BandPicture} ips=${ips} caption="It cannot be passed by any program" />`
        : html`<p class="notice"><span>You have no policy yet, so every trade is blocked until you <${Link} to="/welcome">set one<//>. You can connect the program now.</span></p>`}
    </section>
    <section class="card"><h2>What it may do</h2>
      <${ConsentForm} asked=${request.scopes} name=${request.client.name ?? request.client.host} onSend=${send} onRefuse=${refuse} /></section>
    ${unconfirmed && html`<${Confirmation} title="Connect this program?" yes="Connect" act=${(confirmation) => approve(unconfirmed, confirmation)} onNo=${() => setUnconfirmed(null)}>
      <p>Show first that it is you, so that nobody who finds this browser open can connect a program.</p><//>`}`;
}

/** The host in large letters; the name that the program gives itself is smaller, since nobody has checked it. */
function Who({ client }) {
  const isHere = LOOPBACK.includes(client.redirectHost);
  return html`
    <p class="host"><${Foreign} text=${client.host} /></p>
    <p>${client.name ? html`It calls itself <strong><${Foreign} text=${client.name} /></strong>.` : 'It gives no name that can be shown.'}
      ${client.isVerifiedHost ? html` <${Badge} kind="good">described at this host<//>` : html` <${Badge} kind="wait">not verified<//>`}</p>
    <p>${isHere ? html`It is <strong>a program on this computer</strong>. Connect it only if you have just asked it to.`
      : html`Your answer goes to <strong><${Foreign} text=${client.redirectHost} /></strong>. Connect it only if you know this name.`}</p>`;
}

/** The browser may stay here, if the program is one of this computer. */
const Left = ({ to }) => html`
  <${PageHead} title="Go back to the program"><p class="lead">It has your answer. You can close this page.</p><//>
  <p><a href=${to}>Nothing happened? Go to the program</a></p>
  <p><${Link} to="/agents">Look at your agents</${Link}></p>`;
