/** The shadow: a policy that is rehearsed beside the one in force and decides nothing. */
import { html } from '../lib/html.js';
import { post, put, query, remove } from '../lib/api.js';
import { useAction } from '../lib/load.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { tellScheduled } from '../ui/pause.js';
import { Loading } from '../ui/states.js';
import { When } from '../ui/text.js';
import { Relation, useComparison } from './comparison.js';
import { ReplayLine, Turned } from './replay.js';
import { Differences } from './review.js';
import { SavingError } from './tests.js';

/** Sets the shadow of the user, in place of any other. */
export async function setShadow(document) {
  await put('/ips/shadow', { document });
  announce('The draft runs as a shadow now. The policy in force still decides.');
}

/**
 * The shadow and what it would have done so far; nothing while none is set.
 *
 * @param of the shadow as it was loaded
 * @param onPromoted when it is in force or waits for it
 */
export function Shadow({ of: loaded, ips, onPromoted }) {
  const shadow = loaded.data ?? null;
  const acting = useAction();
  const comparison = useComparison(ips, shadow?.document ?? null);
  if (shadow === null) {
    return loaded.data === undefined && !loaded.error ? html`<section class="card"><h2>Shadow</h2><${Loading} what="Counting decisions since the shadow was set" /></section>` : null;
  }
  const promote = (ignoreTests) => acting.run(async () => {
    const answer = await post(query('/ips/shadow/promote', { ifVersion: ips?.ipsVersion }), { since: shadow.since, ...(ignoreTests ? { ignoreTests } : {}) });
    announce(answer.scheduled ? 'It allows more, so it waits before it comes into force.' : `The shadow is in force, as version ${answer.ipsVersion}.`);
    tellScheduled();
    await onPromoted();
    await loaded.reload();
    document.querySelector('h1').focus();
  });
  const end = () => acting.run(async () => {
    await remove('/ips/shadow');
    announce('The shadow is ended.');
    await loaded.reload();
    document.querySelector('h1').focus();
  });
  return html`
    <section class="card" data-shadow aria-labelledby="shadow"><h2 id="shadow">Shadow</h2>
      <p>This policy runs beside the one in force since <${When} at=${shadow.since} />. It decides nothing.</p>
      <${ReplayLine} of=${{ answer: shadow, error: null, isDone: !loaded.isLoading }} version=${ips?.ipsVersion} since=${true} />
      ${comparison && html`<${Relation} of=${comparison} before=${ips} after=${shadow.document} />`}
      <details><summary>What it changes</summary><${Differences} before=${ips} after=${shadow.document} /></details>
      ${shadow.results.length > 0 && html`<details><summary>Decisions that would differ</summary><${Turned} results=${shadow.results} /></details>`}
      <${SavingError} error=${acting.error} isBusy=${acting.isBusy} yes="Put it in force all the same" onIgnore=${() => promote(true)} />
      <div class="actions">
        <${Button} class="primary" isBusy=${acting.isBusy} busy="Working…" onClick=${() => promote(false)}>Put the shadow in force<//>
        <${Button} isBusy=${loaded.isLoading} busy="Counting…" onClick=${loaded.reload}>Count again<//>
        <${Button} isBusy=${acting.isBusy} onClick=${end}>End the shadow<//>
      </div>
    </section>`;
}
