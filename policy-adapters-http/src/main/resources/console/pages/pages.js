/**
 * The pages by path. The server serves the console at the same paths and no others. The first view needs the pages that are
 * imported here; each of the others is fetched when it is opened, or before that in idle time.
 */
import { html } from '../lib/html.js';
import { Link } from '../lib/router.js';
import { isViewing } from '../lib/viewing.js';
import { PageHead } from '../ui/text.js';
import { Home } from './home.js';
import { OneRequest, Requests } from './requests.js';

const Nothing = () => html`
  <${PageHead} title="There is no such page" />
  <p><${Link} to="/">Go home</${Link}></p>`;

/** `isOwn` says that viewers do not see it. */
const PAGES = [
  { path: /^\/$/, title: 'Home', component: Home },
  { path: /^\/requests$/, title: 'Requests', component: Requests },
  { path: /^\/requests\/(?<id>\d+)$/, title: 'Request', component: OneRequest },
  { path: /^\/inbox$/, title: 'Inbox', load: async () => (await import('./inbox.js')).Inbox },
  { path: /^\/policy$/, title: 'Policy', load: async () => (await import('./policy.js')).Policy },
  { path: /^\/portfolio$/, title: 'Portfolio', load: async () => (await import('./portfolio.js')).Portfolio },
  { path: /^\/agents$/, title: 'Agents', load: async () => (await import('./agents.js')).Agents, isOwn: true },
  { path: /^\/agents\/(?<id>[^/]+)$/, title: 'Agent', load: async () => (await import('./agent.js')).Agent, isOwn: true },
  { path: /^\/connect\/(?<id>[0-9a-f-]+)$/, title: 'Connect a program', load: async () => (await import('./connect.js')).Connect, isOwn: true },
  { path: /^\/activity$/, title: 'Activity', load: async () => (await import('./activity.js')).Activity },
  { path: /^\/reconciliation$/, title: 'Reconciliation', load: async () => (await import('./reconciliation.js')).Reconciliation },
  { path: /^\/proof$/, title: 'Proof', load: async () => (await import('./proof.js')).Proof },
  { path: /^\/usage$/, title: 'Usage', load: async () => (await import('./usage.js')).Usage },
  { path: /^\/account$/, title: 'Account', load: async () => (await import('./account.js')).Account, isOwn: true },
  { path: /^\/welcome$/, title: 'First steps', load: async () => (await import('./welcome.js')).Welcome, isOwn: true },
];
const NO_PAGE = { title: 'No such page', component: Nothing };

/** How long the first view has the connection for itself. */
const PREFETCH_DELAY = 1000;

/** The page of a path, with its parameters. */
export function pageOf(path) {
  const known = path === '/sign-in' || path === '/sign-up' ? '/' : path;
  for (const page of PAGES) {
    const match = page.path.exec(known);
    if (match && !(page.isOwn && isViewing())) return { page, parameters: { ...match.groups } };
  }
  return { page: NO_PAGE, parameters: {} };
}

/** The component of a page, fetched unless it is there. */
export async function fetchPage(page) {
  try {
    page.component ??= await page.load();
    return page.component;
  } catch (cause) {
    const error = new Error(`The page ${page.title} could not be loaded.`, { cause });
    throw Object.assign(error, { advice: 'Check your connection and try again.' });
  }
}

const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 100));

async function prefetchNext() {
  const page = PAGES.find((one) => !one.component);
  if (!page) return;
  try {
    await fetchPage(page);
    whenIdle(prefetchNext);
  } catch {
    // The others would hardly come either. Each is fetched when it is opened.
  }
}

/** Fetches all pages, one after the other in idle time, unless the browser is to save data. */
export function prefetchPages() {
  if (!navigator.connection?.saveData) setTimeout(() => whenIdle(prefetchNext), PREFETCH_DELAY);
}
