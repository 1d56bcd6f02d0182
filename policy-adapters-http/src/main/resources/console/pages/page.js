/** Shows the page of a path, once its module is there. */
import { html, useEffect, useState } from '../lib/html.js';
import { useArrival } from '../ui/arrival.js';
import { ErrorBox, Loading } from '../ui/states.js';
import { PageHead } from '../ui/text.js';
import { fetchPage, pageOf } from './pages.js';

export function Page({ path, user }) {
  const { page, parameters } = pageOf(path);
  return html`<${Opened} key=${path} path=${path} page=${page} properties=${{ user, ...parameters }} />`;
}

function Opened({ path, page, properties }) {
  const [component, setComponent] = useState(() => page.component);
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!component) fetchPage(page).then((fetched) => setComponent(() => fetched), setError);
  }, []);
  if (component) return html`<${Arrived} title=${page.title} path=${path}><${component} ...${properties} /><//>`;
  if (error) return html`<${Arrived} title=${page.title} path=${path}><${PageHead} title=${page.title} /><${ErrorBox} error=${error} retry=${reload} /><//>`;
  return html`<${PageHead} title=${page.title} /><${Loading} />`;
}

function Arrived({ title, path, children }) {
  useArrival(title, path);
  return children;
}

/**
 * Loads the whole console again if the service can be reached: browsers remember that a module failed, and a new version
 * of the service has its modules at other paths.
 */
async function reload() {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' });
    if (answer.ok) location.reload();
  } catch {
    // There is no connection yet; the message stays.
  }
}
