/** What happens when another page is shown than before: its title, and the way to it for whoever cannot see that. */
import { useEffect } from '../lib/html.js';
import { announce } from './live.js';

let isFirst = true;

/** Names what is shown at a place; from the second on it is announced and its heading gets the focus. */
export function useArrival(title, place, words = title) {
  useEffect(() => {
    document.title = `${title} · Agent Policy`;
    if (isFirst) {
      isFirst = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector('main h1')?.focus();
    announce(words);
  }, [place]);
}
