// Small comforts: one submit at a time, menus that close, a secret copied. Every page works without them.
"use strict";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "dialog") return;
  if (form.hasAttribute("data-sending")) {
    event.preventDefault();
    return;
  }
  form.setAttribute("data-sending", "");
  // A page restored by the back button must not stay locked; an htmx request unlocks when it ends.
  setTimeout(() => form.removeAttribute("data-sending"), 8000);
});
window.addEventListener("pageshow", unlock);
document.addEventListener("htmx:afterRequest", unlock);

function unlock() {
  document.querySelectorAll("form[data-sending]").forEach((form) => form.removeAttribute("data-sending"));
}

document.addEventListener("click", (event) => {
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

document.querySelectorAll("[data-copy]").forEach((button) => {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    button.querySelector("[data-copied]").hidden = false;
  });
});

// A choice brings its usual reason along, until the person picks one.
document.querySelectorAll("[data-usual]").forEach((choice) => {
  choice.addEventListener("change", () => {
    const reasons = [...choice.form.elements].filter((each) => each.name === "reason_code");
    if (reasons.some((each) => each.dataset.picked)) return;
    const usual = reasons.find((each) => each.value === choice.dataset.usual);
    if (usual) usual.checked = true;
  });
});
document.addEventListener("change", (event) => {
  if (event.target.name === "reason_code") event.target.dataset.picked = "1";
});

// A live region speaks of what changes in it, not of what it held at first: put the messages in again.
const region = document.getElementById("messages");
if (region?.children.length) {
  const said = [...region.children];
  setTimeout(() => region.replaceChildren(...said), 150);
}
