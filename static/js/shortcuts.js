// Single keys press what is on the page: every control with data-key is a real link, button or field.
// A page adds a key by giving a control data-key and a name (its text or aria-label); the help lists them.
"use strict";

const help = document.getElementById("help");
// The person's own setting, kept by the server.
const root = document.documentElement;
const enabled = () => root.dataset.keys !== "off";
// Through the list also by arrows, where no field of its own uses them.
const ALSO = { ArrowRight: "j", ArrowLeft: "k" };

function typing(target) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}

function busy() {
  return document.querySelector("dialog[open], details.menu[open], form[data-sending], .htmx-request:not([data-quiet])") !== null;
}

function control(key) {
  const found = document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`);
  return [...found].find((each) => !each.disabled && each.checkVisibility());
}

function press(target) {
  if (target.matches("input:not([type=checkbox], [type=radio]), textarea, select")) {
    target.focus();
    target.select?.();
  } else {
    target.click();
    if (target.matches("input")) target.focus();
  }
}

function name(target) {
  const label = target.dataset.keyName || target.getAttribute("aria-label") || target.labels?.[0]?.textContent;
  if (label) return label.trim();
  const copy = target.cloneNode(true);
  copy.querySelectorAll("kbd, svg").forEach((each) => each.remove());
  return copy.textContent.trim().replace(/\s+/g, " ");
}

function showHelp() {
  const rows = [...document.querySelectorAll("[data-key]")].filter((each) => control(each.dataset.key) === each);
  document.getElementById("help-list").replaceChildren(...rows.flatMap((each) => {
    const term = document.createElement("dt");
    const key = term.appendChild(document.createElement("kbd"));
    key.textContent = each.dataset.key;
    const meaning = document.createElement("dd");
    meaning.textContent = name(each);
    return [term, meaning];
  }));
  help.showModal();
}

document.addEventListener("keydown", (event) => {
  // Ctrl+Enter in a note or a wording sends it, also where single keys are off.
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("textarea") && !busy()) {
    event.preventDefault();
    event.target.form?.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (typing(event.target) || busy() || !enabled()) return;
  const arrow = ALSO[event.key];
  if (arrow && event.target.matches("input, summary, button, [tabindex='0']")) return;
  const target = control(arrow || event.key);
  if (!target) return;
  event.preventDefault();
  press(target);
});

if (help) {
  document.querySelectorAll("[data-help]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", showHelp);
  });
  document.getElementById("keys-on").addEventListener("change", (event) => {
    root.dataset.keys = event.target.checked ? "on" : "off";
  });
}
