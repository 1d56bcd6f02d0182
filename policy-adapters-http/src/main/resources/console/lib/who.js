/** Who is signed in, told to all tabs of this browser: they share one session, so none may go on for somebody else. */
const NAME = 'signed-in';

export function tellWho(user) {
  try {
    if (user === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, user.userId);
  } catch {
    // Without storage the other tabs find out when they ask the service.
  }
}

/** Runs some work once another tab is of somebody else, or of nobody; answers how to stop that. */
export function whenSomebodyElse(user, work) {
  const hear = (event) => {
    if ((event.key === NAME || event.key === null) && event.newValue !== user.userId) work();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
