/** Keeps the focus on the page: when the control that has it disappears, the heading of the part around it gets it. */
const HEADINGS = 'h1, h2, h3, legend';

let focused = null;
/** What was around the focused control, innermost first; once it is gone it has no parents any more. */
let around = [];

function remember({ target }) {
  focused = target;
  around = [];
  for (let outer = target.parentElement; outer !== null; outer = outer.parentElement) around.push(outer);
}

function restore() {
  if (focused === null || focused.isConnected || document.activeElement !== document.body) return;
  const heading = around.filter((outer) => outer.isConnected).map((outer) => outer.querySelector(HEADINGS)).find(Boolean);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** From now on, the focus is not lost within an element. */
export function keepFocus(root) {
  root.addEventListener('focusin', remember);
  new MutationObserver(restore).observe(root, { childList: true, subtree: true });
}
