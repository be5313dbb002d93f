/** Lets the service worker keep what a first visit has loaded before there was one. */
performance.setResourceTimingBufferSize(5_000);
navigator.serviceWorker?.addEventListener("controllerchange", () => {
  for (const { name } of performance.getEntriesByType("resource")) if (name.startsWith(location.origin)) fetch(name);
  fetch(location.href);
});
