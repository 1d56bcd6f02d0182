// Runs the console's own verifier on files, with the arguments and answers of docs/verify/verify.mjs, so that the same
// vectors and the same attacks can be held against both. With --browser FILE the whole of the proof page's code runs, on a
// local storage kept in that file; else --pin, --anchor, --root and the rest are given to the verifier itself.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
const console_ = new URL('../../main/resources/console/proof/', import.meta.url);
const { Broken, insist, isObject, isOf, readStrictly } = await import(new URL('canonical.js', console_));
const { readKeys } = await import(new URL('keys.js', console_));
const { checkProof, inLog, readPolicy, readProof } = await import(new URL('tlog.js', console_));
const { ChainVerifier, ends } = await import(new URL('chain.js', console_));

function options(args) {
  const found = { files: [], receipts: new Map() };
  for (let i = 0; i < args.length; i++) {
    const value = () => args[++i];
    if (args[i] === '--purpose') found.purpose = value();
    else if (args[i] === '--pin') found.pin = value();
    else if (args[i] === '--anchor') found.anchor = value();
    else if (args[i] === '--root') found.root = value();
    else if (args[i] === '--tlog-proof') found.proof = value();
    else if (args[i] === '--policy') found.policy = value();
    else if (args[i] === '--browser') found.browser = value();
    else if (args[i] === '--issued-since') found.issuedSince = value();
    else if (args[i] === '--receipt') {
      const [seq, hash] = value().split(':');
      found.receipts.set(Number(seq), hash);
    } else if (args[i] === '--from') {
      const [seq, hash, kid, time] = value().split(',');
      found.from = { seq: Number(seq), hash, kid, time };
    } else found.files.push(args[i]);
  }
  return found;
}

/** As the proof page does it, with what the browser has kept. */
async function inBrowser(asked) {
  const kept = new Map(existsSync(asked.browser) ? Object.entries(JSON.parse(readFileSync(asked.browser, 'utf8'))) : []);
  globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
  const { verifyChain } = await import(new URL('run.js', console_));
  const { giveRoot } = await import(new URL('memory.js', console_));
  if (asked.root) giveRoot(asked.root);
  const [input, manifest] = asked.files.map((file) => readFileSync(file));
  const parts = readStrictly(input);
  const pages = Array.isArray(parts) ? parts.map((page) => Buffer.from(JSON.stringify(page))) : [input];
  const userId = [parts].flat()[0].head?.userId ?? [parts].flat()[0].events[0].userId;
  const found = await verifyChain(userId, () => {}, { manifest: async () => manifest, page: async () => pages.shift() });
  writeFileSync(asked.browser, JSON.stringify(Object.fromEntries(kept)));
  return { broken: found.broken, at: found.at, erased: found.erased, signatures: { requests: found.signed, versions: found.signedVersions, unchecked: 0 }, trust: found.trust.map(({ how, role, kid }) => `${how}: ${role} ${kid}`).join('; ') };
}

/** Reads a file; that a document lies outside of the profile is noted. */
function read(file, outside) {
  try {
    return readStrictly(readFileSync(file));
  } catch (broken) {
    if (!(broken instanceof Broken)) throw broken;
    outside.push(broken);
    return JSON.parse(readFileSync(file, 'utf8'));
  }
}

async function onFiles(asked) {
  let verifier = null;
  const found = { erased: 0, named: 0, trust: 'given by the test' };
  const outside = [];
  const proof = asked.proof && readProof(readFileSync(asked.proof));
  const policy = asked.policy && await readPolicy(readFileSync(asked.policy));
  const hashes = new Map();
  const [input, manifest] = asked.files.map((file) => read(file, outside));
  const isOfObjects = isObject(input) || (isOf('[object]', input) && input.length > 0);
  if (!(isOfObjects && isObject(manifest))) throw new Error('a file holds no object');
  try {
    if (outside.length > 0) throw outside[0];
    const keys = await readKeys(manifest, asked);
    if (keys.manifest.isFirstUse) found.trust = `trusted on first use: anchor key ${keys.manifest.signedBy}`;
    verifier = new ChainVerifier(keys, asked);
    const parts = Array.isArray(input) ? input : [input];
    let isEmpty = true;
    let next = null;
    for (const part of parts) {
      const isPage = Object.hasOwn(part, 'events');
      insist(!isPage || isOf('page', { ...part, head: null, nextCursor: null }), 'the page is malformed');
      for (const row of isPage ? part.events : [part]) {
        await verifier.next(row, isPage ? part.erasures ?? [] : []);
        hashes.set(row.seq, row.hash);
      }
      const { head, cursor } = isPage ? ends(part) : {};
      next = cursor ?? null;
      if (head) await verifier.headed(head);
      found.named = Math.max(found.named, head?.seq ?? 0);
      isEmpty &&= !head && isPage && part.events.length === 0;
    }
    insist(!isEmpty, 'there is neither a row nor a head');
    await verifier.finish(next);
    if (proof) found.logged = `, ${inLog(await checkProof(proof, policy, { ...verifier.at, hashes }, keys))}`;
  } catch (broken) {
    if (!(broken instanceof Broken)) throw broken;
    found.broken = { seq: broken.seq, why: broken.message };
  }
  return { ...found, erased: verifier?.erased ?? 0, signatures: verifier?.signatures, at: verifier?.at };
}

const listed = (what, numbers) => (numbers.length ? `, ${what}: ${numbers.join(', ')}` : '');
const words = ({ requests, versions, unchecked }) => listed('signed by passkey', requests) + listed('policy versions signed by passkey', versions)
  + (unchecked ? `, passkey signatures not checked: ${unchecked}` : '');

const asked = options(process.argv.slice(2));
const result = await (asked.browser ? inBrowser(asked) : onFiles(asked)).catch((unreadable) => ({ unreadable }));
const { broken, at, erased, named, signatures, trust, logged } = result;
if (result.unreadable) {
  console.error(`verify: ${result.unreadable.message}`);
  process.exitCode = 2;
} else if (broken) {
  console.log(`broken at seq ${broken.seq ?? 1}: ${broken.why} [${trust}]`);
  process.exitCode = 1;
} else {
  console.log(`ok ${at?.seq ?? 0} rows, head ${at?.hash}${erased ? `, ${erased} erased` : ''}${words(signatures)}${logged ?? ''} [${trust}]`);
  if (named > (at?.seq ?? 0)) console.log(`The log goes on: the signed head names row ${named}.`);
  process.exitCode = erased ? 3 : 0;
}
