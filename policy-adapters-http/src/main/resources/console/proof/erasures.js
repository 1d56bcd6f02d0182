/** Signed evidence of erased payloads (docs/reference/events.md, Erasure). */
import { canonical, insist, isOf, isSigned, without } from './canonical.js';
import { isBeforeTheft } from './keys.js';

const ERASABLE_ALONE = ['guardrail.decision', 'policy.drift_detected', 'policy.drift_cleared', 'broker.trade_observed'];

const endOf = (entry) => ('throughSeq' in entry ? entry.throughSeq : entry.seq);

const isWellFormed = (entry) => isOf('erasure', entry) || isOf('erasures', entry);

function covers(entry, row) {
  const isInReach = 'throughSeq' in entry ? entry.throughSeq >= row.seq && row.eventType !== 'signing_key.rotated'
    : entry.seq === row.seq && ERASABLE_ALONE.includes(row.eventType);
  return isInReach && entry.userId === row.userId && (endOf(entry) > row.seq || entry.hash === row.hash);
}

async function isSignedBefore(entry, keys) {
  const key = keys.signer(entry.signingKeyId);
  return key !== undefined && isBeforeTheft(key, entry.erasedAt)
    && isSigned(key, `agent-policy/erasure/v1\n${canonical(without(entry, 'signingKeyId', 'signature'))}`, entry.signature);
}

/** The erased rows so far, and the checks of their evidence that are still open. */
export class ErasedRows {
  count = 0;
  #keys = new Set();
  #signers = new Map();
  #ends = new Map();

  /** Records a key that the chain has reached. */
  reach(kid) {
    this.#keys.add(kid);
  }

  /** Checks a row, whose place and signature are verified, against the entries of its page. */
  async row(row, entries, keys) {
    insist((this.#ends.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one that an erasure names');
    this.#ends.delete(row.seq);
    if (row.payload !== null) return;
    let found = null;
    for (const entry of entries.filter((each) => isWellFormed(each) && covers(each, row))) {
      if (found === null && await isSignedBefore(entry, keys)) found = entry;
    }
    insist(found, 'the payload is missing, and no signed erasure explains it');
    this.count++;
    if (!this.#signers.has(found.signingKeyId)) this.#signers.set(found.signingKeyId, row.seq);
    if (endOf(found) > row.seq) {
      insist((this.#ends.get(endOf(found)) ?? found.hash) === found.hash, 'two erasures name two rows for one place');
      this.#ends.set(endOf(found), found.hash);
    }
  }

  /** Performs the open checks at the end of the chain. */
  settle(lastSeq) {
    for (const [kid, seq] of this.#signers) {
      insist(this.#keys.has(kid), 'the erasure of the row is signed by a key that the chain does not reach', seq);
    }
    insist(this.#ends.size === 0, 'the chain ends here, but an erasure names a later row', lastSeq + 1);
  }
}
