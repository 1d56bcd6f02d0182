/** Entry of the holdings of a custodian: a table, or pasted lines. */
import { html, useState } from '../lib/html.js';
import { amountProblem, typedAmount } from '../lib/amounts.js';
import { put } from '../lib/api.js';
import { plural, worth } from '../lib/format.js';
import { useAction, useDraft } from '../lib/load.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox } from '../ui/states.js';
import { EXAMPLE, readCsv } from './csv.js';

const NEW_ROW = { symbol: '', assetType: 'tradfi', quantity: '', price: '' };
const NEW_PRICE = { symbol: '', price: '' };
const typed = (text) => typedAmount(String(text));
const SYMBOL = /^[A-Z0-9.\-/_]{1,32}$/;

const startWith = (custodian) => (custodian
  ? { name: custodian.name, cash: custodian.cash, positions: custodian.positions.map(({ symbol, assetType, quantity, price }) => ({ symbol, assetType, quantity, price })),
    prices: Object.entries(custodian.prices ?? {}).map(([symbol, price]) => ({ symbol, price })) }
  : { name: 'Paper', cash: '0', positions: [{ ...NEW_ROW }], prices: [] });

const ticker = (row) => row.symbol.trim().toUpperCase();

function problems({ name, cash, positions, prices }) {
  const found = {};
  if (name.trim() === '') found['holdings-name'] = 'Give the custodian a name.';
  if (typed(cash) === null) found['holdings-cash'] = amountProblem(String(cash));
  positions.forEach((row, i) => {
    if (!SYMBOL.test(ticker(row))) found[`symbol-${i}`] = 'Enter a ticker.';
    else if (positions.findIndex((other) => ticker(other) === ticker(row)) < i) found[`symbol-${i}`] = 'Listed twice.';
    if (typed(row.quantity) === null) found[`quantity-${i}`] = amountProblem(String(row.quantity));
    if (typed(row.price) === null) found[`price-${i}`] = amountProblem(String(row.price));
  });
  prices.forEach((row, i) => {
    if (!SYMBOL.test(ticker(row))) found[`priced-${i}`] = 'Enter a ticker.';
    else if (positions.some((other) => ticker(other) === ticker(row))) found[`priced-${i}`] = 'It has a price above.';
    else if (prices.findIndex((other) => ticker(other) === ticker(row)) < i) found[`priced-${i}`] = 'Listed twice.';
    if (typed(row.price) === null || Number(typed(row.price)) === 0) found[`given-price-${i}`] = 'Enter a number above 0.';
  });
  return found;
}

const isBlank = (row) => row.symbol.trim() === '' && !row.quantity && row.price === '';

function toBody({ name, cash, positions, prices }) {
  return {
    name: name.trim(), kind: 'paper', cash: typed(cash),
    prices: Object.fromEntries(prices.map((row) => [ticker(row), typed(row.price)])),
    positions: positions.map((row) => ({ ...row, symbol: ticker(row), quantity: typed(row.quantity), price: typed(row.price) })),
  };
}

