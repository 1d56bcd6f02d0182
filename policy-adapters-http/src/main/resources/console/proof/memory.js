/** What this browser has seen of a chain before: a later chain that contradicts it is proof against the service. */
const name = (userId) => `seen-chain:${userId}`;

/** The highest point verified here before, or null: {seq, hash, firstKeyId, manifestVersion}. */
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
