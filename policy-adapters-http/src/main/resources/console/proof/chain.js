/** Verifies a chain row by row (docs/reference/events.md, Verifying, step by step). Same rules as docs/verify, same vectors. */
import { Broken, byteLength, canonical, insist, isOf, isSigned, sha256, without } from './canonical.js';
import { ErasedRows } from './erasures.js';
import { isLost } from './keys.js';
import { Signatures } from './passkeys.js';

const MAX_PAYLOAD = 65536;
export const KINDS = ['ips.created', 'ips.amended', 'key.minted', 'key.revoked', 'key.rotated', 'guardrail.decision',
  'policy.drift_detected', 'policy.drift_cleared', 'broker.trade_observed', 'signing_key.rotated'];
const START = { userId: null, seq: 0, hash: '0'.repeat(64), kid: null, time: '', doubt: 0 };

async function checkContents(row, at) {
  insist(isOf('row', row), 'the row does not have the members of a row');
  insist(row.userId === (at.userId ?? row.userId), 'the row belongs to another user');
  insist(row.seq === at.seq + 1, `the row should be number ${at.seq + 1}`);
  insist(row.prevHash === at.hash, 'the row does not follow the row before it');
  insist(row.createdAt >= at.time, 'the row is older than the row before it');
  if (row.payload !== null) {
    const payload = canonical(row.payload);
    insist(byteLength(payload) <= MAX_PAYLOAD, 'the payload is too large');
    insist(await sha256(`agent-policy/payload/v1\n${payload}`) === row.payloadHash, 'the payload does not have its hash');
  }
  const header = canonical(without(row, 'payload', 'hash', 'signature'));
  insist(await sha256(`agent-policy/event/v1\n${header}`) === row.hash, 'the row does not have its hash');
}

async function checkRotation(row, at, keys) {
  const p = row.payload;
  insist(isOf('rotation', p) && (p.reason === 'scheduled' || isOf('count', p.trustedThroughSeq)), 'the key rotation is malformed');
  const old = at.kid ?? p.oldKeyId;
  insist(p.oldKeyId === old, 'the key rotation is not from the key that signed so far');
  const next = keys.signer(p.newKeyId);
  insist(next && next.x === p.newPublicKey, 'the new key is not in the manifest for this kind of chain');
  const proof = `agent-policy/key-proof/v1\n${row.userId}\n${old}\n${p.newKeyId}\n${row.prevHash}\n`;
  insist(await isSigned(next, proof, p.newKeyProof), 'the new key is not proven to be in the hands of the service');
  if (p.reason === 'compromise') {
    insist(keys.hasRoot, 'the key rotation is an emergency, and no root key was given to vouch for it');
    insist(!isLost(next) && await keys.isByRoot(next), 'the new key of an emergency is not attested by the root key that was given');
  }
  return p;
}

/** The first row of a compromised key that nothing vouches for; 0 if there is none. */
function doubtAfter(row, at, keys, signer, rotated) {
  const doubt = at.doubt || (isLost(signer) ? row.seq : 0);
  if (rotated === null) return doubt;
  if (rotated.reason === 'compromise') {
    insist(rotated.trustedThroughSeq >= at.seq, 'the operator does not vouch for this row of a compromised key', rotated.trustedThroughSeq + 1);
    return 0;
  }
  const since = keys.signer(rotated.oldKeyId).compromisedSince;
  return since !== null && row.createdAt <= since && !isLost(keys.signer(rotated.newKeyId)) ? 0 : doubt;
}

/** The head and the cursor of a page, or of a bare row: null when there is none. Throws Broken when one has another form. */
export function ends(page) {
  const head = page?.head ?? null;
  const cursor = page?.nextCursor ?? null;
  insist(cursor === null || isOf('cursor', cursor), 'the cursor is malformed');
  insist(head === null || isOf('head', head), 'the head is malformed');
  return { head, cursor };
}

/** Follows one chain from its first row, page by page, in constant memory. */
export class ChainVerifier {
  #keys;
  #receipts;
  #issuedSince;
  #at;
  #erased = new ErasedRows();
  #signatures;
  #last = null;
  #highest = null;
  #named = new Map();

  /**
   * `pin` is the key that must sign the first row, `from` the point an earlier verification came to; `receipts` maps
   * numbers of rows to hashes given out earlier; `issuedSince` is the oldest head that is fresh enough.
   */
  constructor(keys, { pin = null, from = {}, receipts = new Map(), issuedSince = '' } = {}) {
    this.#keys = keys;
    this.#receipts = receipts;
    this.#issuedSince = issuedSince;
    this.#at = { ...START, kid: pin, ...from };
    this.#erased.reach(this.#at.kid);
    this.#signatures = new Signatures(this.#at.seq === 0);
  }

