/** The form of an IPS: bands as sliders and numbers, limits, assets. */
import { html, useState } from '../lib/html.js';
import { assetClass } from '../lib/format.js';
import { BandPicture } from '../ui/bands.js';
import { Choices, Field } from '../ui/field.js';
import { BandSlider, NumberSlider } from '../ui/sliders.js';
import { problems, toPicture } from './draft.js';
import { Limits } from './limits.js';
import { StandingRules } from './standing-rules.js';
import { usePlace } from '../lib/router.js';
import { LEVELS, UNKNOWN_ASSETS } from './words.js';

const EDGES = [['min', 'Minimum'], ['target', 'Target'], ['max', 'Maximum']];
const TIERS = ['Conservative', 'Cautious', 'Balanced', 'Growth', 'Aggressive'];

/** A percentage with a slider and a number field for the same value. */
function Percent({ id, name, label, hint, value, error, onInput, ...scale }) {
  return html`
    <div class="percent">
      <${Field} id=${id} label=${label} hint=${hint} unit="%" value=${value} error=${error} onInput=${onInput}
        inputmode="decimal" autocomplete="off" size="6" />
      <${NumberSlider} name=${name} label=${`${label}, slider`} value=${value} onInput=${onInput} ...${scale} />
    </div>`;
}

/** The sections of the form, in their order. */
const SECTIONS = { allocation: 'Allocation', losses: 'Losses and prices', assets: 'Actions and assets', limits: 'Limits', rules: 'Rules', label: 'Label' };

const Section = ({ of: name, children }) => html`
  <section aria-labelledby=${`section-${name}`}><h2 id=${`section-${name}`} ref=${usePlace(name)} tabindex="-1">${SECTIONS[name]}</h2>${children}</section>`;

/** Links to the sections of the form. */
export function SectionLinks() {
  const go = (id) => (event) => {
    event.preventDefault();
    document.getElementById(id).focus();
    document.getElementById(id).scrollIntoView();
  };
  return html`
    <nav class="section-links" aria-label="Sections of the policy"><ul>${Object.entries(SECTIONS).map(([name, title]) => html`
      <li><a href=${`#section-${name}`} onClick=${go(`section-${name}`)}>${title}</a></li>`)}</ul></nav>`;
}

