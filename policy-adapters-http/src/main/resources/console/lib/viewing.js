/** A viewer looks at the account and changes nothing (docs/reference/viewers.md); pages leave out what would. */
import { get } from './api.js';

let me = null;

/** Says as whom the session was opened, before anything is drawn. */
export function viewAs(user) {
  me = user;
}

export const isViewing = () => Boolean(me?.viewer);

/** Above which amount accepting needs a passkey; null for none. */
export const passkeyAbove = () => me?.passkeyAboveUsd ?? null;

/** Remembers that the user chose another amount. */
export function demandPasskeyAbove(amountUsd) {
  me.passkeyAboveUsd = amountUsd;
}

/** The keys of the user: {keys}; none for a viewer, who may not read them. */
export const readKeys = async () => (isViewing() ? { keys: [] } : get('/keys'));
