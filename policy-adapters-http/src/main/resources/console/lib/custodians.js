/** The custodians of the user, by id, so that each is named the same way everywhere. */
import { get } from './api.js';

/** A custodian's entry says its name, kind, environment and whether it answered the last time. */
export async function custodiansById() {
  const { custodians } = await get('/custodians');
  return new Map(custodians.map((custodian) => [custodian.id, custodian]));
}

/** Whether orders there are made with real money. */
export const isLive = (custodian) => custodian?.environment === 'live';

/** An id for a new custodian: the kind, with a number if that is taken. */
export function freeId(kind, taken) {
  for (let number = 1; ; number++) {
    const id = number === 1 ? kind : `${kind}-${number}`;
    if (!taken.has(id)) return id;
  }
}
