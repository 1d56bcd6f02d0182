/** What needs the user, the gravest first, asked for once by all who want it at a time; nothing needs a viewer. */
import { get } from './api.js';
import { coalesced, useLoad, usePoll } from './load.js';
import { useChanges } from './stream.js';
import { isViewing } from './viewing.js';

const read = coalesced(async () => (isViewing() ? { count: 0, items: [] } : get('/inbox')));

/** Blocked proposals, and what only time brings, are not told by the stream. */
const POLL = 30000;

/** The inbox, kept up to date. */
export function useInbox(dependencies = []) {
  const inbox = useLoad(read, dependencies);
  useChanges(['inbox'], inbox.reload);
  usePoll(inbox.reload, POLL);
  return inbox;
}
