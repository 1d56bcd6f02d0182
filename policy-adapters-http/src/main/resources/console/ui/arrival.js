/** Sets the title of a new page and announces it to screen readers. */
import { useEffect } from '../lib/html.js';
import { announce } from './live.js';
import { withCount } from './unread-badge.js';

let isFirst = true;

/** Names the page of a path. From the second page on, it is announced and its heading gets the focus. */
export function useArrival(title, place, words = title) {
  useEffect(() => {
    document.title = withCount(`${title} · Agent Policy`);
    if (isFirst) {
      isFirst = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector('main h1')?.focus();
    announce(words);
  }, [place]);
}
