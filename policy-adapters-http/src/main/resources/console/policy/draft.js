/** An IPS that is being edited. It has the shape of the document, but sizes are percentages as typed. */

const SLEEVES = ['crypto', 'tradfi'];
const LIMITS = ['cashFloor', 'maxDrawdown', 'maxSlippage'];
const EDGES = ['min', 'target', 'max'];

const toPercent = (fraction) => String(Number((fraction * 100).toFixed(4)));
const toFraction = (percent) => Number((Number(percent) / 100).toFixed(6));
const each = (names, of) => Object.fromEntries(names.map((name) => [name, of(name)]));

/** The draft of a document. */
export function toDraft(ips) {
  return {
    ...each(SLEEVES, (sleeve) => each(EDGES, (edge) => toPercent(ips[sleeve][edge]))),
    ...each(LIMITS, (name) => toPercent(ips[name])),
    allowedActions: ips.allowedActions,
    assetAuthority: { default: ips.assetAuthority.default, assets: { ...ips.assetAuthority.assets } },
    standingRules: ips.standingRules,
    limits: ips.limits ?? [],
    unknownAssets: ips.unknownAssets ?? 'as_said',
    tier: ips.tier ?? null,
  };
}

/** The document a draft stands for. */
export function toDocument(draft) {
  const { tier, ...rest } = draft;
  return {
    ...rest,
    ...each(SLEEVES, (sleeve) => each(EDGES, (edge) => toFraction(draft[sleeve][edge]))),
    ...each(LIMITS, (name) => toFraction(draft[name])),
    ...(tier === null ? {} : { tier }),
  };
}

const isPercent = (text) => /^\d{1,3}(\.\d{1,4})?$/.test(String(text).trim()) && Number(text) <= 100;

/** The picture of a draft, without sizes that are not valid percentages. */
export function toPicture(draft) {
  const size = (text) => (isPercent(text) ? toFraction(text) : undefined);
  return {
    ...each(SLEEVES, (sleeve) => each(EDGES, (edge) => size(draft[sleeve][edge]))),
    ...each(LIMITS, (name) => size(draft[name])),
  };
}

/** The problems of a draft, by the id of the field that shows them; empty if it is valid. */
export function problems(draft) {
  const found = {};
  const sizes = { ...each(LIMITS, (name) => draft[name]) };
  for (const sleeve of SLEEVES) for (const edge of EDGES) sizes[`${sleeve}-${edge}`] = draft[sleeve][edge];
  for (const [id, text] of Object.entries(sizes)) {
    if (!isPercent(text)) found[id] = 'Enter a number from 0 to 100, with at most 4 decimals.';
  }
  for (const sleeve of SLEEVES) {
    const [min, target, max] = EDGES.map((edge) => Number(draft[sleeve][edge]));
    if (min > target) found[`${sleeve}-target`] ??= `Must be at least the minimum, ${min}%.`;
    if (target > max) found[`${sleeve}-max`] ??= `Must be at least the target, ${target}%.`;
  }
  const least = Number(draft.crypto.min) + Number(draft.tradfi.min) + Number(draft.cashFloor);
  if (least > 100) found.cashFloor ??= `Both minima and the cash floor together are ${Number(least.toFixed(4))}%; that cannot be above 100%.`;
  return found;
}
