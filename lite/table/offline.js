/** Keeps what the page is made of: with it the table opens without a network, and the next time at once. */
importScripts("files.js");

const NAME = `table-${FILES.version}`;

self.oninstall = (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll(FILES.names)));
};

self.onactivate = (event) => {
  const old = async () => (await caches.keys()).filter((name) => name.startsWith("table-") && name !== NAME);
  event.waitUntil(old().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
};

self.onfetch = (event) => {
  const found = async () => (await (await caches.open(NAME)).match(event.request)) ?? fetch(event.request);
  event.respondWith(found());
};
