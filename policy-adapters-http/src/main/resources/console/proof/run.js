/** Fetches a whole chain and its keys and verifies every row as it comes. */
import { bytes, query } from '../lib/api.js';
import { Broken, insist, readStrictly } from './canonical.js';
import { ChainVerifier } from './chain.js';
import { readKeys } from './keys.js';
import { remember, seenBefore } from './memory.js';

const PAGE = 500;
const STEP = 25;
const MANIFEST = '/api/agent/v1/signing-keys';
const EVENTS = '/api/app/v1/events';

/**
 * Verifies the chain of a user; `tell` hears {done, whole} on the way. Answers {isWhole, rows, at, keys, pages, manifest,
 * hashes, kept} or, with the same members so far, {isWhole: false, broken: {seq, why}}.
 */
export async function verifyChain(userId, tell) {
  const found = { isWhole: false, rows: 0, at: null, keys: new Map(), kinds: new Map(), hashes: new Map(), pages: [], manifest: null, kept: seenBefore(userId) };
  try {
    found.manifest = await bytes(MANIFEST);
    const manifest = readStrictly(found.manifest);
    insist(manifest.manifestVersion >= (found.kept?.manifestVersion ?? 0), 'the list of keys is older than one this browser has seen');
    const receipts = new Map(found.kept ? [[found.kept.seq, found.kept.hash]] : []);
    const verifier = new ChainVerifier(await readKeys(manifest), { pin: found.kept?.firstKeyId ?? null, receipts });
    const head = await followPages(userId, verifier, found, tell);
    await verifier.finish(head);
    found.isWhole = true;
    found.head = head;
    if (found.rows > 0) remember(userId, { seq: found.at.seq, hash: found.at.hash, firstKeyId: found.firstKeyId, manifestVersion: manifest.manifestVersion });
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    found.broken = { seq: error.seq ?? null, why: error.message };
  }
  return found;
}

async function followPages(userId, verifier, found, tell) {
  let cursor = null;
  for (;;) {
    const raw = await bytes(query(EVENTS, { order: 'asc', limit: PAGE, cursor }));
    const page = readStrictly(raw);
    found.pages.push(raw);
    insist(page.head?.userId === userId, 'the chain is that of another user');
    for (const row of page.events) {
      await verifier.next(row);
      note(found, row, verifier.at);
      if (found.rows % STEP === 0) tell({ done: found.rows, whole: page.head.seq });
    }
    tell({ done: found.rows, whole: page.head.seq });
    if (page.nextCursor === null) return page.head;
    cursor = page.nextCursor;
  }
}

function note(found, row, at) {
  found.rows++;
  found.at = at;
  found.firstKeyId ??= row.signingKeyId;
  found.keys.set(row.signingKeyId, (found.keys.get(row.signingKeyId) ?? 0) + 1);
  found.kinds.set(row.eventType, (found.kinds.get(row.eventType) ?? 0) + 1);
  found.hashes.set(row.seq, row.hash);
}
