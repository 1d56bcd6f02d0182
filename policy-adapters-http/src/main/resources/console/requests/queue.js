/** The requests that are pending, kept in their places while they are looked at. */
import { useRef, useState } from '../lib/html.js';
import { get } from '../lib/api.js';
import { plural, tradeWords } from '../lib/format.js';
import { useLoad } from '../lib/load.js';
import { isUnderWay, isUndecided, outcomeWords } from '../lib/orders.js';
import { pendingRequests } from '../lib/requests.js';
import { useChanges } from '../lib/stream.js';
import { verdictsById } from './row.js';
import { announce } from '../ui/live.js';

/** Announces what happened to requests since the last look. */
function tellChanges(before, now) {
  const known = new Map(before.map((request) => [request.id, request]));
  for (const request of now) {
    const was = known.get(request.id);
    if (!was && request.status === 'pending') announce(`New request: ${tradeWords(request.trade)}`);
    else if (was && outcomeWords(was) !== outcomeWords(request)) announce(`${tradeWords(request.trade)}: ${outcomeWords(request)}`);
  }
}

/** Of more requests that were resolved at once, only the opened one is read again and shown in its place; the others leave. */
const MAX_SETTLED = 5;
const NONE = new Set();

/**
 * Pending requests, those that wait for the user on top, first to expire first. All keep their places from then on.
 *
 * @param opened refers to the id of the request that is opened
 */
export function useQueue(opened, onResolved) {
  const shown = useRef(null);
  const [leaving, setLeaving] = useState(NONE);
  const loaded = useLoad(async () => {
    const [found, { verdicts }] = await Promise.all([pendingRequests(), verdictsById()]);
    const requests = found.map((request) => ({ ...request, verdict: verdicts.get(request.id) }));
    const pending = new Map(requests.map((request) => [request.id, request]));
    const before = shown.current ?? [];
    const gone = before.filter((request) => request.status === 'pending' && !pending.has(request.id));
    const looked = gone.length > MAX_SETTLED ? gone.filter((request) => request.id === opened.current) : gone;
    const settled = new Map((await Promise.all(looked.map((request) => get(`/requests/${request.id}`)))).map((r) => [r.id, r]));
    const known = before.map((request) => pending.get(request.id) ?? settled.get(request.id) ?? request)
      .filter((request) => request.status !== 'pending' || pending.has(request.id) || settled.has(request.id));
    const ids = new Set(known.map((request) => request.id));
    const fresh = requests.filter((request) => !ids.has(request.id)).sort((a, b) => isUnderWay(a) - isUnderWay(b) || a.id - b.id);
    const next = [...known, ...fresh];
    if (shown.current !== null) tellChanges(before, next);
    if (gone.length > 0) onResolved();
    shown.current = next;
    return next;
  });
  useChanges(['requests', 'portfolio', 'policy', 'keys'], loaded.reload);
  /** Takes requests from the list that were resolved together, at once and for good. */
  const dismiss = async (ids) => {
    const resolved = new Set(ids);
    setLeaving(resolved);
    shown.current = shown.current.filter((request) => !resolved.has(request.id));
    onResolved();
    await loaded.reload();
    setLeaving(NONE);
  };
  return { ...loaded, data: loaded.data?.filter((request) => !leaving.has(request.id)), dismiss };
}

/** "1 request waits for your decision. 2 orders are under way." */
export function waitingWords(requests) {
  const waiting = requests.filter(isUndecided).length;
  const orders = requests.filter(isUnderWay).length;
  return [
    waiting === 0 ? 'Nothing is waiting for you.' : `${plural(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'} for your decision.`,
    orders > 0 && `${plural(orders, 'order')} ${orders === 1 ? 'is' : 'are'} under way.`,
  ].filter(Boolean).join(' ');
}
