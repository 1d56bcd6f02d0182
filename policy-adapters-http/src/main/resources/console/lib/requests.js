/** Lists of requests that are longer than a page of the service. */
import { get, query } from './api.js';
import { coalesced } from './load.js';

const MAX_LIMIT = 100;

/** Follows the pages of a list, newest first, until there are no more or enough was found. */
async function follow(parameters, isEnough) {
  const found = [];
  let cursor = null;
  do {
    const page = await get(query('/requests', { ...parameters, limit: MAX_LIMIT, cursor }));
    found.push(...page.requests);
    cursor = page.nextCursor;
  } while (cursor && !isEnough(found));
  return found;
}

/** All pending requests, asked for once by all who want them at a time. The oldest, which expire first, are on the last page. */
export const pendingRequests = coalesced(() => follow({ status: 'pending' }, () => false));

const resolved = (requests) => requests.filter((request) => request.status !== 'pending');

/** The newest resolved requests, and whether there are more. */
export async function resolvedRequests(wanted) {
  const found = resolved(await follow({}, (requests) => resolved(requests).length > wanted));
  return { requests: found.slice(0, wanted), hasMore: found.length > wanted };
}
