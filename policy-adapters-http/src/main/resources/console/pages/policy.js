/** The policy: current version, draft, review and history. */
import { html, useEffect, useState } from '../lib/html.js';
import { TryForm } from '../agents/try-form.js';
import { get, getIfAny, put, query } from '../lib/api.js';
import { Approvals } from '../policy/approvals.js';
import { useAction, useDraft, useLoad } from '../lib/load.js';
import { usePlace } from '../lib/router.js';
import { isViewing, readKeys } from '../lib/viewing.js';
import { Relation, useComparison } from '../policy/comparison.js';
import { problems, toDocument, toDraft } from '../policy/draft.js';
import { PolicyForm, SectionLinks } from '../policy/form.js';
import { limitErrors } from '../policy/limits.js';
import { ReplayLine, useReplay } from '../policy/replay.js';
import { Review } from '../policy/review.js';
import { setShadow, Shadow } from '../policy/shadow.js';
import { TEMPLATES } from '../policy/templates.js';
import { SavingError, Tests, useTests } from '../policy/tests.js';
import { InWords, PolicyView } from '../policy/view.js';
import { Versions } from '../policy/versions.js';
import { differences } from '../policy/words.js';
import { Button } from '../ui/field.js';
import { announce, toast } from '../ui/live.js';
import { tellScheduled } from '../ui/pause.js';
import { ErrorBox, Loaded } from '../ui/states.js';
import { PageHead, When } from '../ui/text.js';

const load = async () => {
  const [ips, portfolio, { keys }] = await Promise.all([getIfAny('/ips'), get('/portfolio'), readKeys()]);
  return { ips, snapshot: portfolio.snapshot, names: new Map(keys.map((key) => [key.agentKeyId, key.name])) };
};

export function Policy() {
  const loaded = useLoad(load);
  return html`
    <${PageHead} title="Policy">${loaded.data?.ips && html`<p class="lead">Version ${loaded.data.ips.ipsVersion}, since <${When} at=${loaded.data.ips.createdAt} />. Every change is a new version and a signed event.${loaded.data.ips.drawdownSince && html` The drawdown is counted since <${When} at=${loaded.data.ips.drawdownSince} />.`}</p>`}<//>
    <${Loaded} of=${loaded}>${(data) => html`<${Dropped} of=${data.ips?.droppedScheduled} /><${Approvals} ips=${data.ips} names=${data.names} onChanged=${loaded.reload} />${isViewing() ? html`<${PolicyView} ips=${data.ips} snapshot=${data.snapshot} />` : html`<${Editor} ips=${data.ips} snapshot=${data.snapshot} onSaved=${loaded.reload} />`}`}<//>`;
}

/** Says that a policy that waited came to nothing. */
const Dropped = ({ of }) => of && html`<div class="notice"><p><strong>The policy that waited was dropped</strong> <${When} at=${of.droppedAt} />, because it was not valid any more: ${of.reason}</p></div>`;

/** Saves over the version that was reviewed. Over another one, whose changes would be undone without notice, it is refused. */
async function save(document, ips) {
  try {
    return await put(query('/ips', { ifVersion: ips?.ipsVersion }), document);
  } catch (error) {
    if (error.code !== 'changed') throw error;
    throw Object.assign(error, { message: `The policy was changed elsewhere. ${error.message}`, advice: 'The differences now refer to it. Review them again, then save.' });
  }
}

/** Focuses the first field with a problem; returns whether there is one. */
function focusProblem(draft) {
  const first = Object.keys(problems(draft))[0];
  if (first) document.getElementById(first)?.focus();
  return Boolean(first);
}

