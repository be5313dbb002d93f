// A live page needs a server: opened from a file, this one says so instead of showing an empty frame.
if (location.protocol === "file:")
  document.addEventListener("DOMContentLoaded", () => {
    for (const frame of document.querySelectorAll("details.try iframe"))
      frame.replaceWith("Live pages need a server: make docs lite, then serve the folder build.");
  });
// From a server, all pages are there the next time without a network.
else
  addEventListener("load", () => navigator.serviceWorker?.register(`${document.documentElement.dataset.content_root}offline.js`));
