/** The proof: the whole chain of events, verified here in the browser with public keys only. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { bytes } from '../lib/api.js';
import { number, plural } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { canVerify } from '../proof/canonical.js';
import { giveRoot, givenRoot } from '../proof/memory.js';
import { verifyChain } from '../proof/run.js';
import { checkProof, inLog, readPolicy, readProof } from '../proof/tlog.js';
import { tookStep } from '../ui/first-steps.js';
import { announce } from '../ui/live.js';
import { Button, Field } from '../ui/field.js';
import { ownLog } from '../ui/logged.js';
import { ErrorBox } from '../ui/states.js';
import { Facts, PageHead, When } from '../ui/text.js';

const KIND_WORDS = {
  'ips.created': 'Policy created', 'ips.amended': 'Policy amended', 'key.minted': 'Keys minted', 'key.revoked': 'Keys revoked',
  'key.rotated': 'Keys rotated', 'guardrail.decision': 'Decisions', 'policy.drift_detected': 'Drifts out of a band',
  'policy.drift_cleared': 'Drifts that ended', paused: 'All agents paused', resumed: 'All agents resumed', approved: 'Approvals',
  'key.changed': 'Caps or other settings of keys changed', connection: 'Connections agreed to', 'broker.trade_observed': 'Trades at custodians', 'signing_key.rotated': 'Changes of the signing key',
  unfilled: 'Acceptances among the decisions of which nothing was filled',
};

/** How many signed acceptances and versions are named. */
const MAX_NAMED = 20;

export function Proof({ user }) {
  const [progress, setProgress] = useState(null);
  const [verdict, setVerdict] = useState(null);
  const [isAble, setAble] = useState(true);
  const running = useAction();
  const run = () => running.run(async () => {
    setVerdict(null);
    setProgress({ done: 0, whole: 0 });
    const able = await canVerify();
    setAble(able);
    if (!able) return;
    const found = await verifyChain(user.userId, setProgress);
    setVerdict(found);
    if (found.isWhole) tookStep('verify');
    announce(found.isWhole ? `Verified: ${plural(found.rows, 'event')}. ${firstUse(found)}` : `The chain is broken: ${why(found.broken)}.`);
  });
  useEffect(() => { run(); }, []);
  return html`
    <${PageHead} title="Proof"><p class="lead">Everything that shaped or used your policy is a signed event, chained to the one before. Your browser checks all of it now, with public keys only.</p><//>
    ${!isAble && html`<div class="notice bad" role="alert"><p><strong>This browser cannot check Ed25519 signatures here.</strong></p>
      <p>Open the console over https, or use an up-to-date browser. You can also download chain and keys with curl and check them with docs/verify/verify.mjs.</p></div>`}
    ${isAble && progress && html`<section class="card" aria-labelledby="check">
      <h2 id="check">${verdict === null ? 'Verifying' : verdict.isWhole ? 'The chain holds' : 'The chain is broken'}</h2>
      <${Progress} of=${verdict ? { ...progress, done: held(verdict) } : progress} isWhole=${verdict?.isWhole} isBroken=${verdict !== null && !verdict.isWhole} />
      ${verdict && html`<${Verdict} of=${verdict} />`}
      <${ErrorBox} error=${running.error} />
      <div class="actions"><${Button} isBusy=${running.isBusy} busy="Verifying…" onClick=${run}>Verify again<//>
        ${verdict && html`<${Downloads} of=${verdict} />`}</div>
    </section>`}
    ${verdict && html`<${Contents} of=${verdict} /><${Lookup} of=${verdict} /><${LogProof} of=${verdict} /><${Root} again=${run} />`}`;
}

const Progress = ({ of: { done, whole }, isWhole, isBroken }) => html`
  <div class=${`progress ${isWhole ? 'good' : isBroken ? 'bad' : ''}`}>
    <progress max=${whole || 1} value=${isWhole ? whole || 1 : done} aria-label="Events verified"></progress>
    <span class="num" data-verified=${done}>${number(done)} of ${number(whole)} events</span>
  </div>`;

const HOW_WORDS = { given: 'given to this browser', remembered: 'remembered by this browser' };

/** The keys that were trusted on first use; empty if all were known before. */
const firstUse = ({ trust }) => {
  const keys = trust.filter(({ how }) => how === 'trusted on first use').map(({ role, kid }) => `${role} ${kid}`);
  return keys.length === 0 ? '' : `Trusted on first use: ${keys.join(', ')}.`;
};

/** How many events hold. What is wrong with one may be found only after later ones were read. */
const held = ({ rows, broken }) => (broken ? Math.min(rows, (broken.seq ?? 1) - 1) : rows);

function holding(verdict) {
  const last = held(verdict);
  return last < 1 ? 'Nothing could be verified.' : `${last === 1 ? 'Event 1 holds' : `Events 1 to ${last} hold`}.`;
}

