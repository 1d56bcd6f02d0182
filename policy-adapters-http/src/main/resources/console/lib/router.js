/** Paths of the console and how to get from one to the next without a reload. */
import { html, useEffect, useState } from './html.js';

const changed = new EventTarget();
const tell = () => changed.dispatchEvent(new Event('path'));

addEventListener('popstate', tell);

export function navigate(path) {
  if (path !== location.pathname + location.search) history.pushState(null, '', path);
  tell();
}

/** The path that is shown, and again whenever it changes. */
export function usePath() {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => setPath(location.pathname);
    changed.addEventListener('path', follow);
    return () => changed.removeEventListener('path', follow);
  }, []);
  return path;
}

const isPlain = (event) => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link within the console. */
export function Link({ to, children, ...rest }) {
  const go = (event) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    navigate(to);
  };
  return html`<a href=${to} onClick=${go} ...${rest}>${children}</a>`;
}
