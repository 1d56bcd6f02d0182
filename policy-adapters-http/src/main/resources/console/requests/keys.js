/** The keys of the list of requests: j and k go down and up, a and r go to the buttons of the opened request. */
import { useEffect, useRef } from '../lib/html.js';

const isTyping = (target) => target.closest('input, textarea, select, [contenteditable], dialog') !== null;

/** @param work what each key does, by key */
export function useKeys(work) {
  const current = useRef(work);
  current.current = work;
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Puts the focus on a button of a request, so that Enter presses it and nothing is decided by a single key. */
export const focusButton = (id, name) => document.querySelector(`[data-request="${id}"] [data-do="${name}"]`)?.focus();
