/** The portfolio: allocation, custodians and what is held there, value and drawdown over time. */
import { html, useEffect, useState } from '../lib/html.js';
import { get, getIfAny } from '../lib/api.js';
import { custodiansById, freeId } from '../lib/custodians.js';
import { percent, worth } from '../lib/format.js';
import { useLoad, usePoll } from '../lib/load.js';
import { confirmed } from '../lib/passkeys.js';
import { Link } from '../lib/router.js';
import { useChanges } from '../lib/stream.js';
import { isViewing } from '../lib/viewing.js';
import { ConnectForm } from '../portfolio/connect-form.js';
import { CustodianCard } from '../portfolio/custodian-card.js';
import { History } from '../portfolio/history.js';
import { HoldingsForm } from '../portfolio/holdings-form.js';
import { BandPicture } from '../ui/bands.js';
import { Confirmation } from '../ui/confirmation.js';
import { StaleNotice } from '../ui/custodian.js';
import { announce } from '../ui/live.js';
import { Empty, Loaded } from '../ui/states.js';
import { Facts, Foreign, PageHead, When } from '../ui/text.js';


/** Holdings also become too old without a change. */
const POLL = 10000;

const load = async () => {
  const [portfolio, ips, known] = await Promise.all([get('/portfolio'), getIfAny('/ips'), custodiansById()]);
  return { portfolio, ips, known };
};

export function Portfolio() {
  const loaded = useLoad(load);
  useChanges(['portfolio', 'policy'], loaded.reload);
  usePoll(loaded.reload, POLL);
  const asOf = loaded.data?.portfolio.asOf;
  return html`
    <${PageHead} title="Portfolio">${asOf && html`<p class="lead">As of <${When} at=${asOf} /></p>`}<//>
    <${Loaded} of=${loaded}>${({ portfolio, ips, known }) => html`
      <${StaleNotice} stale=${portfolio.stale} known=${known} isAtPortfolio />
      ${portfolio.snapshot && html`<${Overview} snapshot=${portfolio.snapshot} ips=${ips} reload=${loaded.reload} />`}
      ${portfolio.custodians.length > 0 && html`<${History} version=${`${asOf} ${ips?.ipsVersion}`} />`}
      <${Holdings} portfolio=${portfolio} known=${known} reload=${loaded.reload} />`}<//>`;
}

/** The custodians, each as a card or, one at a time, as a form. */
function Holdings({ portfolio, known, reload }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const changed = async () => {
    await reload();
    close();
    document.querySelector('main h1').focus();
  };
  const held = new Map(portfolio.custodians.map((custodian) => [custodian.id, custodian]));
  const isOpen = (id, form) => open?.id === id && open.form === form;
  const isNew = open !== null && !known.has(open.id);
  return html`
    <section><h2>Holdings</h2>
      ${known.size === 0 && !open && html`<${Empty} title="No holdings yet">
        <p>Connect an account, or enter what you hold, so that trades can be checked against it.</p><//>`}
      ${[...known.values()].map((entry) => {
        const { id } = entry;
        const holdings = held.get(id) ?? null;
        if (isOpen(id, 'holdings')) return html`<${Edit} key=${id} id=${id} custodian=${{ ...entry, ...holdings }} onSaved=${changed} onCancel=${close} />`;
        if (isOpen(id, 'connect')) return html`<${Connect} key=${id} id=${id} custodian=${entry} onSaved=${changed} onCancel=${close} />`;
        return html`<${CustodianCard} key=${id} of=${entry} holdings=${holdings} known=${known} onChange=${changed}
          onEdit=${() => setOpen({ id, form: 'holdings' })} onConnect=${() => setOpen({ id, form: 'connect' })} />`;
      })}
      ${isNew && open.form === 'holdings' && html`<${Edit} id=${open.id} custodian=${null} onSaved=${changed} onCancel=${close} />`}
      ${isNew && open.form === 'connect' && html`<${Connect} id=${open.id} custodian=${null} onSaved=${changed} onCancel=${close} />`}
      ${!isNew && !isViewing() && html`<div class="actions">
        <button type="button" onClick=${() => setOpen({ id: freeId('alpaca', known), form: 'connect' })}>Connect Alpaca</button>
        <button type="button" onClick=${() => setOpen({ id: freeId('paper', known), form: 'holdings' })}>Add a paper custodian</button></div>`}
      ${known.size > 0 && html`<p><${Link} to="/reconciliation">Compare what you accepted with what was done<//></p>`}
    </section>`;
}

const Overview = ({ snapshot, ips, reload }) => html`
  <section class="card"><h2>Allocation</h2>
    <p class="figure">${worth(snapshot.totalValue)}</p>
    <${BandPicture} ips=${ips ?? undefined} before=${snapshot} hasLegend />
    <${Facts} of=${[['Crypto', worth(snapshot.cryptoValue)], ['Traditional', worth(snapshot.tradfiValue)], ['Cash', worth(snapshot.cashValue)],
      ['Below the peak', percent(snapshot.currentDrawdownPct, 2)]]} />
    ${ips && snapshot.currentDrawdownPct > 0 && !isViewing() && html`<${NewPeak} total=${snapshot.totalValue} onChange=${reload} />`}
  </section>`;

/** Counts the drawdown from the present value on, which the owner confirms. */
function NewPeak({ total, onChange }) {
  const [isAsking, setAsking] = useState(false);
  const begin = async (confirmation) => {
    await confirmed('POST', '/portfolio/peak', {}, confirmation);
    setAsking(false);
    announce('The drawdown is counted from the present value on.');
    await onChange();
  };
  return html`
    <div class="actions"><button type="button" class="small" onClick=${() => setAsking(true)}>Begin a new peak</button></div>
    ${isAsking && html`<${Confirmation} title="Begin a new peak?" yes="Count from here" act=${begin} onNo=${() => setAsking(false)}>
      <p>What was lost before no longer stops agents from buying: the drawdown is counted from ${worth(total)} on. This is a new version of your policy.</p><//>`}`;
}

function Edit({ id, custodian, onSaved, onCancel }) {
  useEffect(() => document.getElementById('holdings-name').focus(), []);
  return html`<section class="card"><h3>${custodian ? html`Holdings at <${Foreign} text=${custodian.name} />` : 'A new paper custodian'}</h3>
    <p class="muted">What you save replaces what this custodian held before.</p>
    <${HoldingsForm} id=${id} custodian=${custodian} onSaved=${onSaved} onCancel=${onCancel} /></section>`;
}

const Connect = ({ id, custodian, onSaved, onCancel }) => html`
  <section class="card"><h3>${custodian ? html`New keys for <${Foreign} text=${custodian.name} />` : 'Connect Alpaca'}</h3>
    <${ConnectForm} id=${id} custodian=${custodian} onSaved=${onSaved} onCancel=${onCancel} /></section>`;
