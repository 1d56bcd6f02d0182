/** The pages by path. The server serves the console at the same paths and no others. */
import { html } from '../lib/html.js';
import { Link } from '../lib/router.js';
import { PageHead } from '../ui/text.js';
import { Account } from './account.js';
import { Activity } from './activity.js';
import { Agents } from './agents.js';
import { Home } from './home.js';
import { Policy } from './policy.js';
import { Portfolio } from './portfolio.js';
import { Proof } from './proof.js';
import { Reconciliation } from './reconciliation.js';
import { OneRequest, Requests } from './requests.js';
import { Usage } from './usage.js';
import { Welcome } from './welcome.js';

const Nothing = () => html`
  <${PageHead} title="There is no such page" />
  <p><${Link} to="/">Go home</${Link}></p>`;

const PAGES = [
  { path: /^\/$/, title: 'Home', component: Home },
  { path: /^\/requests$/, title: 'Requests', component: Requests },
  { path: /^\/requests\/(?<id>\d+)$/, title: 'Request', component: OneRequest },
  { path: /^\/welcome$/, title: 'First steps', component: Welcome },
  { path: /^\/policy$/, title: 'Policy', component: Policy },
  { path: /^\/portfolio$/, title: 'Portfolio', component: Portfolio },
  { path: /^\/agents$/, title: 'Agents', component: Agents },
  { path: /^\/activity$/, title: 'Activity', component: Activity },
  { path: /^\/reconciliation$/, title: 'Reconciliation', component: Reconciliation },
  { path: /^\/proof$/, title: 'Proof', component: Proof },
  { path: /^\/usage$/, title: 'Usage', component: Usage },
  { path: /^\/account$/, title: 'Account', component: Account },
];

/** The page of a path, with its parameters. */
export function pageOf(path) {
  const known = path === '/sign-in' || path === '/sign-up' ? '/' : path;
  for (const page of PAGES) {
    const match = page.path.exec(known);
    if (match) return { ...page, parameters: { ...match.groups } };
  }
  return { title: 'No such page', component: Nothing, parameters: {} };
}
