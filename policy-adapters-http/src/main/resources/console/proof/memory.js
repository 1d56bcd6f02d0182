/** What this browser knows independently of the manifest: what it verified before, and the root key it was given. */
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

/** The root key that was entered in this browser, or null; it is never taken from a manifest. */
export const givenRoot = () => localStorage.getItem(ROOT);

/** Stores a root key; an empty text removes it. */
export function giveRoot(kid) {
  if (kid) localStorage.setItem(ROOT, kid);
  else localStorage.removeItem(ROOT);
}
