/** Agents: their keys, caps and usage, and how to rotate and revoke them. */
import { html, useEffect, useState } from '../lib/html.js';
import { get, getIfAny, patch, post, query, remove } from '../lib/api.js';
import { number, plural, assetClass, usd } from '../lib/format.js';
import { useAction, useLoad } from '../lib/load.js';
import { Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { Share } from '../ui/chart.js';
import { Confirm } from '../ui/dialog.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { Empty, ErrorBox, Loaded } from '../ui/states.js';
import { AgentBadge, Badge, Facts, Foreign, KeyMark, PageHead, When } from '../ui/text.js';
import { Assistants } from '../agents/assistants.js';
import { ChangeForm, MintForm } from '../agents/key-form.js';
import { SecretDialog } from '../agents/secret.js';
import { TryForm } from '../agents/try-form.js';

const isActive = (key) => !key.revokedAt && (!key.expiresAt || Date.parse(key.expiresAt) > Date.now());

/** The policy and the keys, each with when it was last used: its last decision, or a later one of the last calls. */
async function load() {
  const [{ keys }, usage, ips] = await Promise.all([get('/keys'), get('/usage?days=30'), getIfAny('/ips')]);
  const used = await Promise.all(keys.map(async (key) => {
    const [decision] = await get(query('/audit', { limit: 1, agentKeyId: key.agentKeyId }));
    const call = usage.recent.find((one) => one.agentKeyId === key.agentKeyId);
    const times = [decision?.actor === 'agent' && decision.checkedAt, call?.createdAt].filter(Boolean).sort();
    return { ...key, lastUsedAt: times.at(-1) ?? null };
  }));
  return { keys: used, ips };
}

/** The list has a fixed key: otherwise it is made anew when the form above it opens, and a form that is open in it is lost. */
export function Agents() {
  const loaded = useLoad(load);
  useChanges(['keys'], loaded.reload);
  const [isMinting, setMinting] = useState(false);
  const [issued, setIssued] = useState(null);
  const [asked, setAsked] = useState(null);
  const show = (key) => {
    setMinting(false);
    setAsked(null);
    setIssued(key);
    loaded.reload();
  };
  const ended = (key) => {
    setAsked(null);
    announce(`The key of ${key.name} is revoked.`);
    loaded.reload();
  };
  return html`
    <${PageHead} title="Agents"><p class="lead">Each key acts for you, within your policy and its own caps.</p><//>
    <details class="card"><summary>Connect an assistant</summary><${Assistants} /></details>
    ${isMinting ? html`<${Mint} onMinted=${show} onCancel=${() => setMinting(false)} />`
      : html`<p><button type="button" class="primary" onClick=${() => setMinting(true)}>Mint a key</button></p>`}
    <${Loaded} key="keys" of=${loaded}>${({ keys, ips }) => (keys.length === 0 && !isMinting
      ? html`<${Empty} title="No agent has a key"><p>Connect an assistant, or mint a key and give it to your agent. Its proposals appear under Requests.</p><//>`
      : html`
        ${keys.filter(isActive).map((key) => html`<${Key} key=${key.agentKeyId} of=${key} ips=${ips} onAsk=${(what) => setAsked({ what, of: key })} onChange=${loaded.reload} />`)}
        <${Ended} keys=${keys.filter((key) => !isActive(key))} />`)}<//>
    ${asked && html`<${AskFirst} ...${asked} onIssued=${show} onRevoked=${ended} onNo=${() => setAsked(null)} />`}
    ${issued && html`<${SecretDialog} issued=${issued} onClose=${() => setIssued(null)} />`}`;
}

function Mint({ onMinted, onCancel }) {
  useEffect(() => document.getElementById('key-name').focus(), []);
  return html`<section class="card"><h2>A new key</h2><${MintForm} onMinted=${onMinted} onCancel=${onCancel} /></section>`;
}

/** A line of usage: used and maximum, with a bar if there is a cap. */
const Used = ({ name, used, cap, format }) => html`
  <div class="used"><span>${name}</span>
    <span class="num">${used === undefined ? '' : `${format(used)} `}<small>${cap === null ? 'no cap' : `of ${format(cap)}`}</small></span>
    ${cap !== null && used !== undefined && html`<${Share} of=${used} whole=${cap} kind=${used >= cap ? 'full' : ''} />`}
  </div>`;

/** In what state a key is, and which it is. */
export const KeyMarks = ({ of: key }) => html`
  ${key.keyType === 'test' && html`<${Badge} kind="wait">Sandbox<//>`}
  ${key.paused && html`<${Badge} kind="bad">Paused<//>`}
  <${KeyMark} of=${key} />`;

/** What a key may do, and how much of its caps is used. */
export function KeyFacts({ of: key }) {
  const { policy, usedToday } = key;
  return html`
    <p class="scopes">${key.scopes.map((scope) => html`<${Badge}>${scope}<//> `)}</p>
    <div class="three">
      <${Used} name="Calls today" used=${usedToday?.calls} cap=${policy.dailyCallCap} format=${number} />
      <${Used} name="Proposed today" used=${usedToday?.usd} cap=${policy.dailyUsdCap} format=${usd} />
      <${Used} name="Outstanding" used=${usedToday?.aum} cap=${policy.aumCapUsd} format=${usd} />
    </div>
    <${Facts} of=${[
      policy.allowedAssets && ['Only', policy.allowedAssets.join(', ')],
      policy.allowedAssetTypes && ['Only', policy.allowedAssetTypes.map(assetClass).join(', ')],
      key.allowedCidrs.length > 0 && ['Only from', key.allowedCidrs.join(', ')],
      key.previousSecretEndsAt && Date.parse(key.previousSecretEndsAt) > Date.now() && ['Old secret works until', html`<${When} at=${key.previousSecretEndsAt} />`],
      key.lastUsedAt !== undefined && ['Last used', key.lastUsedAt ? html`<${When} at=${key.lastUsedAt} isAgo />` : 'never'],
      [key.client ? 'Connected' : 'Minted', html`<${When} at=${key.createdAt} />`],
      key.rotatedAt && [key.client ? 'Connected anew' : 'Rotated', html`<${When} at=${key.rotatedAt} />`],
      key.client && ['Client', html`<${Foreign} text=${key.client.id} />`],
      key.revokedAt ? ['Revoked', html`<${When} at=${key.revokedAt} />`]
        : [key.client ? 'Ends' : 'Expires', key.expiresAt ? html`<${When} at=${key.expiresAt} />` : 'never'],
    ]} />`;
}

function Key({ of: key, ips, onAsk, onChange }) {
  const [isChanging, setChanging] = useState(false);
  const pausing = useAction();
  const pause = (paused) => pausing.run(async () => {
    await patch(`/keys/${key.agentKeyId}`, { paused });
    announce(paused ? `${key.name} is paused.` : `${key.name} may trade again.`);
    await onChange();
  });
  const changed = async () => {
    setChanging(false);
    announce(`${key.name} is changed.`);
    await onChange();
  };
  const isSandbox = key.keyType === 'test';
  return html`
    <article class="card key" aria-label=${`Key of ${key.name}`}>
      <header class="row"><h2><${Link} to=${`/agents/${key.agentKeyId}`}><${AgentBadge} name=${key.name} /><//></h2><${KeyMarks} of=${key} /></header>
      <${KeyFacts} of=${key} />
      <details><summary>Try a trade<span class="quiet"> of ${key.name}</span></summary>
        <${TryForm} agentKeyId=${key.agentKeyId} ips=${isSandbox ? null : ips} /></details>
      <${ErrorBox} error=${pausing.error} />
      ${isChanging ? html`<${ChangeForm} of=${key} onChanged=${changed} onCancel=${() => setChanging(false)} />` : html`
      <div class="actions">
        <${Button} isBusy=${pausing.isBusy} busy="…" onClick=${() => pause(!key.paused)}>${key.paused ? 'Resume' : 'Pause'}<span class="quiet"> ${key.name}</span><//>
        <button type="button" onClick=${() => setChanging(true)}>Change<span class="quiet"> the key of ${key.name}</span></button>
        ${!key.client && html`<button type="button" onClick=${() => onAsk('rotate')}>Rotate<span class="quiet"> the key of ${key.name}</span></button>`}
        <button type="button" class="danger-text" onClick=${() => onAsk('revoke')}>${key.client ? 'End' : 'Revoke'}<span class="quiet"> the ${key.client ? 'connection' : 'key'} of ${key.name}</span></button>
      </div>`}
    </article>`;
}

const Ended = ({ keys }) => keys.length > 0 && html`
  <details class="ended"><summary>${plural(keys.length, 'key')} revoked or expired</summary>
    <ul>${keys.map((key) => html`<li key=${key.agentKeyId}><${Link} to=${`/agents/${key.agentKeyId}`}><${Foreign} text=${key.name} /><//> <${KeyMark} of=${key} />
      ${key.revokedAt ? html` revoked <${When} at=${key.revokedAt} />` : html` expired <${When} at=${key.expiresAt} />`}</li>`)}</ul></details>`;

function AskFirst({ what, of: key, onIssued, onRevoked, onNo }) {
  const action = useAction();
  const [overlap, setOverlap] = useState('0');
  const isRotation = what === 'rotate';
  const yes = () => action.run(async () => (isRotation
    ? onIssued(await post(`/keys/${key.agentKeyId}/rotate`, { overlapMinutes: Number(overlap) }))
    : onRevoked(await remove(`/keys/${key.agentKeyId}`))));
  return html`
    <${Confirm} title=${isRotation ? 'Rotate this key?' : key.client ? 'End this connection?' : 'Revoke this key?'} isDangerous=${!isRotation}
      yes=${isRotation ? 'Rotate key' : key.client ? 'End connection' : 'Revoke key'}
      isBusy=${action.isBusy} error=${action.error} onYes=${yes} onNo=${onNo}>
      <p><${AgentBadge} name=${key.name} /> <${KeyMark} of=${key} /></p>
      <p>${isRotation ? 'You get a new secret; name, scopes and caps stay.'
        : key.client ? 'The program can do nothing more at once, everywhere. Its requests that wait for you are rejected; orders under way are finished. It can ask you again.'
        : 'The key stops working at once, everywhere, for good. Its requests that wait for you are rejected; orders under way are finished.'}</p>
      ${isRotation && html`<${Field} id="overlap" label="The present secret" value=${overlap} onInput=${setOverlap}>
        <option value="0">stops working at once</option><option value="10">works for 10 more minutes</option>
        <option value="60">works for one more hour</option><option value="1440">works for one more day</option><//>`}
    <//>`;
}
