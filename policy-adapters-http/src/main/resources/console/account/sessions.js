/** Where the user is signed in, and how to end it. */
import { html } from '../lib/html.js';
import { get, remove } from '../lib/api.js';
import { useAction, useLoad } from '../lib/load.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { Badge, Foreign, When } from '../ui/text.js';

/** What a browser says of itself, and what it is called; most name others too, so the first that fits counts. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', FxiOS: 'Firefox', Chrome: 'Chrome', CriOS: 'Chrome', Safari: 'Safari' };
const SYSTEMS = { Android: 'Android', iPhone: 'iPhone', iPad: 'iPad', Windows: 'Windows', CrOS: 'ChromeOS', 'Mac OS X': 'macOS', Linux: 'Linux' };

/** "Chrome on Linux", or what a program says of itself that is no known browser. */
function programWords(agent) {
  const named = (names) => names[Object.keys(names).find((mark) => agent.includes(mark))];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : agent;
}

export function Sessions() {
  const loaded = useLoad(() => get('/sessions'));
  const ending = useAction();
  const end = (path, words) => () => ending.run(async () => {
    await remove(path);
    announce(words);
    await loaded.reload();
  });
  return html`
    <section class="card"><h2>Where you are signed in</h2>
      <${ErrorBox} error=${ending.error} />
      <${Loaded} of=${loaded}>${({ sessions }) => html`
        <ul class="rules">${sessions.map((session) => html`
          <li key=${session.id} data-session=${session.id}>
            <p title=${session.agent}><strong><${Foreign} text=${programWords(session.agent ?? 'An unknown program')} /></strong> ${session.isThis && html`<${Badge} kind="good">This one<//>`}${session.viewerId && html`<${Badge}>A viewer<//>`}</p>
            <p class="muted">From ${session.address}, since <${When} at=${session.createdAt} />, last used <${When} at=${session.lastUsedAt} isAgo /></p>
            ${!session.isThis && html`<div class="actions"><${Button} class="small danger-text" isBusy=${ending.isBusy} onClick=${end(`/sessions/${session.id}`, 'The session has ended.')}>End this session<//></div>`}
          </li>`)}</ul>
        ${sessions.length > 1 && html`<div class="actions"><${Button} isBusy=${ending.isBusy} onClick=${end('/sessions', 'All other sessions have ended.')}>End all others<//></div>`}`}<//>
    </section>`;
}
