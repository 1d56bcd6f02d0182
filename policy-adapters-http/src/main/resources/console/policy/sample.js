/** A sample to try the service with: a policy, and a paper portfolio that it fits. */
import { put } from '../lib/api.js';
import { TEMPLATES } from './templates.js';

const POLICY = TEMPLATES.find((template) => template.name === 'Growth').document;

const HOLDINGS = {
  name: 'Paper', kind: 'paper', cash: '10000',
  positions: [
    { symbol: 'BTC', assetType: 'crypto', quantity: '0.25', price: '80000' },
    { symbol: 'SPY', assetType: 'tradfi', quantity: '100', price: '650' },
    { symbol: 'AGG', assetType: 'tradfi', quantity: '50', price: '100' },
  ],
};

/** Saves what is missing: the policy if there is none, the portfolio if nothing is held. */
export async function saveSample({ ips, portfolio }) {
  if (!ips) await put('/ips', POLICY);
  if (!portfolio.snapshot) await put('/custodians/paper', HOLDINGS);
}
