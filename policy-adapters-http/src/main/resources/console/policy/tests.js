/** The tests of the policy: trades that must come out as the user says, whatever else is changed. */
import { html, useState } from '../lib/html.js';
import { get, post, put } from '../lib/api.js';
import { plural, usd } from '../lib/format.js';
import { useAction, useCalm, useLoad } from '../lib/load.js';
import { Button, Field } from '../ui/field.js';
import { announce } from '../ui/live.js';
import { ErrorBox, Loading } from '../ui/states.js';
import { Badge } from '../ui/text.js';
import { ruleTitle } from '../ui/violations.js';

const MAX_NAME = 100;

/** A name that no test has yet. */
function freeName(name, tests) {
  const taken = new Set(tests.map((test) => test.name));
  const numbered = (i) => (i === 1 ? name.slice(0, MAX_NAME) : `${name.slice(0, MAX_NAME - 6)} (${i})`);
  let i = 1;
  while (taken.has(numbered(i))) i++;
  return numbered(i);
}

/**
 * The tests of the user and how they come out: under the document if there is one, else under the policy in force. They run
 * anew when nothing was changed for a moment.
 */
export function useTests(ips, document) {
  const now = document === null ? null : JSON.stringify(document);
  const calm = useCalm(now);
  const loaded = useLoad(async () => {
    const { tests } = await get('/ips/tests');
    const canRun = tests.length > 0 && (calm !== null || Boolean(ips));
    const run = canRun ? await post('/ips/tests/run', calm === null ? {} : { document: JSON.parse(calm) }) : null;
    return { of: calm, tests, run };
  }, [calm, ips?.ipsVersion]);
  const isOfNow = !loaded.isLoading && calm === now && loaded.data?.of === now;
  const replace = async (change) => {
    await put('/ips/tests', { tests: change((await get('/ips/tests')).tests) });
    await loaded.reload();
  };
  return {
    tests: loaded.data?.tests ?? null,
    results: new Map((isOfNow ? loaded.data.run?.results ?? [] : []).map((result) => [result.name, result])),
    isOfDraft: now !== null,
    isBusy: !isOfNow && !loaded.error,
    error: calm === now ? loaded.error : null,
    replace,
    /** Keeps the trade of a comparison as a test. */
    keep: async ({ portfolio, used, trade, at }, allowed) => {
      const name = `A ${trade.action} of ${usd(trade.amountUsd)} of ${trade.assetSymbol} is ${allowed ? 'allowed' : 'blocked'}`;
      await replace((tests) => [...tests, { name: freeName(name, tests), portfolio, ...(used ? { used } : {}), trade, at, expect: { allowed } }]);
      announce(`Kept as a test: ${name}.`);
    },
  };
}

const verdict = (isAllowed) => (isAllowed ? 'allowed' : 'blocked');

/** "Must be blocked by Crypto maximum, but is allowed." */
function outcomeWords({ expect, decision, maxAllowedUsd, unmet }) {
  const names = (rules) => rules.map(ruleTitle).join(', ');
  const must = `Must be ${verdict(expect.allowed)}${expect.rules?.length > 0 ? ` by ${names(expect.rules)}` : ''}${'maxAllowedUsd' in expect ? `, up to ${usd(expect.maxAllowedUsd)}` : ''}`;
  if (unmet.length === 0) return `${must}.`;
  const found = unmet.includes('maxAllowedUsd') && unmet.length === 1 ? `up to ${usd(maxAllowedUsd)} is allowed`
    : `is ${verdict(decision.allowed)}${decision.allowed ? '' : ` by ${names([...new Set(decision.violations.map(({ rule }) => rule))])}`}`;
  return `${must}, but ${found}.`;
}

const Outcome = ({ result }) => html`
  <li data-test=${result.passed ? 'passed' : 'failed'}><${Badge} kind=${result.passed ? 'good' : 'bad'}>${result.passed ? 'Passes' : 'Fails'}<//>
    <strong>${result.name}</strong> <small>${outcomeWords(result)}</small></li>`;

/** Why something was not saved. If tests failed, they are listed, with a button to save it all the same. */
export function SavingError({ error, isBusy, yes, onIgnore }) {
  if (error?.code !== 'tests_failed') return html`<${ErrorBox} error=${error} />`;
  return html`
    <div class="notice bad" role="alert"><p><strong>${plural(error.results.length, 'test')} of yours ${error.results.length === 1 ? 'does' : 'do'} not hold.</strong> Nothing was saved.</p>
      <ul class="plain">${error.results.map((result) => html`<${Outcome} key=${result.name} result=${result} />`)}</ul>
      <${Button} class="small" isBusy=${isBusy} onClick=${onIgnore}>${yes}<//></div>`;
}

/** @param of the tests as `useTests` has them */
export function Tests({ of }) {
  const acting = useAction();
  const { tests, results } = of;
  if (tests === null) return html`<section class="card"><h2>Tests</h2>${of.error ? html`<${ErrorBox} error=${of.error} />` : html`<${Loading} />`}</section>`;
  const drop = (name) => acting.run(async () => {
    await of.replace((stored) => stored.filter((test) => test.name !== name));
    announce(`The test is removed: ${name}.`);
    document.getElementById('tests').focus();
  });
  const failed = tests.filter(({ name }) => results.get(name)?.passed === false).length;
  return html`
    <section class="card" aria-labelledby="tests"><h2 id="tests" tabindex="-1">Tests</h2>
      ${tests.length === 0 ? html`<p class="muted">A test is a trade that must come out as you say; a policy that fails one is not saved by accident. Keep a trade that a comparison shows, or write tests as JSON.</p>`
        : html`<p role="status">${of.error ? `Not run: ${of.error.message}` : of.isBusy ? 'Running…' : `${of.isOfDraft ? 'Under the draft' : 'Under the policy in force'}, ${failed === 0 ? `${tests.length === 1 ? 'the test passes' : `all ${tests.length} tests pass`}` : `${failed} of ${plural(tests.length, 'test')} ${failed === 1 ? 'fails' : 'fail'}`}.`}</p>`}
      ${tests.length > 0 && html`<ul class="plain">${tests.map(({ name }) => html`
        <li class="test" key=${name}>${results.has(name) ? html`<ul class="plain"><${Outcome} result=${results.get(name)} /></ul>` : html`<span>${name}</span>`}
          <${Button} class="small" isBusy=${acting.isBusy} onClick=${() => drop(name)}>Remove<span class="quiet"> the test ${name}</span><//></li>`)}</ul>`}
      <${ErrorBox} error=${acting.error} />
      <${TestsAsJson} tests=${tests} replace=${of.replace} />
    </section>`;
}

function TestsAsJson({ tests, replace }) {
  const [typed, type] = useState(null);
  const [error, setError] = useState(null);
  const saving = useAction();
  const save = () => {
    let sent;
    try {
      sent = JSON.parse(typed ?? JSON.stringify(tests));
    } catch (unreadable) {
      setError(`This is not JSON: ${unreadable.message}`);
      return;
    }
    setError(null);
    saving.run(async () => {
      await replace(() => sent);
      type(null);
      announce('The tests are saved.');
    });
  };
  return html`
    <details><summary>Edit as JSON</summary>
      <${Field} id="tests-json" label="Tests" hint="A list of tests, as the reference of the API describes them." rows="12" spellcheck="false"
        value=${typed ?? JSON.stringify(tests, null, 2)} error=${error} onInput=${type} />
      <${ErrorBox} error=${saving.error} />
      <div class="actions"><${Button} isBusy=${saving.isBusy} busy="Saving…" onClick=${save}>Save the tests<//></div>
    </details>`;
}
