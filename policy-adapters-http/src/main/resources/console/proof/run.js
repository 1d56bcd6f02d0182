/** Fetches a whole chain and its keys and verifies every row as it comes. */
import { bytes, query } from '../lib/api.js';
import { Broken, canonical, insist, isOf, readStrictly } from './canonical.js';
import { ChainVerifier, ends } from './chain.js';
import { readKeys } from './keys.js';
import { givenRoot, remember, seenBefore } from './memory.js';

const PAGE = 500;
const STEP = 25;
const MANIFEST = '/api/agent/v1/signing-keys';
const EVENTS = '/api/app/v1/events';

const fetched = {
  manifest: () => bytes(MANIFEST),
  page: (cursor) => bytes(query(EVENTS, { order: 'asc', limit: PAGE, cursor })),
};

/**
 * Verifies the chain of a user; `tell` is called with {done, whole} for progress. Returns {isWhole, rows, erased, signed, signedVersions, at, keys, trust, pages,
 * manifest, trusted, hashes, kept} or, with the same members so far, {isWhole: false, broken: {seq, why, missing}}. `signed` are the requests whose acceptance a person signed, `signedVersions` the versions of the policy. `trust` names the keys the
 * result depends on: {how, role, kid}. `source` supplies the bytes, by default from the service.
 */
export async function verifyChain(userId, tell, source = fetched) {
  const found = { isWhole: false, rows: 0, erased: 0, signed: [], signedVersions: [], at: null, keys: new Map(), kinds: new Map(), unfilled: new Set(), hashes: new Map(), trust: [], pages: [], manifest: null, kept: seenBefore(userId) };
  const known = { first: found.kept?.firstKeyId ?? null, anchor: found.kept?.anchorKeyId ?? null, root: givenRoot() };
  trustKnown(found.trust, known);
  try {
    found.manifest = await source.manifest();
    const manifest = readStrictly(found.manifest);
    const keys = await readKeys(manifest, known);
    found.trusted = keys;
    trustManifest(found.trust, keys.manifest);
    insist(manifest.manifestVersion >= (found.kept?.manifestVersion ?? 0), 'the list of keys is older than one this browser has seen');
    const receipts = new Map(found.kept ? [[found.kept.seq, found.kept.hash]] : []);
    const verifier = new ChainVerifier(keys, { pin: known.first, receipts });
    await followPages(userId, verifier, found, tell, source);
    await verifier.finish();
    found.isWhole = true;
    if (found.rows > 0) {
      remember(userId, { seq: found.at.seq, hash: found.at.hash, firstKeyId: found.firstKeyId, anchorKeyId: keys.anchor ?? known.anchor, manifestVersion: manifest.manifestVersion });
    }
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    found.broken = { seq: error.seq ?? null, why: error.message, missing: error.missing };
  }
  return found;
}

function trustKnown(trust, { first, anchor, root }) {
  if (root) trust.push({ how: 'given', role: 'root key', kid: root });
  if (first) trust.push({ how: 'remembered', role: 'event key', kid: first });
  if (anchor) trust.push({ how: 'remembered', role: 'anchor key', kid: anchor });
}

function trustManifest(trust, { signedBy, voucher, isFirstUse }) {
  if (voucher) trust.push({ how: `attested by ${voucher}`, role: 'anchor key', kid: signedBy });
  if (isFirstUse) trust.push({ how: 'trusted on first use', role: 'anchor key', kid: signedBy });
}

async function followPages(userId, verifier, found, tell, source) {
  let at = null;
  let whole = 0;
  do {
    const raw = await source.page(at);
    const page = readStrictly(raw);
    found.pages.push(raw);
    insist(isOf('page', { ...page, head: null, nextCursor: null }), 'the page is malformed');
    const { head, cursor } = ends(page);
    found.head = head ?? found.head;
    insist(found.head?.userId === userId, 'the chain is that of another user');
    whole = Math.max(whole, found.head.seq);
    tell({ done: found.rows, whole });
    for (const row of page.events) {
      await verifier.next(row, page.erasures ?? []);
      note(found, row, verifier);
      if (found.rows % STEP === 0) tell({ done: found.rows, whole });
    }
    tell({ done: found.rows, whole });
    if (head !== null) await verifier.headed(head);
    at = cursor;
  } while (at !== null);
}

/** The kind that a row is counted as; a change of the policy or of a key is counted by what was changed. */
function kindOf({ eventType, payload }, found) {
  if (eventType === 'key.minted' && payload?.client) return 'connection';
  if (eventType === 'key.rotated' && payload?.secretChanged === false) return 'key.changed';
  if (!eventType.startsWith('ips.')) return eventType;
  const { paused = false, approvals = [], ...rest } = payload?.document ?? {};
  const before = found.policy;
  found.policy = { paused, approvals: [approvals].flat().map(canonical), rest: canonical(rest) };
  if (before?.rest !== found.policy.rest) return eventType;
  if (before.paused !== paused) return paused ? 'paused' : 'resumed';
  return found.policy.approvals.some((one) => !before.approvals.includes(one)) ? 'approved' : eventType;
}

const count = (found, kind) => found.kinds.set(kind, (found.kinds.get(kind) ?? 0) + 1);

/** Counts acceptances that came to nothing: the user answered the same request again, and nothing was filled between. */
function followOrders({ eventType, payload }, found) {
  const id = payload?.serviceRequestId;
  if (eventType === 'broker.trade_observed') found.unfilled.delete(id);
  if (!payload?.attestation) return;
  if (found.unfilled.delete(id)) count(found, 'unfilled');
  if (payload.attestation.accepted && payload.allowed) found.unfilled.add(id);
}

function note(found, row, { at, erased, signatures }) {
  found.rows++;
  found.erased = erased;
  found.signed = signatures.requests;
  found.signedVersions = signatures.versions;
  found.at = at;
  if (found.firstKeyId === undefined && !found.kept?.firstKeyId) {
    found.trust.push({ how: 'trusted on first use', role: 'event key', kid: row.signingKeyId });
  }
  found.firstKeyId ??= row.signingKeyId;
  found.keys.set(row.signingKeyId, (found.keys.get(row.signingKeyId) ?? 0) + 1);
  count(found, kindOf(row, found));
  followOrders(row, found);
  found.hashes.set(row.seq, row.hash);
}
