/** Standing rules in words, and a form for one of them. */
import { html, useState } from '../lib/html.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
import { Dialog } from '../ui/dialog.js';
import { Choices, Field } from '../ui/field.js';
import { ruleWords } from './words.js';

const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'].map((name) => ({ name, label: name[0] + name.slice(1).toLowerCase() }));
const HOURS = Array.from({ length: 25 }, (_, hour) => hour);
const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param taken the ids of the limits, which no rule may have */
export function StandingRules({ rules, taken, onChange }) {
  const [edited, setEdited] = useState(null);
  const save = (rule) => {
    onChange(edited === 'new' ? [...rules, rule] : rules.map((one) => (one.id === edited ? rule : one)));
    setEdited(null);
  };
  return html`
    <fieldset><legend>Standing rules</legend>
      ${rules.length === 0 && html`<p class="muted">None. A standing rule blocks trades, or asks for approval, whatever the bands say.</p>`}
      <ul class="rules">${rules.map((rule) => html`
        <li key=${rule.id}>
          <p><strong>${ruleWords(rule)}</strong></p>
          <p class="muted">${rule.id}${rule.reason ? ` · ${rule.reason}` : ''}</p>
          <div class="actions">
            <button type="button" class="small" onClick=${() => setEdited(rule.id)}>Change<span class="quiet"> ${rule.id}</span></button>
            <button type="button" class="small" onClick=${() => onChange(rules.filter((one) => one !== rule))}>Remove<span class="quiet"> ${rule.id}</span></button>
          </div>
        </li>`)}</ul>
      <button type="button" onClick=${() => setEdited('new')}>Add a standing rule</button>
      ${edited && html`<${RuleDialog} rule=${rules.find((one) => one.id === edited)} taken=${[...taken, ...rules.map(({ id }) => id).filter((id) => id !== edited)]}
        onSave=${save} onClose=${() => setEdited(null)} />`}
    </fieldset>`;
}

const split = (text) => text.split(/[\s,]+/).filter(Boolean).map((symbol) => symbol.toUpperCase());

function toForm(rule) {
  const when = rule?.when ?? {};
  return {
    id: rule?.id ?? '', effect: rule?.effect ?? 'block', reason: rule?.reason ?? '',
    actions: when.actions ?? ['buy', 'sell'], assetTypes: when.assetTypes ?? ['crypto', 'tradfi'],
    symbols: (when.symbols ?? []).join(', '), above: when.amountUsdAbove ?? '',
    start: when.hours?.start ?? '', end: when.hours?.end ?? '', tz: when.hours?.tz ?? zone(),
    days: when.daysOfWeek ?? DAYS.map((day) => day.name),
  };
}

/** Only the conditions that are set; one that includes everything is dropped. */
function toRule(form) {
  const when = {};
  if (form.actions.length === 1) when.actions = form.actions;
  if (form.assetTypes.length === 1) when.assetTypes = form.assetTypes;
  if (split(form.symbols).length > 0) when.symbols = split(form.symbols);
  if (String(form.above).trim() !== '') when.amountUsdAbove = Number(typedAmount(String(form.above)));
  if (form.start !== '' && form.end !== '') when.hours = { start: Number(form.start), end: Number(form.end), tz: form.tz.trim() };
  if (form.days.length < DAYS.length) when.daysOfWeek = form.days;
  const rule = { id: form.id.trim(), effect: form.effect, when };
  return form.reason.trim() === '' ? rule : { ...rule, reason: form.reason.trim() };
}

function problems(form, taken) {
  const found = {};
  const id = form.id.trim();
  if (id === '' || id.length > 64) found.id = 'Give the rule a name of at most 64 characters.';
  else if (taken.includes(id)) found.id = 'Another rule or limit has this name.';
  if (form.actions.length === 0) found.actions = 'Select at least one.';
  if (form.assetTypes.length === 0) found.assetTypes = 'Select at least one.';
  if (form.days.length === 0) found.days = 'Select at least one day.';
  if (String(form.above).trim() !== '' && amountProblem(String(form.above))) found.above = amountProblem(String(form.above));
  if (!split(form.symbols).every((symbol) => /^[A-Z0-9.\-/_]{1,32}$/.test(symbol))) found.symbols = 'Tickers have letters, digits and . - / _';
  if ((form.start === '') !== (form.end === '')) found.end = 'Choose both hours, or neither.';
  else if (form.start !== '' && Number(form.start) === Number(form.end)) found.end = 'Choose an hour other than the first.';
  return found;
}

function RuleDialog({ rule, taken, onSave, onClose }) {
  const [form, setForm] = useState(() => toForm(rule));
  const [wrong, setWrong] = useState({});
  const set = (name) => (value) => setForm({ ...form, [name]: value });
  const submit = (event) => {
    event.preventDefault();
    event.stopPropagation();
    const found = problems(form, taken);
    setWrong(found);
    if (Object.keys(found).length === 0) onSave(toRule(form));
  };
  const hours = (last) => html`<option value="">Any</option>${HOURS.slice(last ? 1 : 0, last ? 25 : 24).map((hour) => html`<option value=${hour}>${String(hour).padStart(2, '0')}:00</option>`)}`;
  return html`
    <${Dialog} title=${rule ? 'Change a standing rule' : 'A new standing rule'} onClose=${onClose} class="wide">
      <form onSubmit=${submit} novalidate>
        <p class="notice"><strong>${ruleWords(toRule(form))}</strong></p>
        <div class="two">
          <${Field} id="rule-id" label="Name" placeholder="no-memecoins" value=${form.id} error=${wrong.id} onInput=${set('id')} maxlength="64" />
          <${Field} id="rule-effect" label="Effect" value=${form.effect} onInput=${set('effect')}>
            <option value="block">Block the trade</option><option value="require_approval">Block unless I allow it</option><//>
        </div>
        <${Field} id="rule-reason" label="Reason (optional)" hint="Agents read it when the rule fires." value=${form.reason} onInput=${set('reason')} maxlength="300" />
        <div class="two">
          <${Choices} legend="Actions" options=${[{ name: 'buy', label: 'Buy' }, { name: 'sell', label: 'Sell' }]} chosen=${form.actions} onChange=${set('actions')} error=${wrong.actions} />
          <${Choices} legend="Asset classes" options=${[{ name: 'crypto', label: 'Crypto' }, { name: 'tradfi', label: 'Traditional' }]} chosen=${form.assetTypes} onChange=${set('assetTypes')} error=${wrong.assetTypes} />
        </div>
        <div class="two">
          <${Field} id="rule-symbols" label="Only these assets" placeholder="DOGE, SHIB" hint="Leave empty for any asset." value=${form.symbols} error=${wrong.symbols} onInput=${set('symbols')} />
          <${Field} id="rule-above" label="Only above" unit="USD" hint="Leave empty for any amount." inputmode="decimal" value=${form.above} error=${wrong.above} onInput=${set('above')} />
        </div>
        <div class="three">
          <${Field} id="rule-start" label="From" value=${form.start} onInput=${set('start')}>${hours(false)}<//>
          <${Field} id="rule-end" label="To" value=${form.end} error=${wrong.end} onInput=${set('end')}>${hours(true)}<//>
          <${Field} id="rule-tz" label="Time zone" value=${form.tz} onInput=${set('tz')} />
        </div>
        <${Choices} legend="Days" options=${DAYS} chosen=${form.days} onChange=${set('days')} error=${wrong.days} />
        <div class="actions"><button type="submit" class="primary">${rule ? 'Change the rule' : 'Add the rule'}</button>
          <button type="button" onClick=${onClose}>Cancel</button></div>
      </form>
    <//>`;
}
