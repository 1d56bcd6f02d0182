/** One slider with three handles for a band: minimum, target and maximum, which cannot pass each other. */
import { html, useRef } from '../lib/html.js';

const EDGES = { min: 'minimum', target: 'target', max: 'maximum' };
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

const number = (text) => Math.min(100, Math.max(0, Number(text) || 0));

/** Percentages as typed in, by edge; `onInput` gets the edge and its new percentage as text. */
export function BandSlider({ name, band, onInput }) {
  const track = useRef(null);
  const values = { min: number(band.min), target: number(band.target), max: number(band.max) };
  const bounds = { min: [0, values.target], target: [values.min, values.max], max: [values.target, 100] };
  const set = (edge, value) => {
    const [from, to] = bounds[edge];
    onInput(edge, String(Math.min(to, Math.max(from, value))));
  };
  const press = (edge) => (event) => {
    const [from, to] = bounds[edge];
    const next = event.key in STEPS ? values[edge] + STEPS[event.key] : event.key === 'Home' ? from : event.key === 'End' ? to : null;
    if (next === null) return;
    event.preventDefault();
    set(edge, next);
  };
  const grab = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    event.preventDefault();
  };
  const drag = (edge) => (event) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = track.current.getBoundingClientRect();
    set(edge, Math.round(((event.clientX - left) / width) * 100));
  };
  return html`
    <div class="band-slider" ref=${track}>
      <span class="rail"></span>
      <span class="range" style=${{ left: `${values.min}%`, width: `${Math.max(0, values.max - values.min)}%` }}></span>
      ${Object.entries(EDGES).map(([edge, words]) => html`
        <span key=${edge} class=${`handle ${edge}`} role="slider" tabindex="0" aria-label=${`${name} ${words}`} aria-orientation="horizontal"
          aria-valuemin=${bounds[edge][0]} aria-valuemax=${bounds[edge][1]} aria-valuenow=${values[edge]} aria-valuetext=${`${values[edge]}%`}
          style=${{ left: `${values[edge]}%` }} onKeyDown=${press(edge)} onPointerDown=${grab} onPointerMove=${drag(edge)}></span>`)}
    </div>`;
}
