/** Hooks that load data for a page and keep it up to date. */
import { useEffect, useMemo, useRef, useState } from './html.js';

/**
 * Has one run of an action under way and at most one waiting for its end. Whoever calls gets the promise of a run that
 * begins after the call, and shares it with all who call before it begins.
 */
export function coalesced(work) {
  let last = Promise.resolve();
  let next = null;
  return () => {
    next ??= last.then(() => {
      next = null;
      const run = work();
      last = run.catch(() => {});
      return run;
    });
    return next;
  };
}

/** Loads once, and again on `reload`. The old data stays while that runs, and if it fails. */
export function useLoad(load, dependencies = []) {
  const [state, setState] = useState({ data: undefined, error: null, isLoading: true });
  const latest = useRef(0);
  const reload = useMemo(() => coalesced(async () => {
    const mine = ++latest.current;
    const isMine = () => mine === latest.current;
    setState((was) => ({ ...was, isLoading: true }));
    try {
      const data = await load();
      if (isMine()) setState({ data, error: null, isLoading: false });
    } catch (error) {
      if (isMine()) setState((was) => ({ ...was, error, isLoading: false }));
    }
  }), dependencies);
  useEffect(() => {
    reload();
    return () => { latest.current++; };
  }, [reload]);
  return { ...state, reload };
}

/** How long a value must not have changed before the service is asked about it, in milliseconds. */
const CALM = 400;

/** A value that is being edited, once it was not changed for a moment. */
export function useCalm(value) {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), CALM);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

/** Repeats an action while the page is visible. */
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

/** One action at a time: `run` starts it, `isBusy` and `error` show its state. */
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

/** A state that is kept until the tab is closed, for input that is not yet saved. */
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

/** Deletes unsaved input, so that the next person at this browser does not find it. */
export function forgetDrafts() {
  sessionStorage.clear();
}