/** What is wrong, in words. */
const why = ({ why: what, seq, missing }) => (missing === 0 ? what
  : `${plural(missing, 'event')} ${missing === 1 ? 'is' : 'are'} missing, the signed head names event ${seq + missing - 1}`);

function Verdict({ of }) {
  if (!of.isWhole) {
    return html`<div class="notice bad"><p><strong>Broken ${of.broken.seq === null ? 'before the first event' : `at event ${of.broken.seq}`}:</strong> ${why(of.broken)}.</p>
      <p>${holding(of)} Download chain and keys, keep them, and ask the operator for an explanation.</p></div>
      <${Facts} of=${trusted(of)} />`;
  }
  if (of.rows === 0) return html`<p class="muted">There are no events yet.</p>`;
  return html`
    <div class="notice good"><p><strong>All ${plural(of.rows, 'event')} hold:</strong> nothing was changed, removed, inserted or reordered${of.kept ? `, and nothing this browser saw before (up to event ${of.kept.seq}) was rewritten` : ''}.</p>
      ${firstUse(of) && html`<p data-first-use>${firstUse(of)} This browser remembers these keys and refuses others from now on; compare them with what the operator says elsewhere.</p>`}
      ${of.erased > 0 && html`<p data-erased=${of.erased}>Of ${plural(of.erased, 'event')} the contents were erased, with signed evidence.</p>`}
      ${of.signed.length > 0 && html`<p data-signed=${of.signed.length}>You signed ${plural(of.signed.length, 'acceptance')} with a passkey: ${of.signed.length === 1 ? 'request' : 'requests'} ${of.signed.slice(-MAX_NAMED).join(', ')}${of.signed.length > MAX_NAMED ? ', the last of them' : ''}. The service cannot make these signatures.</p>`}
      ${of.signedVersions.length > 0 && html`<p data-signed-versions=${of.signedVersions.length}>You signed ${plural(of.signedVersions.length, 'version')} of your policy with a passkey: ${of.signedVersions.slice(-MAX_NAMED).join(', ')}${of.signedVersions.length > MAX_NAMED ? ', the last of them' : ''}.</p>`}</div>
    <${Facts} of=${[
      ['Last event', html`<span data-head-seq>${of.at.seq}</span>, <${When} at=${of.at.time} />`],
      ['Its hash', html`<code class="hash" data-head-hash>${of.at.hash}</code>`],
      ['Head signed at', of.head && html`<${When} at=${of.head.issuedAt} />`],
      ...[...of.keys].map(([kid, count]) => ['Signed by key', html`<code class="hash">${kid}</code> (${plural(count, 'event')})`]),
      ...trusted(of),
    ]} />`;
}

/** The keys that the result depends on, and why each is trusted. */
const trusted = ({ trust }) => trust.map(({ how, role, kid }) => [`Trusted ${role}`, html`<code class="hash">${kid}</code> (${HOW_WORDS[how] ?? how})`]);

/** After a key was compromised only a root key can vouch for the next one. A root key is never trusted because the service lists it. */
function Root({ again }) {
  const [kid, setKid] = useState(givenRoot() ?? '');
  const give = () => { giveRoot(kid.trim()); again(); };
  return html`
    <section class="card"><h2>The operator's root key</h2>
      <p class="muted">If the signing key was stolen, a root key vouches for the next one. Enter its id only as you know it from elsewhere than this service; this browser remembers it.</p>
      <${Field} id="root-key" label="Root key id" value=${kid} onInput=${setKid} spellcheck="false" autocomplete="off" />
      <div class="actions"><button type="button" onClick=${give}>Trust this root key</button></div>
    </section>`;
}

function save(name, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  announce(`${name} is downloaded.`);
}

/** The unchanged pages, so that anybody can check the same bytes. */
const Downloads = ({ of }) => html`
  <button type="button" onClick=${() => save('events.json', ['[', ...of.pages.flatMap((page, i) => (i === 0 ? [page] : [',\n', page])), ']'])}>Download the chain</button>
  <button type="button" onClick=${() => save('signing-keys.json', [of.manifest])}>Download the keys</button>`;

const Contents = ({ of }) => of.rows > 0 && html`
  <section class="card">
    ${of.isWhole && html`<h2>What is in it</h2><table><thead><tr><th scope="col">Kind</th><th scope="col" class="num">Events</th></tr></thead>
      <tbody>${[...of.kinds].map(([kind, count]) => html`<tr><th scope="row">${KIND_WORDS[kind]}</th><td class="num">${number(count)}</td></tr>`)}</tbody></table>`}
    <h2>Check it without this page</h2>
    <p>Download both files, then run <code>node docs/verify/verify.mjs events.json signing-keys.json</code>, or the same in Python or with openssl. They share no code with the service.</p>
  </section>`;

