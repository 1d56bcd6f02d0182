/**
 * Shows notifications, and keeps the files of the console so that it opens without a network. Answers of the service are never
 * kept.
 */
const SHELL = 'shell-{version}';
const FILES = ['/', {files}];
const ICON = '/assets/{version}/icon-192.png';

addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(FILES)));
});

addEventListener('activate', (event) => {
  const others = async () => (await caches.keys()).filter((name) => name !== SHELL).map((name) => caches.delete(name));
  event.waitUntil(others().then((deleted) => Promise.all(deleted)).then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  const { pathname } = new URL(url);
  if (pathname.startsWith('/assets/')) {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)));
  } else if (mode === 'navigate' && !pathname.startsWith('/api/')) {
    event.respondWith(fetch(event.request).catch(() => caches.match('/')));
  }
});

addEventListener('push', (event) => {
  const { title, body, href, tag } = event.data.json();
  const actions = tag === 'requests' ? [{ action: 'review', title: 'Review' }] : [];
  event.waitUntil(registration.showNotification(title, { body, tag, renotify: true, icon: ICON, badge: ICON, data: href, actions }));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

/** Opens a page in a tab of the console, or in a new one where there is none that this worker leads. */
async function show(href) {
  const [tab] = await clients.matchAll({ type: 'window' });
  if (!tab) return clients.openWindow(href);
  await tab.focus();
  return tab.navigate(href).catch(() => clients.openWindow(href));
}
