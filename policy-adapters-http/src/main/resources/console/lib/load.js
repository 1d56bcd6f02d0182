/** Hooks that bring what the service knows to a page and keep it fresh. */
import { useCallback, useEffect, useRef, useState } from './html.js';

/** Loads once, and again on `reload`; what was loaded stays while it is loaded anew or when that fails. */
export function useLoad(load, dependencies = []) {
  const [state, setState] = useState({ data: undefined, error: null, isLoading: true });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++latest.current;
    const isMine = () => mine === latest.current;
    setState((was) => ({ ...was, isLoading: true }));
    try {
      const data = await load();
      if (isMine()) setState({ data, error: null, isLoading: false });
    } catch (error) {
      if (isMine()) setState((was) => ({ ...was, error, isLoading: false }));
    }
  }, dependencies);
  useEffect(() => {
    reload();
    return () => { latest.current++; };
  }, [reload]);
  return { ...state, reload };
}

/** Repeats some work while the page is looked at. */
export function usePoll(work, milliseconds) {
  const current = useRef(work);
  current.current = work;
  useEffect(() => {
    const look = () => { if (!document.hidden) current.current(); };
    const timer = setInterval(look, milliseconds);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [milliseconds]);
}

/** One action at a time: `run` does the work, `isBusy` and `error` say how it goes. */
export function useAction() {
  const [state, setState] = useState({ isBusy: false, error: null });
  const isRunning = useRef(false);
  const run = async (work) => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setState({ isBusy: true, error: null });
    try {
      const result = await work();
      setState({ isBusy: false, error: null });
      return result;
    } catch (error) {
      setState({ isBusy: false, error });
      return undefined;
    } finally {
      isRunning.current = false;
    }
  };
  return { ...state, run, clear: () => setState({ isBusy: false, error: null }) };
}

/** A state that outlives the page it belongs to, until the tab is closed: what was typed and not yet saved. */
export function useDraft(name, initial) {
  const [value, setValue] = useState(() => readDraft(name) ?? initial);
  const set = (next) => {
    setValue(next);
    if (next === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(next));
  };
  return [value, set];
}

function readDraft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

/** Forgets what was typed; the next person at this browser must not find it. */
export function forgetDrafts() {
  sessionStorage.clear();
}
