// A laboratory's sidebars leave nothing of a phone for the notebook: there it opens by itself.
if (innerWidth < 600 && location.pathname.endsWith("/lab/index.html") && location.search.includes("path="))
  location.replace(`../notebooks/index.html${location.search}`);

/** Lets the service worker keep what a first visit has loaded before there was one, and marks the page once it has. */
performance.setResourceTimingBufferSize(5_000);
navigator.serviceWorker?.addEventListener("controllerchange", async () => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const ours = [location.href, ...loaded].filter((name) => name.startsWith(location.origin));
  await Promise.all(ours.map((name) => fetch(name)));
  document.documentElement.dataset.kept = "";
});