/** @param limitErrors what the service said of each limit, by its place */
export function PolicyForm({ draft, snapshot, limitErrors = {}, onChange }) {
  const wrong = problems(draft);
  const set = (members) => onChange({ ...draft, ...members });
  const setEdge = (sleeve, edge) => (value) => set({ [sleeve]: { ...draft[sleeve], [edge]: value } });
  const percent = (name) => ({ id: name, value: draft[name], error: wrong[name], onInput: (value) => set({ [name]: value }) });
  return html`
    <div class=${snapshot ? 'policy-form standing' : 'policy-form'}>
      <div class="sticky-picture"><${BandPicture} ips=${toPicture(draft)} before=${snapshot}
        hasLegend caption=${snapshot ? 'Your portfolio today against this policy' : 'The bands of this policy; enter your holdings to see where you stand'} /></div>
      <${Section} of="allocation">
        ${['crypto', 'tradfi'].map((sleeve) => html`
          <fieldset class="sleeve"><legend>${assetClass(sleeve)} band</legend>
            <${BandSlider} name=${assetClass(sleeve)} band=${draft[sleeve]} onInput=${(edge, value) => setEdge(sleeve, edge)(value)} />
            <div class="three">${EDGES.map(([edge, name]) => html`
              <${Field} id=${`${sleeve}-${edge}`} label=${html`<span class="quiet">${assetClass(sleeve)} </span>${name}`} unit="%" value=${draft[sleeve][edge]}
                error=${wrong[`${sleeve}-${edge}`]} onInput=${setEdge(sleeve, edge)} inputmode="decimal" autocomplete="off" size="6" />`)}</div>
          </fieldset>`)}
        <${Percent} ...${percent('cashFloor')} name="Cash" label="Cash floor" hint="Cash never falls below." />
      <//>
      <${Section} of="losses">
        <${Percent} ...${percent('maxDrawdown')} name="Drawdown" label="Drawdown limit" hint="Fall from the peak." />
        <${Percent} ...${percent('maxSlippage')} name="Slippage" label="Slippage cap" hint="What an agent may expect, and the price bound of every order." most=${5} step=${0.1} ticks=${[0, 1, 2, 3, 4, 5]} />
      <//>
      <${Section} of="assets">
        <${Choices} legend="What agents may do" hint="Clear a box to pause the action for all agents."
          options=${[{ name: 'buy', label: 'Buy' }, { name: 'sell', label: 'Sell' }]}
          chosen=${draft.allowedActions} onChange=${(allowedActions) => set({ allowedActions })} />
        <${Authority} of=${draft.assetAuthority} onChange=${(assetAuthority) => set({ assetAuthority })} />
        <${Field} id="unknown-assets" label="Unknown assets" hint="Assets that you do not hold, that are in none of your lists, and that are not well known."
          value=${draft.unknownAssets} onInput=${(unknownAssets) => set({ unknownAssets })}>
          ${Object.entries(UNKNOWN_ASSETS).map(([name, words]) => html`<option value=${name}>${words}</option>`)}
        <//>
      <//>
      <${Section} of="limits"><${Limits} limits=${draft.limits} taken=${draft.standingRules.map(({ id }) => id)} errors=${limitErrors} onChange=${(limits) => set({ limits })} /><//>
      <${Section} of="rules"><${StandingRules} rules=${draft.standingRules} taken=${draft.limits.map(({ id }) => id)} onChange=${(standingRules) => set({ standingRules })} /><//>
      <${Section} of="label">
        <${Field} id="tier" label="Tier" hint="A label for you and your agents; nothing enforces it."
          value=${draft.tier ?? ''} onInput=${(tier) => set({ tier: tier === '' ? null : Number(tier) })}>
          <option value="">None</option>
          ${TIERS.map((name, i) => html`<option value=${i + 1}>${i + 1} · ${name}</option>`)}
        <//>
      <//>
    </div>`;
}

const levels = () => Object.entries(LEVELS).map(([level, words]) => html`<option value=${level}>${words}</option>`);
const SYMBOL = /^[A-Z0-9.\-/_]{1,32}$/;

/** What agents may do with each asset. */
function Authority({ of, onChange }) {
  const [symbol, setSymbol] = useState('');
  const [error, setError] = useState(null);
  const assets = Object.entries(of.assets).sort(([a], [b]) => a.localeCompare(b));
  const setAsset = (name, level) => onChange({ ...of, assets: { ...of.assets, [name]: level } });
  const drop = (name) => {
    const { [name]: gone, ...rest } = of.assets;
    onChange({ ...of, assets: rest });
    document.getElementById('asset-symbol').focus();
  };
  const add = () => {
    const name = symbol.trim().toUpperCase();
    if (!SYMBOL.test(name)) setError('Enter a ticker of letters, digits and . - / _');
    else if (of.assets[name]) setError(`${name} is listed already.`);
    else {
      setAsset(name, 'protect');
      setSymbol('');
      setError(null);
    }
  };
  return html`
    <fieldset><legend>Authority by asset</legend>
      <${Field} id="authority" label="Assets not listed" value=${of.default} onInput=${(level) => onChange({ ...of, default: level })}>${levels()}<//>
      ${assets.map(([name, level]) => html`
        <div class="asset" key=${name}>
          <${Field} id=${`asset-${name}`} label=${name} value=${level} onInput=${(chosen) => setAsset(name, chosen)}>${levels()}<//>
          <button type="button" class="small" onClick=${() => drop(name)}>Remove<span class="quiet"> ${name}</span></button>
        </div>`)}
      <div class="asset">
        <${Field} id="asset-symbol" label="Add an asset" placeholder="BTC" value=${symbol} error=${error} onInput=${setSymbol}
          maxlength="32" autocomplete="off" onKeyDown=${(event) => { if (event.key === 'Enter') { event.preventDefault(); add(); } }} />
        <button type="button" class="small" onClick=${add}>Add</button>
      </div>
    </fieldset>`;
}