  /** The number of rows whose payload was erased. */
  get erased() {
    return this.#erased.count;
  }

  /** What a person signed: {requests, versions, unchecked}. */
  get signatures() {
    return this.#signatures;
  }

  /** Where the chain has been followed to: {userId, seq, hash, kid, time}. */
  get at() {
    return this.#at;
  }

  /** Checks the next row with the evidence of erasures that came with its page; throws Broken with its number. */
  async next(row, erasures = []) {
    const place = Number.isSafeInteger(row?.seq) ? row.seq : this.#at.seq + 1;
    try {
      this.#at = await this.#step(row);
      this.#erased.reach(row.signingKeyId);
      this.#erased.reach(this.#at.kid);
      await this.#erased.row(row, erasures, this.#keys);
      const receipt = this.#receipts.get(row.seq);
      insist(!receipt || receipt === row.hash, 'the row is not the one whose hash was given out earlier');
      insist((this.#named.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one that a head named before');
      this.#named.delete(row.seq);
      await this.#signatures.row(row);
    } catch (error) {
      throw error instanceof Broken ? new Broken(error.message, error.seq ?? place) : error;
    }
  }

  /** Checks the head of a page whose rows were checked: signed by any key of the chain, and not behind the rows. */
  async headed(head) {
    const at = this.#at;
    const before = this.#last;
    insist(head.userId === (at.userId ?? head.userId), 'the head is that of another user', head.seq);
    insist(head.seq >= at.seq, 'the head is behind the rows', head.seq);
    insist(head.seq > at.seq || head.hash === at.hash, 'the head has another hash than the last row', head.seq);
    insist((this.#named.get(head.seq) ?? head.hash) === head.hash, 'two heads name two rows for this place; keep both, they prove it', head.seq);
    insist(!before || head.seq >= before.seq || head.issuedAt < before.issuedAt,
      'the chain ends here, but a head before named a later row', head.seq + 1);
    const key = this.#keys.signer(head.signingKeyId);
    insist(key && await isSigned(key, `agent-policy/head/v1\n${canonical(without(head, 'signature'))}`, head.signature),
      'the head is not signed by a key of this manifest', head.seq);
    if (head.seq > at.seq) this.#named.set(head.seq, head.hash);
    this.#last = head;
    if (head.seq >= (this.#highest?.seq ?? 0)) this.#highest = head;
  }

  /** Performs the checks at the end of the chain, where every row must be there that a head named, unless there are more pages. */
  async finish(cursor = null) {
    const at = this.#at;
    insist(!at.doubt, 'the row was signed by a compromised key and nothing vouches for it', at.doubt);
    this.#erased.settle(at.seq);
    for (const [seq, hash] of this.#receipts) {
      insist(seq <= at.seq, 'the chain ends here, but a later row was given out earlier', at.seq + 1);
      insist(seq !== at.seq || hash === at.hash, 'the row is not the one whose hash was given out earlier', at.seq + 1);
    }
    if (this.#last) await this.#checkEnd(this.#last, cursor === null ? this.#highest.seq : at.seq);
  }

  async #step(row) {
    const at = this.#at;
    await checkContents(row, at);
    const rotated = row.eventType === 'signing_key.rotated' ? await checkRotation(row, at, this.#keys) : null;
    const expected = rotated?.reason === 'compromise' ? rotated.newKeyId : (at.kid ?? row.signingKeyId);
    insist(row.signingKeyId === expected, 'the row is signed by another key than the chain expects');
    const signer = this.#keys.signer(expected);
    insist(signer, 'the key that signed is not in the manifest for this kind of chain');
    insist(await isSigned(signer, `agent-policy/event-sig/v1\n${row.hash}\n`, row.signature), 'the signature does not verify');
    const doubt = doubtAfter(row, at, this.#keys, signer, rotated);
    return { userId: row.userId, seq: row.seq, hash: row.hash, kid: rotated?.newKeyId ?? expected, time: row.createdAt, doubt };
  }

  async #checkEnd(head, named) {
    const at = this.#at;
    const first = at.seq + 1;
    if (named >= first) {
      const rows = named === first ? `row ${first} is` : `rows ${first} to ${named} are`;
      throw new Broken(`${rows} missing, the signed head names row ${named}`, first, named - at.seq);
    }
    insist(head.seq >= at.seq, 'the head is behind the rows', head.seq);
    insist(head.issuedAt >= this.#issuedSince, 'the head is too old', head.seq);
    const key = this.#keys.signer(head.signingKeyId);
    insist(!isLost(key) && (!at.kid || key.kid === at.kid || await this.#keys.isByKey(key, at.kid) || await this.#keys.isByRoot(key)),
      'the head is not signed by the key of the chain or by one it vouches for', head.seq);
  }
}
