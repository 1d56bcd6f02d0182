/**
 * What changed at the service, received by one stream of server-sent events that all tabs of this browser share: browsers open
 * few connections to one host. Each event says only that something changed; pages load their data again.
 */
import { get } from './api.js';
import { useEffect, useRef } from './html.js';

const PATH = '/api/app/v1/stream';
const TOPICS = ['requests', 'portfolio', 'policy', 'keys', 'inbox'];

/** Without a word from the stream for this long, pages ask by themselves. */
const FALLBACK = 15000;
const SIGN_OF_LIFE = 5000;
const AGAIN = 5000;

const changes = new EventTarget();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('changes') : null;
let heardAt = 0;

/** Takes in what the stream said, in this tab or in another; null is only a sign of life. */
function receive(topic) {
  heardAt = Date.now();
  if (topic !== null) changes.dispatchEvent(new Event(topic));
}

if (channel) channel.onmessage = (message) => receive(message.data);

function broadcast(topic) {
  receive(topic);
  channel?.postMessage(topic);
}

/** Listens to the service and broadcasts to every tab, until the signal ends it. */
function listen(signal) {
  const versions = new Map();
  let source = null;
  let again = null;
  const open = () => {
    source = new EventSource(PATH);
    source.onopen = () => broadcast(null);
    // The browser connects again by itself unless the service refused.
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) reopen(); };
    source.addEventListener('session', () => {
      source.close();
      reopen();
    });
    for (const topic of TOPICS) {
      source.addEventListener(topic, ({ data }) => {
        // The first word counts too: pages may have loaded before the stream was open.
        if (versions.get(topic) === data) return;
        versions.set(topic, data);
        broadcast(topic);
      });
    }
  };
  /** Opens the stream again later. If the session has ended, this asks the user to sign in, and waits for that. */
  const reopen = async () => {
    const error = await get('/me').then(() => null, (failed) => failed);
    if (error?.status !== 401 && !signal.aborted) again = setTimeout(open, AGAIN);
  };
  open();
  const alive = setInterval(() => { if (source.readyState === EventSource.OPEN) broadcast(null); }, SIGN_OF_LIFE);
  signal.addEventListener('abort', () => {
    clearTimeout(again);
    clearInterval(alive);
    source.close();
  });
}

/** Keeps the stream open while this user is signed in; of several tabs one does. */
export function useStream(user) {
  useEffect(() => {
    if (user === null) return undefined;
    const end = new AbortController();
    if (navigator.locks) {
      navigator.locks.request(`stream-${user.userId}`, { signal: end.signal }, () => new Promise((resolve) => {
        end.signal.addEventListener('abort', resolve);
        listen(end.signal);
      })).catch(() => {});
    } else {
      listen(end.signal);
    }
    return () => end.abort();
  }, [user?.userId]);
}

/** What is told in the title of a tab that nobody looks at. */
const URGENT = 'inbox';
/** Topics that change together are read again once, in milliseconds. */
const TOGETHER = 50;

/**
 * Runs an action after every change of these topics, in a tab that is hidden once it is seen again; every 15 seconds if the stream
 * is silent and the tab visible.
 */
export function useChanges(topics, work) {
  const current = useRef(work);
  current.current = work;
  useEffect(() => {
    const isUrgent = topics.includes(URGENT);
    let isBehind = false;
    let soon = null;
    const run = () => {
      // At once and not by a timer, which browsers slow down in hidden tabs.
      if (isUrgent) current.current();
      else if (document.hidden) isBehind = true;
      else {
        soon ??= setTimeout(() => {
          soon = null;
          current.current();
        }, TOGETHER);
      }
    };
    const poll = () => {
      if (document.hidden || !isBehind && Date.now() - heardAt <= FALLBACK) return;
      isBehind = false;
      current.current();
    };
    for (const topic of topics) changes.addEventListener(topic, run);
    document.addEventListener('visibilitychange', poll);
    const timer = setInterval(poll, FALLBACK);
    return () => {
      for (const topic of topics) changes.removeEventListener(topic, run);
      document.removeEventListener('visibilitychange', poll);
      clearInterval(timer);
      clearTimeout(soon);
    };
  }, topics);
}
