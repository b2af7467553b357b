// A page that goes away says so: its lease ends soon after, unless the page is opened again.
"use strict";

window.addEventListener("pagehide", () => {
  const ping = document.getElementById("ping");
  if (ping) navigator.sendBeacon(ping.dataset.leave, new FormData(ping));
});
