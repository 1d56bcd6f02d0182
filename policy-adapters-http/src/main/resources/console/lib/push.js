/** Notifications on this device: the worker that shows them, and the browser's subscription to its push service. */
import { post, remove } from './api.js';

const NAME = 'push-device';
const WORKER = '/service-worker.js';

/** Where the policy of the page demands it, browsers take the address of a worker from this policy only. */
const policy = globalThis.trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER });

export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis && Notification.permission !== 'denied';

/** Whether one of the user's devices is this browser. */
export const isPushedTo = (devices) => devices.some((device) => device.id === localStorage.getItem(NAME));

/** What the user calls this browser in the list of devices. */
const deviceName = () => `Browser on ${navigator.userAgentData?.platform || navigator.platform || 'this device'}`;

async function subscription(key) {
  await navigator.serviceWorker.register(policy ? policy.createScriptURL('') : WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const earlier = await pushManager.getSubscription();
  await earlier?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

const failed = (message, advice) => Object.assign(new Error(message), { advice });

/** Has notifications shown on this device, asking the browser and telling the service. */
export async function addDevice(key) {
  if (await Notification.requestPermission() !== 'granted') {
    throw failed('This browser does not allow notifications of this page.', 'Allow them in the settings of the browser and try again.');
  }
  let subscribed;
  try {
    subscribed = await subscription(key);
  } catch (refused) {
    throw failed('This browser could not subscribe to its push service.', `Try another browser or again later. It says: ${refused.message}`);
  }
  const device = await post('/push', { subscription: subscribed.toJSON(), name: deviceName() });
  localStorage.setItem(NAME, device.id);
  return device;
}

export async function removeDevice(device) {
  await remove(`/push/${device.id}`);
  if (!isPushedTo([device])) return;
  localStorage.removeItem(NAME);
  const worker = await navigator.serviceWorker.getRegistration();
  const subscribed = await worker?.pushManager.getSubscription();
  await subscribed?.unsubscribe();
}