/** Checks a receipt against the chain; agents get one with every decision. */
function Lookup({ of }) {
  const asked = new URLSearchParams(location.search);
  const [seq, setSeq] = useState(asked.get('seq') ?? '');
  const [hash, setHash] = useState(asked.get('hash') ?? '');
  const place = useRef(null);
  useEffect(() => { if (asked.has('seq')) place.current.scrollIntoView(); }, []);
  const known = Number(seq) > held(of) ? undefined : of.hashes.get(Number(seq));
  const given = hash.trim().toLowerCase();
  const verdict = seq === '' || given === '' ? null : known === undefined ? 'absent' : known === given ? 'same' : 'different';
  const words = { absent: `There is no event ${seq} among the verified ones.`, same: `Event ${seq} has this hash.`, different: `Event ${seq} has another hash. Keep the receipt: it is proof.` };
  return html`
    <section class="card" ref=${place}><h2>Check a receipt</h2>
      <p class="muted">Every decision names the number and hash of its event, to the agent in the headers X-Policy-Event-Seq and X-Policy-Event-Hash, to you on the page Activity.</p>
      <div class="receipt">
        <${Field} id="receipt-seq" label="Event" inputmode="numeric" value=${seq} onInput=${setSeq} />
        <${Field} id="receipt-hash" label="Hash" value=${hash} onInput=${setHash} spellcheck="false" autocomplete="off" />
      </div>
      <p role="status" data-receipt=${verdict ?? ''} class=${verdict === 'same' ? 'good-text' : 'bad-text'}>${verdict && words[verdict]}</p>
    </section>`;
}

const bytesOf = async (input) => (input.files.length === 0 ? null : new Uint8Array(await input.files[0].arrayBuffer()));

/** How many of the witnesses cosign the log, and since when the quorum is missing. */
function Witnesses() {
  const { data: log } = useLoad(ownLog);
  if (!log) return null;
  const now = log.witnesses;
  return html`
    ${log.stopped && html`<div class="notice bad" data-log="stopped"><p><strong>The log is stopped</strong> since <${When} at=${log.stopped.since} />: ${log.stopped.reason}</p></div>`}
    ${now && html`<p data-log=${now.noQuorumSince ? 'no-quorum' : 'quorum'} class=${now.noQuorumSince ? 'bad-text' : 'good-text'}>${now.cosigning} of ${now.known} ${now.known === 1 ? 'witness' : 'witnesses'} cosign the log of this service; ${now.noQuorumSince
      ? html`the quorum is missing since <${When} at=${now.noQuorumSince} />` : 'the quorum is met'}.</p>
      ${now.missing.length > 0 && html`<ul>${now.missing.map(({ name, since }) => html`<li>${name} does not cosign since <${When} at=${since} />.</li>`)}</ul>`}`}`;
}

/** Holds a proof of the transparency log, and the policy that says who must have witnessed it, against the verified chain. */
function LogProof({ of }) {
  const [result, setResult] = useState(null);
  const [proof, policy] = [useRef(null), useRef(null)];
  const asked = new URLSearchParams(location.search).get('logged');
  const place = useRef(null);
  useEffect(() => {
    if (asked === null) return;
    place.current.scrollIntoView();
    checked();
  }, [of]);
  const checked = async () => {
    const [picked, witnesses] = await Promise.all([proof, policy].map((input) => bytesOf(input.current)));
    const given = picked ?? (asked && await bytes(`/api/app/v1/events/${Number(asked)}/proof`).catch(() => null));
    if (given === null || !of.isWhole || of.rows === 0) return setResult(null);
    try {
      const found = await checkProof(readProof(given), witnesses && await readPolicy(witnesses), { ...of.at, hashes: of.hashes }, of.trusted);
      setResult({ isGood: true, says: `This event is ${inLog(found)}${found.at ? `, at ${new Date(found.at * 1000).toLocaleString()}` : ''}.` });
    } catch (error) {
      setResult({ isGood: false, says: error.seq ? `Not proven, event ${error.seq}: ${error.message}. Keep the file.` : 'One of the files has another form.' });
    }
  };
  return html`
    <section class="card" ref=${place}><h2>Check a proof of the log</h2>
      <${Witnesses} />
      <p class="muted">A proof says that an event is in the public log of this service. With a policy it is also checked who has witnessed that.</p>
      <div class="two">
        <div class="field"><label for="tlog-proof">Proof (.tlog-proof)</label><div class="input"><input id="tlog-proof" type="file" ref=${proof} onChange=${checked} /></div></div>
        <div class="field"><label for="tlog-policy">Policy of witnesses (optional)</label><div class="input"><input id="tlog-policy" type="file" ref=${policy} onChange=${checked} /></div></div>
      </div>
      <p role="status" data-tlog=${result ? (result.isGood ? 'good' : 'bad') : ''} class=${result?.isGood ? 'good-text' : 'bad-text'}>${result?.says}</p>
    </section>`;
}