function Editor({ ips, snapshot, onSaved }) {
  const [kept, keep] = useDraft('policy', null);
  const [isReviewed, setReviewed] = useState(false);
  const [refused, setRefused] = useState(null);
  const saving = useAction();
  const draft = kept ?? toDraft(ips ?? TEMPLATES[1].document);
  const document_ = toDocument(draft);
  const isValid = Object.keys(problems(draft)).length === 0;
  const isChanged = !isValid || differences(ips, document_).length > 0;
  const compared = isValid && isChanged ? document_ : null;
  const comparison = useComparison(ips, compared);
  const replay = useReplay(ips, compared);
  const tests = useTests(ips, compared);
  const shadow = useLoad(() => getIfAny('/ips/shadow'), [ips?.ipsVersion]);
  const shadowing = useAction();
  useEffect(() => { if (isReviewed) document.getElementById('review')?.focus(); }, [isReviewed]);
  const change = (next) => {
    setReviewed(false);
    setRefused(null);
    keep(next);
  };
  const discard = () => {
    setReviewed(false);
    setRefused(null);
    keep(null);
    announce('The draft is discarded.');
  };
  const restore = (version) => {
    change(toDraft(version));
    announce(`Version ${version.ipsVersion} is the draft now. Review and save it to put it in force.`);
    document.querySelector('h1').focus();
  };
  const rehearse = () => shadowing.run(async () => {
    await setShadow(document_);
    await shadow.reload();
  });
  const store = (ignoreTests) => saving.run(async () => {
    let answer;
    try {
      answer = await save({ ...document_, ...(ignoreTests ? { ignoreTests } : {}) }, ips);
    } catch (error) {
      if (error.code !== 'tests_failed') await onSaved();
      throw error;
    }
    keep(null);
    setReviewed(false);
    toast(answer.scheduled ? 'Saved. It allows more, so it waits before it comes into force.' : `Saved as version ${answer.ipsVersion}.`);
    tellScheduled();
    await onSaved();
    document.querySelector('h1').focus();
  });
  return html`
    ${!ips && html`<div class="notice"><p><strong>There is no policy yet,</strong> so every trade is blocked. This draft is the balanced template; change what you like.</p></div>`}
    ${(isValid || ips) && html`<${InWords} ips=${isValid ? document_ : ips} before=${compared && ips} />`}
    <${SectionLinks} />
    <form class="card" onSubmit=${(event) => { event.preventDefault(); if (!focusProblem(draft)) setReviewed(true); }} novalidate>
      <${PolicyForm} draft=${draft} snapshot=${snapshot} limitErrors=${limitErrors(refused)} onChange=${change} />
      ${comparison && html`<${Relation} of=${comparison} before=${ips} after=${document_} keep=${tests.keep} />`}
      ${replay && !comparison?.error && html`<${ReplayLine} of=${replay} version=${ips?.ipsVersion} />`}
      <div class="actions bar">
        <button type="submit" class="primary" aria-disabled=${!isChanged ? 'true' : undefined}
          onClick=${(event) => { if (!isChanged) { event.preventDefault(); announce('Nothing has been changed.'); } }}>Review changes</button>
        ${kept && html`<button type="button" onClick=${discard}>Discard draft</button>`}
        ${!isChanged && html`<span class="muted">Nothing changed.</span>`}
      </div>
    </form>
    ${isReviewed && replay && html`
      <section class="card" aria-labelledby="review"><h2 id="review" tabindex="-1">Review before saving</h2>
        <${Review} before=${ips} document=${document_} comparison=${comparison} replay=${replay} onError=${setRefused} />
        <${SavingError} error=${saving.error} isBusy=${saving.isBusy} yes="Save it all the same" onIgnore=${() => store(true)} />
        <${ErrorBox} error=${shadowing.error} />
        <div class="actions"><${Button} class="primary" isBusy=${saving.isBusy} busy="Saving…" onClick=${() => store(false)}>Save as version ${(ips?.ipsVersion ?? 0) + 1}<//>
          ${ips && html`<${Button} isBusy=${shadowing.isBusy} onClick=${rehearse}>Run it as a shadow first<//>`}
          <button type="button" onClick=${() => setReviewed(false)}>Keep editing</button></div>
      </section>`}
    <${Shadow} of=${shadow} ips=${ips} onPromoted=${onSaved} />
    <${Tests} of=${tests} />
    ${ips && html`<${Try} ips=${ips} />`}
    ${ips && html`<${Versions} current=${ips.ipsVersion} onRestore=${restore} />`}`;
}

const Try = ({ ips }) => html`<section class="card" ref=${usePlace('try')}><h2>Try a trade</h2><${TryForm} ips=${ips} /></section>`;
