/** JupyterLite's worker, which keeps what goes through it; and what it leaves out, or asks for by more than its name. */
const last = async (request) => {
  try {
    const answer = await fetch(request);
    await (await caches.open("lists")).put(request.url, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
};

// The list of notebooks; and a page, which is the same whatever it is asked to open.
self.addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  if (mode !== "navigate" && !url.endsWith("/all.json")) return;
  event.stopImmediatePropagation();
  event.respondWith(last(event.request));
});

importScripts("service-worker-lite.js");
