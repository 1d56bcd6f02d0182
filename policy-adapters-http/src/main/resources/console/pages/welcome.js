/** First steps: policy, holdings, key, and the agent's first decision. */
import { html, useEffect, useState } from '../lib/html.js';
import { get, getIfAny, put } from '../lib/api.js';
import { tradeWords } from '../lib/format.js';
import { useAction, useDraft, useLoad, usePoll } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { Assistants } from '../agents/assistants.js';
import { MintForm } from '../agents/key-form.js';
import { Secret } from '../agents/secret.js';
import { problems, toDocument, toDraft } from '../policy/draft.js';
import { PolicyForm } from '../policy/form.js';
import { limitErrors } from '../policy/limits.js';
import { saveSample } from '../policy/sample.js';
import { TEMPLATES } from '../policy/templates.js';
import { HoldingsForm } from '../portfolio/holdings-form.js';
import { BandPicture } from '../ui/bands.js';
import { Button } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { Badge, Foreign, PageHead, VerdictBadge } from '../ui/text.js';

const load = async () => {
  const [ips, portfolio, { keys }] = await Promise.all([getIfAny('/ips'), get('/portfolio'), get('/keys')]);
  return { ips, portfolio, keys };
};

/** Whether the service knows of holdings; while a custodian is not heard of, there is no snapshot of them. */
const isHeld = (portfolio) => Boolean(portfolio.snapshot ?? portfolio.stale);

export function Welcome() {
  const loaded = useLoad(load);
  useChanges(['keys'], loaded.reload);
  const [issued, setIssued] = useState(null);
  return html`
    <${PageHead} title="First steps"><p class="lead">Three steps until your agent can ask its first question.</p><//>
    <${Loaded} of=${loaded}>${({ ips, portfolio, keys }) => html`
      ${!isHeld(portfolio) && html`<${Sample} ips=${ips} portfolio=${portfolio} onSaved=${loaded.reload} />`}
      <ol class="steps">
        <${Step} number="1" title="Your policy" isDone=${Boolean(ips)} isNow=${!ips}>
          ${ips ? html`<p class="muted">Version ${ips.ipsVersion} is in force. <${Link} to="/policy">Look at it or change it<//></p>`
            : html`<${ChoosePolicy} snapshot=${portfolio.snapshot} onSaved=${loaded.reload} />`}<//>
        <${Step} number="2" title="What you hold" isDone=${isHeld(portfolio)} isNow=${Boolean(ips) && !isHeld(portfolio)}>
          ${portfolio.snapshot ? html`<${BandPicture} ips=${ips ?? undefined} before=${portfolio.snapshot} />`
            : isHeld(portfolio) ? html`<p class="muted"><${Foreign} text=${portfolio.stale.name} /> does not answer now. <${Link} to="/portfolio">Look at your portfolio<//></p>`
              : html`<p>Enter what you hold on paper: cash and a few positions are enough to begin. Or <${Link} to="/portfolio">connect an account at Alpaca<//>.</p>
              <${HoldingsForm} id="paper" custodian=${portfolio.custodians.find((one) => one.id === 'paper') ?? null} onSaved=${loaded.reload} />`}<//>
        <${Step} number="3" title="Connect an assistant" isDone=${keys.length > 0} isNow=${Boolean(ips) && isHeld(portfolio) && (keys.length === 0 || issued !== null)}>
          ${issued ? html`<${Secret} issued=${issued} /><${FirstDecision} />`
            : keys.length > 0 ? html`<p class="muted">There is one. <${Link} to="/agents">Look at your agents<//></p>`
              : html`<${Assistants} />
                <details><summary>Use a key</summary><${MintForm} onMinted=${(key) => { setIssued(key); loaded.reload(); announce('The key is minted. Copy it now.'); }} /></details>`}<//>
      </ol>
      <p>${ips && isHeld(portfolio) && keys.length > 0 ? html`<${Link} to="/requests">Go to your requests<//>` : html`<${Link} to="/">Finish later<//>`}</p>`}<//>`;
}

