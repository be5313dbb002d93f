/** JupyterLite's worker, which keeps what goes through it; and the list of notebooks, which it leaves out. */
const lists = async (request) => {
  const kept = await caches.open("lists");
  try {
    const answer = await fetch(request);
    await kept.put(request.url, answer.clone());
    return answer;
  } catch (error) {
    const last = await kept.match(request.url);
    if (last) return last;
    throw error;
  }
};

self.addEventListener("fetch", (event) => {
  if (event.request.url.endsWith("/all.json")) event.respondWith(lists(event.request));
});

importScripts("service-worker-lite.js");
