/** Limits in words, templates for them, and a form for one. */
import { html, useState } from '../lib/html.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
import { Dialog } from '../ui/dialog.js';
import { Choices, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { LIMIT_TEMPLATES } from './templates.js';
import { limitWords } from './words.js';

const MAX = 20;
const UNITS = { minutes: 1, hours: 60, days: 1440 };
const MAX_MINUTES = 43200;
const PREFIX = { position: 'share', flow: 'pace', loss: 'loss' };

/** What the service said of each limit, by its place: "limits[2].max must be ..." */
export function limitErrors(error) {
  const found = {};
  for (const { message } of error?.violations ?? []) {
    const [, place, said] = /^limits\[(\d+)\]\.?(.*)$/s.exec(message) ?? [];
    if (place !== undefined) found[place] = found[place] ? `${found[place]} ${said}` : said;
  }
  return found;
}

/**
 * @param taken the ids of the standing rules, which no limit may have
 * @param errors what the service said of each limit, by its place
 */
export function Limits({ limits, taken, errors, onChange }) {
  const [edited, setEdited] = useState(null);
  const save = (limit) => {
    onChange(edited === 'new' ? [...limits, limit] : limits.map((one, i) => (i === edited ? limit : one)));
    setEdited(null);
  };
  const begin = ({ name, limits: first }) => {
    onChange(first);
    announce(`The limits are the ${name.toLowerCase()} ones now. Change what you like.`);
  };
  return html`
    <fieldset><legend>Limits by asset, over time and on losses</legend>
      ${limits.length === 0 && html`<p class="muted">None. A limit says what bands cannot: how much of one asset, how much in a while, how much may be lost before buying stops.</p>`}
      <ul class="rules">${limits.map((limit, i) => html`
        <li key=${i} id=${`limit-${i}`} tabindex="-1" data-limit-id=${limit.id}>
          <p><strong>${limitWords(limit)}</strong></p>
          <p class="muted">${limit.id}${limit.reason ? ` · ${limit.reason}` : ''}</p>
          ${errors[i] && html`<p class="error" role="alert">${errors[i]}</p>`}
          <div class="actions">
            <button type="button" class="small" onClick=${() => setEdited(i)}>Change<span class="quiet"> ${limit.id}</span></button>
            <button type="button" class="small" onClick=${() => onChange(limits.filter((one) => one !== limit))}>Remove<span class="quiet"> ${limit.id}</span></button>
          </div>
        </li>`)}</ul>
      <div class="actions">
        ${limits.length < MAX && html`<button type="button" onClick=${() => setEdited('new')}>Add a limit</button>`}
        ${LIMIT_TEMPLATES.map((template) => html`<button type="button" class="small" title=${template.words} onClick=${() => begin(template)}>${limits.length === 0 ? 'Begin with' : 'Replace by'} ${template.name.toLowerCase()} limits</button>`)}
      </div>
      ${edited !== null && html`<${LimitDialog} limit=${limits[edited]} taken=${[...taken, ...limits.filter((one, i) => i !== edited).map(({ id }) => id)]}
        onSave=${save} onClose=${() => setEdited(null)} />`}
    </fieldset>`;
}

const split = (text) => text.split(/[\s,]+/).filter(Boolean).map((symbol) => symbol.toUpperCase());
const text = (value) => ((value ?? null) === null ? '' : String(value));
const isPercent = (typed) => /^\d{1,3}(\.\d{1,4})?$/.test(typed.trim()) && Number(typed) <= 100;
const isWhole = (typed, most) => /^[1-9]\d{0,9}$/.test(typed.trim()) && Number(typed) <= most;

function toForm(limit) {
  const scope = limit?.scope ?? {};
  const minutes = limit?.windowMinutes ?? 1440;
  const unit = minutes % 1440 === 0 && minutes > 1440 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes';
  return {
    id: limit?.id ?? null, kind: limit?.kind ?? 'position', effect: limit?.effect ?? 'block', reason: limit?.reason ?? '',
    max: limit?.max === undefined ? '' : String(Number((limit.max * 100).toFixed(4))),
    perAsset: limit?.perAsset ? 'each' : 'together', usd: text(limit?.maxUsd), trades: text(limit?.maxTrades),
    window: String(minutes / UNITS[unit]), unit, per: limit?.per ?? 'account', days: text(limit?.windowDays ?? 1),
    actions: scope.actions ?? ['buy', 'sell'], assetTypes: scope.assetTypes ?? ['crypto', 'tradfi'], symbols: (scope.symbols ?? []).join(', '),
  };
}

/** A name that nothing has yet. */
function freeName(kind, taken) {
  let number = 1;
  while (taken.includes(`${PREFIX[kind]}-${number}`)) number += 1;
  return `${PREFIX[kind]}-${number}`;
}

const toMinutes = (form) => Number(form.window) * UNITS[form.unit];

/** Only the members of its kind; a condition that includes everything is dropped. */
function toLimit(form, name) {
  const scope = {};
  if (form.kind !== 'position' && form.actions.length === 1) scope.actions = form.actions;
  if (form.assetTypes.length === 1) scope.assetTypes = form.assetTypes;
  if (split(form.symbols).length > 0) scope.symbols = split(form.symbols);
  const max = Number((Number(form.max) / 100).toFixed(6));
  const limit = { id: name, kind: form.kind, effect: form.effect, scope };
  if (form.kind === 'position') Object.assign(limit, { max, perAsset: form.perAsset === 'each' });
  if (form.kind === 'loss') Object.assign(limit, { max, windowDays: Number(form.days) });
  if (form.kind === 'flow') {
    Object.assign(limit, { windowMinutes: toMinutes(form), per: form.per });
    if (form.usd.trim() !== '') limit.maxUsd = Number(typedAmount(form.usd));
    if (form.trades.trim() !== '') limit.maxTrades = Number(form.trades);
  }
  return form.reason.trim() === '' ? limit : { ...limit, reason: form.reason.trim() };
}

function problems(form, name, taken) {
  const found = {};
  if (form.kind === 'flow') {
    if (form.usd.trim() !== '' && amountProblem(form.usd)) found.usd = amountProblem(form.usd);
    if (form.trades.trim() !== '' && !isWhole(form.trades, 2147483647)) found.trades = 'Enter a whole number from 1.';
    if (form.usd.trim() === '' && form.trades.trim() === '') found.usd = 'Enter an amount, a number of trades, or both.';
    if (!isWhole(form.window, MAX_MINUTES) || toMinutes(form) > MAX_MINUTES) found.window = 'Enter a whole number; at most 30 days.';
  } else if (!isPercent(form.max)) {
    found.max = 'Enter a number from 0 to 100, with at most 4 decimals.';
  }
  if (form.kind === 'loss' && !isWhole(form.days, 30)) found.days = 'Enter 1 to 30.';
  if (form.actions.length === 0) found.actions = 'Select at least one.';
  if (form.assetTypes.length === 0) found.types = 'Select at least one.';
  if (!split(form.symbols).every((symbol) => /^[A-Z0-9.\-/_]{1,32}$/.test(symbol))) found.symbols = 'Tickers have letters, digits and . - / _';
  if (name === '' || name.length > 64) found.id = 'Give the limit a name of at most 64 characters.';
  else if (taken.includes(name)) found.id = 'Another rule or limit has this name.';
  return found;
}

/** The fields of one kind of limit. */
function KindFields({ form, field }) {
  if (form.kind === 'position') {
    return html`<div class="two">
      <${Field} ...${field('max')} label="At most" hint="Of the portfolio." unit="%" inputmode="decimal" autocomplete="off" />
      <${Field} ...${field('perAsset')} label="Counted"><option value="together">all its assets together</option><option value="each">each asset alone</option><//>
    </div>`;
  }
  if (form.kind === 'loss') {
    return html`<div class="two">
      <${Field} ...${field('max')} label="After losing" hint="Of the highest value of these days." unit="%" inputmode="decimal" autocomplete="off" />
      <${Field} ...${field('days')} label="Within, in UTC days" hint="1 is today: buying goes on at midnight." inputmode="numeric" autocomplete="off" />
    </div>`;
  }
  return html`
    <div class="two">
      <${Field} ...${field('usd')} label="At most" hint="Leave empty for any amount." unit="USD" inputmode="decimal" autocomplete="off" />
      <${Field} ...${field('trades')} label="At most, in number" hint="Leave empty for any number." unit="trades" inputmode="numeric" autocomplete="off" />
    </div>
    <div class="three">
      <${Field} ...${field('window')} label="In any" inputmode="numeric" autocomplete="off" />
      <${Field} ...${field('unit')} label="Unit of time">${Object.keys(UNITS).map((unit) => html`<option value=${unit}>${unit}</option>`)}<//>
      <${Field} ...${field('per')} label="Counted for"><option value="account">all agents together</option><option value="agent">each agent</option><option value="asset">each asset</option><//>
    </div>`;
}

function LimitDialog({ limit, taken, onSave, onClose }) {
  const [form, setForm] = useState(() => toForm(limit));
  const [wrong, setWrong] = useState({});
  const name = form.id === null ? freeName(form.kind, taken) : form.id.trim();
  const set = (member) => (value) => setForm({ ...form, [member]: value });
  const field = (member) => ({ id: `limit-${member}`, value: form[member], error: wrong[member], onInput: set(member) });
  const submit = (event) => {
    event.preventDefault();
    event.stopPropagation();
    const found = problems(form, name, taken);
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first) document.getElementById(`limit-${first}`)?.focus();
    else onSave(toLimit(form, name));
  };
  const isComplete = Object.keys(problems(form, 'any', [])).length === 0;
  return html`
    <${Dialog} title=${limit ? 'Change a limit' : 'A new limit'} onClose=${onClose} class="wide">
      <form onSubmit=${submit} novalidate>
        <${Field} ...${field('kind')} label="What is limited">
          <option value="position">A share of the portfolio</option><option value="flow">An amount or a number of trades in a while</option>
          <option value="loss">Buying, after a loss</option><//>
        <${KindFields} form=${form} field=${field} />
        <${Field} ...${field('symbols')} label="Only these assets" placeholder="BTC, ETH" hint="Leave empty for any asset." autocomplete="off" spellcheck=${false} />
        <div class="two">
          <${Choices} legend="Asset classes" options=${[{ name: 'crypto', label: 'Crypto' }, { name: 'tradfi', label: 'Traditional' }]} chosen=${form.assetTypes} onChange=${set('assetTypes')} error=${wrong.types} />
          ${form.kind === 'flow' && html`<${Choices} legend="Actions" options=${[{ name: 'buy', label: 'Buy' }, { name: 'sell', label: 'Sell' }]} chosen=${form.actions} onChange=${set('actions')} error=${wrong.actions} />`}
        </div>
        <div class="two">
          <${Field} ...${field('effect')} label="Beyond it"><option value="block">block the trade</option><option value="require_approval">block it unless I allow it</option><//>
          <${Field} ...${field('id')} value=${form.id ?? name} label="Name" hint="Agents read it when the limit stops them." maxlength="64" />
        </div>
        <${Field} ...${field('reason')} label="Reason (optional)" hint="Agents read it too." maxlength="300" />
        <p class="notice" role="status"><strong>${isComplete ? limitWords(toLimit(form, name)) : 'Fill in the fields above.'}</strong></p>
        <div class="actions"><button type="submit" class="primary">${limit ? 'Change the limit' : 'Add the limit'}</button>
          <button type="button" onClick=${onClose}>Cancel</button></div>
      </form>
    <//>`;
}
