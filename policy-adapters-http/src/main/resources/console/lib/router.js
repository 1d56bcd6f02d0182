/** Paths of the console and how to get from one to the next without a reload. */
import { html, useEffect, useRef, useState } from './html.js';

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

// Browsers restore the place before the page is loaded again, and so as long as it was.
history.scrollRestoration = 'manual';
/** Scrolling is over after so many milliseconds. */
const SETTLE = 150;
let settling = null;

/** How long a page may take to become as long as it was, in milliseconds; until then it is kept so long. */
const RESTORE = 3000;
let restoring = null;

const keepPlace = () => keep({ y: scrollY, height: document.documentElement.scrollHeight });

addEventListener('scroll', () => {
  clearTimeout(settling);
  settling = setTimeout(keepPlace, SETTLE);
}, { passive: true });

/** Scrolls to where this entry of the history was left, or to the place that its address names; else it begins at its top. */
export function restoreScroll() {
  clearTimeout(settling);
  const { y = 0, height = 0 } = kept();
  clearTimeout(restoring);
  const reach = (length) => { document.body.style.minHeight = length; };
  reach(y > 0 ? `${height}px` : '');
  restoring = setTimeout(() => reach(''), RESTORE);
  if (y > 0 || !location.hash) scrollTo(0, y);
}

/** Whether the address names a place of its page that the user was not at before. */
const isNamed = (place) => location.hash === `#${place}` && !kept().y;

/** Refers to a place that an address may name after its #, and has it in view once it is there, also while the page above it loads. */
export function usePlace(name) {
  const place = useRef(null);
  useEffect(() => {
    if (!isNamed(name)) return undefined;
    const watch = new ResizeObserver(() => place.current.scrollIntoView());
    const end = setTimeout(() => watch.disconnect(), RESTORE);
    watch.observe(document.body);
    return () => {
      clearTimeout(end);
      watch.disconnect();
    };
  }, []);
  return place;
}

export function navigate(path) {
  if (path !== location.pathname + location.search) {
    keepPlace();
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
