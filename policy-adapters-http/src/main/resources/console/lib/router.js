/** Paths of the console and how to get from one to the next without a reload. */
import { html, useEffect, useState } from './html.js';

const changed = new EventTarget();
const tell = () => changed.dispatchEvent(new Event('path'));

addEventListener('popstate', tell);

/** What this entry of the history keeps for who comes back to it. */
export const kept = () => history.state ?? {};

/** Keeps something in this entry of the history. */
export const keep = (members) => history.replaceState({ ...kept(), ...members }, '');

/** A state of a page that is as it was left when the user comes back to it. */
export function useKept(name, initial) {
  const [value, setValue] = useState(() => kept()[name] ?? initial);
  const set = (next) => {
    keep({ [name]: next });
    setValue(next);
  };
  return [value, set];
}

history.scrollRestoration = 'manual';
/** How long a page may take to become as long as it was, in milliseconds. */
const RESTORE = 3000;
const SETTLE = 150;
let isRestoring = false;
let settling = null;

addEventListener('scroll', () => {
  clearTimeout(settling);
  settling = setTimeout(() => { if (!isRestoring && kept().y !== scrollY) keep({ y: scrollY }); }, SETTLE);
}, { passive: true });
for (const hand of ['wheel', 'touchmove', 'keydown']) addEventListener(hand, () => { isRestoring = false; }, { passive: true });

/** Scrolls to where this entry of the history was left, once its page is long enough again; a new one begins at its top. */
export function restoreScroll() {
  const y = kept().y ?? 0;
  const end = performance.now() + RESTORE;
  isRestoring = true;
  const step = () => {
    if (!isRestoring) return;
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 2 || performance.now() > end) isRestoring = false;
    else requestAnimationFrame(step);
  };
  step();
}

export function navigate(path) {
  if (path !== location.pathname + location.search) {
    clearTimeout(settling);
    keep({ y: scrollY });
    history.pushState(null, '', path);
  }
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
