// Runs the console's own verifier on files, with the arguments and answers of docs/verify/verify.mjs, so that the same
// vectors and the same attacks can be held against both.
import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
const console_ = new URL('../../main/resources/console/proof/', import.meta.url);
const { Broken, readStrictly } = await import(new URL('canonical.js', console_));
const { readKeys } = await import(new URL('keys.js', console_));
const { ChainVerifier } = await import(new URL('chain.js', console_));

function options(args) {
  const found = { files: [], receipts: new Map() };
  for (let i = 0; i < args.length; i++) {
    const value = () => args[++i];
    if (args[i] === '--purpose') found.purpose = value();
    else if (args[i] === '--pin') found.pin = value();
    else if (args[i] === '--root') found.root = value();
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

const asked = options(process.argv.slice(2));
let verifier = null;
let rows = 0;
try {
  const [input, manifest] = asked.files.map((file) => readStrictly(readFileSync(file)));
  verifier = new ChainVerifier(await readKeys(manifest, asked), asked);
  const parts = Array.isArray(input) ? input : [input];
  for (const row of parts.flatMap((part) => part?.events ?? [part])) {
    await verifier.next(row);
    rows++;
  }
  await verifier.finish(parts.at(-1)?.head);
  console.log(`ok ${rows} rows, head ${verifier.at.hash}`);
} catch (broken) {
  if (!(broken instanceof Broken)) throw broken;
  console.log(`broken at seq ${broken.seq ?? 1}: ${broken.message}`);
  process.exit(1);
}
