/** Keeps what a page is made of, as files.js beside it says: it opens without a network, and the next time at once. */
importScripts("files.js");

const KIND = `${FILES.of}-`;
const NAME = KIND + FILES.version;

self.oninstall = (event) => {
  self.skipWaiting();
  // Each is asked for as it is now, and not sent again where the visit has just loaded it.
  const asked = FILES.names.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll(asked)));
};

self.onactivate = (event) => {
  const old = async () => (await caches.keys()).filter((name) => name.startsWith(KIND) && name !== NAME);
  event.waitUntil(old().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
};

self.onfetch = (event) => {
  const kept = async () => (await caches.open(NAME)).match(event.request, { ignoreSearch: true });
  event.respondWith(kept().then((found) => found ?? fetch(event.request)));
};
