/** Everything a page needs to draw itself: templates, rendering and hooks. */
import { Fragment, h, render } from './preact.js';
import htm from './htm.js';

export * from './preact-hooks.js';
export { Fragment, render };

/** Tagged template that makes elements; text in it is always text, never markup. */
export const html = htm.bind(h);