/** The form; `custodian` is null for a new one. */
export function HoldingsForm({ id, custodian, onSaved, onCancel, verb = 'Save holdings' }) {
  const [kept, keep] = useDraft(`holdings-${id}`, null);
  const [wrong, setWrong] = useState({});
  const saving = useAction();
  const form = { prices: [], ...kept ?? startWith(custodian) };
  const set = (members) => keep({ ...form, ...members });
  const setRow = (i, members) => set({ positions: form.positions.map((row, at) => (at === i ? { ...row, ...members } : row)) });
  const drop = (i) => {
    set({ positions: form.positions.filter((row, at) => at !== i) });
    document.getElementById('add-position')?.focus();
  };
  const add = () => {
    set({ positions: [...form.positions, { ...NEW_ROW }] });
    setTimeout(() => document.getElementById(`symbol-${form.positions.length}`)?.focus());
  };
  const paste = ({ positions, cash }) => {
    set({ positions: [...form.positions.filter((row) => !isBlank(row)), ...positions], ...(cash === null ? {} : { cash }) });
    announce(`${plural(positions.length, 'position')} added.`);
  };
  const submit = (event) => {
    event.preventDefault();
    const given = (rows) => rows.filter((row) => !isBlank(row));
    const filled = { ...form, positions: given(form.positions), prices: given(form.prices) };
    const found = problems(filled);
    keep(filled);
    setWrong(found);
    if (Object.keys(found).length > 0) {
      setTimeout(() => document.getElementById(Object.keys(found)[0])?.focus());
      return;
    }
    saving.run(async () => {
      const saved = await put(`/custodians/${id}`, toBody(filled));
      keep(null);
      announce('Holdings saved.');
      await onSaved(saved);
    });
  };
  const total = form.positions.reduce((sum, row) => sum + (Number(row.quantity) * Number(row.price) || 0), Number(form.cash) || 0);
  return html`
    <form onSubmit=${submit} novalidate class="holdings-form">
      <div class="two">
        <${Field} id="holdings-name" label="Custodian" value=${form.name} error=${wrong['holdings-name']} onInput=${(name) => set({ name })} maxlength="100" />
        <${Field} id="holdings-cash" label="Cash" unit="USD" inputmode="decimal" value=${form.cash} error=${wrong['holdings-cash']} onInput=${(cash) => set({ cash })} />
      </div>
      <fieldset class="positions"><legend>Positions</legend>
        ${form.positions.map((row, i) => html`
          <div class="position" key=${i} role="group" aria-label=${`Position ${i + 1}`}>
            <${Field} id=${`symbol-${i}`} label="Asset" placeholder="SPY" value=${row.symbol} error=${wrong[`symbol-${i}`]} onInput=${(symbol) => setRow(i, { symbol })} autocomplete="off" maxlength="32" />
            <${Field} id=${`type-${i}`} label="Asset class" value=${row.assetType} onInput=${(assetType) => setRow(i, { assetType })}>
              <option value="tradfi">Traditional</option><option value="crypto">Crypto</option><//>
            <${Field} id=${`quantity-${i}`} label="Quantity" inputmode="decimal" value=${row.quantity} error=${wrong[`quantity-${i}`]} onInput=${(quantity) => setRow(i, { quantity })} autocomplete="off" />
            <${Field} id=${`price-${i}`} label="Price" unit="USD" inputmode="decimal" value=${row.price} error=${wrong[`price-${i}`]} onInput=${(price) => setRow(i, { price })} autocomplete="off" />
            <button type="button" class="small" onClick=${() => drop(i)}>Remove<span class="quiet"> ${row.symbol || `position ${i + 1}`}</span></button>
          </div>`)}
        <button type="button" id="add-position" class="small" onClick=${add}>Add a position</button>
      </fieldset>
      <${Paste} onRead=${paste} />
      <${Prices} rows=${form.prices} wrong=${wrong} onChange=${(prices) => set({ prices })} />
      <p class="total">Total <strong>${worth(total)}</strong></p>
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} type="submit" class="primary" isBusy=${saving.isBusy} busy="Saving…">${verb}<//>
        ${onCancel && html`<button type="button" onClick=${() => { keep(null); onCancel(); }}>Cancel</button>`}</div>
    </form>`;
}

/** Prices of assets that are not held, without which the paper custodian does not buy them. */
function Prices({ rows, wrong, onChange }) {
  const setRow = (i, members) => onChange(rows.map((row, at) => (at === i ? { ...row, ...members } : row)));
  const drop = (i) => {
    onChange(rows.filter((row, at) => at !== i));
    document.getElementById('add-price')?.focus();
  };
  const add = () => {
    onChange([...rows, { ...NEW_PRICE }]);
    setTimeout(() => document.getElementById(`priced-${rows.length}`)?.focus());
  };
  return html`
    <fieldset class="positions"><legend>Prices of assets you do not hold</legend>
      <p class="hint" id="prices-hint">A paper custodian buys only what it has a price for. What you save replaces the prices given before.</p>
      ${rows.map((row, i) => html`
        <div class="position priced" key=${i} role="group" aria-label=${`Price ${i + 1}`}>
          <${Field} id=${`priced-${i}`} label="Asset" placeholder="ETH" value=${row.symbol} error=${wrong[`priced-${i}`]} onInput=${(symbol) => setRow(i, { symbol })} autocomplete="off" maxlength="32" />
          <${Field} id=${`given-price-${i}`} label="Price" unit="USD" inputmode="decimal" value=${row.price} error=${wrong[`given-price-${i}`]} onInput=${(price) => setRow(i, { price })} autocomplete="off" />
          <button type="button" class="small" onClick=${() => drop(i)}>Remove<span class="quiet"> the price of ${row.symbol || `asset ${i + 1}`}</span></button>
        </div>`)}
      <button type="button" id="add-price" class="small" aria-describedby="prices-hint" onClick=${add}>Add a price</button>
    </fieldset>`;
}

function Paste({ onRead }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState(null);
  const read = () => {
    const found = readCsv(text);
    if (found.problems.length > 0 || (found.positions.length === 0 && found.cash === null)) {
      setProblem(found.problems[0] ?? 'There are no lines to read.');
      document.getElementById('csv').focus();
      return;
    }
    setProblem(null);
    setText('');
    onRead(found);
  };
  return html`
    <details class="paste"><summary>Paste from a spreadsheet</summary>
      <${Field} id="csv" label="Lines of asset, sleeve, quantity, price" hint="Decimals take a point, as in 0.25. Cash is a line of its own." rows="5" placeholder=${EXAMPLE} value=${text} error=${problem} onInput=${setText} spellcheck="false" />
      <button type="button" class="small" onClick=${read}>Add these lines</button>
    </details>`;
}
