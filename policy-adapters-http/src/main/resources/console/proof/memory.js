/** What this browser knows from elsewhere than the manifest at hand: what it has seen before, and the root key it was given. */
const name = (userId) => `seen-chain:${userId}`;
const ROOT = 'root-key';

/** The highest point verified here before, or null: {seq, hash, firstKeyId, anchorKeyId, manifestVersion}. */
export function seenBefore(userId) {
  try {
    const seen = JSON.parse(localStorage.getItem(name(userId)));
    return Number.isSafeInteger(seen?.seq) && typeof seen.hash === 'string' ? seen : null;
  } catch {
    return null;
  }
}

export function remember(userId, seen) {
  const before = seenBefore(userId);
  if (before === null || seen.seq >= before.seq) localStorage.setItem(name(userId), JSON.stringify(seen));
}

/** The root key somebody gave to this browser, or null; none is taken from a manifest. */
export const givenRoot = () => localStorage.getItem(ROOT);

/** Keeps a root key, or with an empty text forgets it. */
export function giveRoot(kid) {
  if (kid) localStorage.setItem(ROOT, kid);
  else localStorage.removeItem(ROOT);
}
