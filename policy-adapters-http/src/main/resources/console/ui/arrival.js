/** Sets the title of a new page and announces it to screen readers. */
import { useEffect } from '../lib/html.js';
import { restoreScroll } from '../lib/router.js';
import { announce } from './live.js';
import { withCount } from './unread-badge.js';

let isFirst = true;

/** Names the page of a path. From the second page on, it is announced and its heading gets the focus. */
export function useArrival(title, place, words = title) {
  useEffect(() => {
    document.title = withCount(`${title} · Agent Policy`);
    if (!isFirst) {
      document.querySelector('main h1')?.focus({ preventScroll: true });
      announce(words);
    }
    isFirst = false;
    restoreScroll();
  }, [place]);
}