/** Fills in the first two steps with one click. */
function Sample({ ips, portfolio, onSaved }) {
  const saving = useAction();
  const save = () => saving.run(async () => {
    await saveSample({ ips, portfolio });
    announce('The sample is saved. Connect an assistant now.');
    await onSaved();
  });
  return html`
    <section class="card"><div class="row"><p>Only looking? Take ${ips ? '' : 'the growth policy and '}a paper portfolio of 100,000 USD, and change them later.</p>
      <${Button} isBusy=${saving.isBusy} busy="Saving…" onClick=${save}>Try with sample data<//></div>
      <${ErrorBox} error=${saving.error} /></section>`;
}

/** A step; only the next one is open. */
function Step({ number, title, isDone, isNow, children }) {
  useEffect(() => { if (isNow && number !== '1') document.getElementById(`step-${number}`)?.focus(); }, [isNow]);
  return html`
    <li class=${`card step ${isDone ? 'done' : ''} ${isNow ? 'now' : ''}`} aria-current=${isNow ? 'step' : undefined}>
      <h2 id=${`step-${number}`} tabindex="-1"><span class="step-number" aria-hidden="true">${isDone ? '✓' : number}</span>${title}
        ${isDone && html` <${Badge} kind="good">Done<//>`}</h2>
      ${(isDone || isNow) && children}
    </li>`;
}

function ChoosePolicy({ snapshot, onSaved }) {
  const [chosen, choose] = useState(1);
  const [kept, keep] = useDraft('first-policy', null);
  const [isOpen, setOpen] = useState(kept !== null);
  const saving = useAction();
  const document_ = kept ? toDocument(kept) : TEMPLATES[chosen].document;
  const save = (event) => {
    event.preventDefault();
    const first = kept && Object.keys(problems(kept))[0];
    if (first) {
      setOpen(true);
      setTimeout(() => document.getElementById(first)?.focus());
      return;
    }
    saving.run(async () => {
      const saved = await put('/ips', document_);
      keep(null);
      announce(`Saved. Version ${saved.ipsVersion} of your policy is in force.`);
      await onSaved();
    });
  };
  return html`
    <form onSubmit=${save} novalidate>
      <fieldset class="templates"><legend>Begin with a template</legend>
        ${TEMPLATES.map((template, i) => html`
          <label class=${!kept && i === chosen ? 'template chosen' : 'template'}>
            <input type="radio" name="template" checked=${!kept && i === chosen} onChange=${() => { choose(i); keep(null); }} />
            <span><strong>${template.name}</strong><small>${template.words}</small></span>
          </label>`)}
      </fieldset>
      ${isOpen ? html`<${PolicyForm} draft=${kept ?? toDraft(document_)} snapshot=${snapshot} limitErrors=${limitErrors(saving.error)} onChange=${keep} />`
        : html`<${BandPicture} ips=${document_} before=${snapshot ?? undefined} caption="The bands of this policy" />`}
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${saving.isBusy} busy="Saving…">Use ${kept ? 'your own policy' : `the ${TEMPLATES[chosen].name.toLowerCase()} policy`}<//>
        ${!isOpen && html`<button type="button" onClick=${() => setOpen(true)}>Write your own</button>`}</div>
    </form>`;
}

/** Waits for the agent's first call and shows its answer. */
function FirstDecision() {
  const feed = useLoad(() => get('/audit?limit=1'));
  usePoll(() => { if (feed.data?.length === 0) feed.reload(); }, 2000);
  const first = feed.data?.[0];
  useEffect(() => { if (first) announce(`Your agent asked: ${tradeWords(first.payload)}. ${first.reason}`); }, [first?.id]);
  if (!first) return html`<p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>Waiting for the first question of your agent…</p>`;
  return html`<div class="notice good"><p><strong>Your agent asked:</strong> ${tradeWords(first.payload)}. <${VerdictBadge} allowed=${first.allowed} /> ${first.reason}.</p>
    <p><${Link} to="/activity?kinds=guardrail.decision">See the full decision<//></p></div>`;
}
