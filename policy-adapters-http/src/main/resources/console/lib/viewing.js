/** A viewer looks at the account and changes nothing (docs/reference/viewers.md); pages leave out what would. */
import { get } from './api.js';

let viewer = null;

/** Says as whom the session was opened, before anything is drawn. */
export function viewAs(user) {
  viewer = user?.viewer ?? null;
}

export const isViewing = () => viewer !== null;

/** The keys of the user: {keys}; none for a viewer, who may not read them. */
export const readKeys = async () => (isViewing() ? { keys: [] } : get('/keys'));
