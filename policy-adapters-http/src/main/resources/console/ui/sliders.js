/** Sliders over the scale of the band picture, or one of their own: for a band, whose handles cannot pass each other, and for a number. */
import { html, useRef } from '../lib/html.js';

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const PARTS = [0, 25, 50, 75, 100];

const number = (text, most) => Math.min(most, Math.max(0, Number(text) || 0));
const inSteps = (value, step) => Number((Math.round(value / step) * step).toFixed(4));

/** @param handles {edge, label, value, from, to}; `onInput` gets the edge of one and its new value as text */
function Slider({ name, handles, range, most = 100, step = 1, ticks = PARTS, onInput }) {
  const track = useRef(null);
  const at = (value) => `${(value / most) * 100}%`;
  const set = ({ edge, from, to }, value) => onInput(edge, String(Math.min(to, Math.max(from, inSteps(value, step)))));
  const press = (handle) => (event) => {
    const next = event.key in KEYS ? handle.value + KEYS[event.key] * step : event.key === 'Home' ? handle.from : event.key === 'End' ? handle.to : null;
    if (next === null) return;
    event.preventDefault();
    set(handle, next);
  };
  const grab = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    event.preventDefault();
  };
  const drag = (handle) => (event) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = track.current.getBoundingClientRect();
    set(handle, ((event.clientX - left) / width) * most);
  };
  return html`
    <div class="band-row slider-row"><span class="band-name" aria-hidden="true">${name}</span>
      <div class="track">
        <div class="band-slider" ref=${track}>
          <span class="rail"></span>
          <span class="range" style=${{ left: at(range[0]), width: at(Math.max(0, range[1] - range[0])) }}></span>
          ${handles.map((handle) => html`
            <span key=${handle.edge} class=${`handle ${handle.edge}`} role="slider" tabindex="0" aria-label=${handle.label} aria-orientation="horizontal"
              aria-valuemin=${handle.from} aria-valuemax=${handle.to} aria-valuenow=${handle.value} aria-valuetext=${`${handle.value}%`}
              style=${{ left: at(handle.value) }} onKeyDown=${press(handle)} onPointerDown=${grab} onPointerMove=${drag(handle)}></span>`)}
        </div>
        <span class="ticks" aria-hidden="true">${ticks.map((tick) => html`<i>${tick}%</i>`)}</span>
      </div></div>`;
}

const EDGES = { min: 'minimum', target: 'target', max: 'maximum' };

/** Percentages as typed in, by edge; `onInput` gets the edge and its new percentage as text. */
export function BandSlider({ name, band, onInput }) {
  const { min, target, max } = { min: number(band.min, 100), target: number(band.target, 100), max: number(band.max, 100) };
  const bounds = { min: [min, 0, target], target: [target, min, max], max: [max, target, 100] };
  const handles = Object.entries(bounds).map(([edge, [value, from, to]]) => ({ edge, label: `${name} ${EDGES[edge]}`, value, from, to }));
  return html`<${Slider} name=${name} handles=${handles} range=${[min, max]} onInput=${onInput} />`;
}

/** One percentage as typed in. */
export function NumberSlider({ name, label, value: typed, most = 100, onInput, ...scale }) {
  const value = number(typed, most);
  return html`<${Slider} name=${name} handles=${[{ edge: 'one', label, value, from: 0, to: most }]} range=${[0, value]} most=${most} onInput=${(edge, next) => onInput(next)} ...${scale} />`;
}
