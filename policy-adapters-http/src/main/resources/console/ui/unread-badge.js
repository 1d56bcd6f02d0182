/** Shows in every tab how much is in the inbox: in its title, its icon and, if the user wants it, a notification. */
import { useEffect, useRef } from '../lib/html.js';
import { plural } from '../lib/format.js';
import { navigate } from '../lib/router.js';

/** The icon of the console with the number in its corner. */
const BADGED_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f4c5c"/>
<rect x="6" y="13" width="20" height="5" rx="2" fill="#fff" opacity=".45"/><circle cx="22" cy="10" r="9" fill="#d9480f"/>
<text x="22" y="14.5" font-family="sans-serif" font-size="13" font-weight="700" text-anchor="middle" fill="#fff">COUNT</text></svg>`;

const WAITING = /^\(\d+\+?\) /;
let count = 0;

const shown = () => (count > 99 ? '99+' : String(count));

/** The title of a page with the number of items in the inbox. */
export const withCount = (title) => (count === 0 ? title : `(${shown()}) ${title}`);

function draw() {
  document.title = withCount(document.title.replace(WAITING, ''));
  const icon = document.querySelector('link[rel=icon]');
  icon.dataset.plain ??= icon.href;
  icon.href = count === 0 ? icon.dataset.plain : `data:image/svg+xml,${encodeURIComponent(BADGED_ICON.replace('COUNT', count > 9 ? '9+' : count))}`;
}

const NAME = 'notify';

export const canNotify = () => 'Notification' in globalThis && Notification.permission !== 'denied';
export const isNotifying = () => 'Notification' in globalThis && Notification.permission === 'granted' && localStorage.getItem(NAME) === 'on';

/** Turns browser notifications on, asking the browser, or off. Returns whether they are on. */
export async function setNotifying(isOn) {
  localStorage.setItem(NAME, isOn ? 'on' : 'off');
  if (isOn && Notification.permission !== 'granted') await Notification.requestPermission();
  return isNotifying();
}

/** One notification for all tabs: those with the same tag replace each other. */
function notify(items) {
  const requests = items.filter(({ kind }) => kind === 'request').length;
  const others = items.length - requests;
  const body = [
    requests > 0 && `${plural(requests, 'request')} ${requests === 1 ? 'waits' : 'wait'} for your decision.`,
    others > 0 && `${plural(others, requests > 0 ? 'other thing' : 'thing')} ${others === 1 ? 'needs' : 'need'} you.`,
  ].filter(Boolean).join(' ');
  const note = new Notification('Agent Policy', { body, tag: 'inbox' });
  note.onclick = () => {
    window.focus();
    navigate(items.length === 1 ? items[0].href : '/inbox');
    note.close();
  };
}

/** @param items of the inbox; undefined until they are known */
export function useUnreadBadge(items) {
  const size = items?.length;
  const before = useRef(null);
  useEffect(() => {
    count = size ?? 0;
    draw();
    if (size === undefined) return;
    if (before.current !== null && size > before.current && document.hidden && isNotifying()) notify(items);
    before.current = size;
  }, [size]);
  useEffect(() => () => {
    count = 0;
    draw();
  }, []);
}
