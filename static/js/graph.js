// The picture of a graph: larger and smaller, dragged with the mouse, an entity's card without a new page, and what is
// related to the node under the pointer or focus. Without this file the picture scrolls, and nodes are plain links.
"use strict";

const STEPS = [0.4, 0.55, 0.75, 1, 1.3, 1.7, 2.2];
const area = () => document.getElementById("graph");
let scale = null; // what the reader has chosen; null while it is the usual one

function parts() {
  const box = area().querySelector(".graph-box");
  const svg = box.querySelector("svg");
  return { box, svg, width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
}

function current() {
  const { svg, width } = parts();
  return svg.width.baseVal.value / width;
}

function usual() {
  const { box, width } = parts();
  const whole = (box.clientWidth - 8) / width;
  return whole >= 0.72 ? Math.min(whole, 1) : 1;
}

// The point of the picture at (x, y) of the box stays where it is.
function zoom(wanted, x, y) {
  const { box, svg, width, height } = parts();
  const grown = wanted / current();
  const left = (box.scrollLeft + x) * grown - x;
  const top = (box.scrollTop + y) * grown - y;
  svg.setAttribute("width", Math.round(width * wanted));
  svg.setAttribute("height", Math.round(height * wanted));
  box.scrollTo(left, top);
}

function step(by) {
  const { box } = parts();
  const now = current();
  const next = by > 0 ? STEPS.find((each) => each > now + 0.01) : STEPS.findLast((each) => each < now - 0.01);
  if (!next) return;
  scale = next;
  zoom(next, box.clientWidth / 2, box.clientHeight / 2);
}

function fit() {
  const { box, width, height } = parts();
  scale = Math.min((box.clientWidth - 8) / width, (box.clientHeight - 32) / height, 1);
  zoom(scale, 0, 0);
}

function show(node) {
  const { box } = parts();
  const frame = box.getBoundingClientRect();
  const place = node.getBoundingClientRect();
  box.scrollBy(
    place.left + place.width / 2 - frame.left - box.clientWidth / 2,
    place.top + place.height / 2 - frame.top - box.clientHeight / 2,
  );
}

function begin(place) {
  const { box, svg } = parts();
  box.classList.add("live");
  area().querySelector(".zoom").hidden = false;
  zoom(scale ?? usual(), 0, 0);
  const middle = svg.querySelector(".chosen") ?? svg.querySelector(".self") ?? svg.querySelector("a");
  if (place) box.scrollTo(place.left, place.top);
  if (!place || !within(box, middle)) show(middle);
}

function within(box, node) {
  const [frame, place] = [box.getBoundingClientRect(), node.getBoundingClientRect()];
  return place.left >= frame.left && place.right <= frame.right && place.top >= frame.top && place.bottom <= frame.bottom;
}

function light(node) {
  area().querySelectorAll(".curves .hot").forEach((path) => path.classList.remove("hot"));
  if (!node) return;
  const id = node.id.slice(2);
  area().querySelectorAll(`.curves [data-ends~="${CSS.escape(id)}"]`).forEach((path) => path.classList.add("hot"));
}

function dragging(event) {
  const box = event.target.closest(".graph-box");
  if (!box || event.pointerType !== "mouse" || event.button !== 0) return;
  const from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
  const start = { x: event.clientX, y: event.clientY };
  const move = (each) => {
    if (!box.classList.contains("dragged")) {
      if (Math.hypot(each.clientX - start.x, each.clientY - start.y) < 4) return;
      box.classList.add("dragged");
    }
    box.scrollTo(from.x - each.clientX, from.y - each.clientY);
  };
  const end = () => {
    document.removeEventListener("pointermove", move);
    // the click that ends a drag comes after this and is none
    setTimeout(() => box.classList.remove("dragged"));
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end, { once: true });
}

// A link within the graph brings its part of the page, and leaves the reader where they were.
async function follow(link) {
  const before = parts();
  const [left, top] = [before.box.scrollLeft, before.box.scrollTop];
  const was = area().querySelector("svg [aria-current]")?.id;
  const address = new URL(link.getAttribute("href"), location.href);
  const answer = await fetch(address).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page?.getElementById("graph");
  if (!answer?.ok || !fresh) {
    location.assign(address);
    return;
  }
  const same = shapes(fresh) === shapes(area());
  area().replaceWith(fresh);
  history.pushState(null, "", address);
  begin(same ? { left, top } : null);
  const card = document.getElementById("card-title");
  (card ?? document.getElementById(was))?.focus({ preventScroll: window.innerWidth > 1020 });
}

function shapes(within) {
  const svg = within.querySelector(".graph");
  return svg.getAttribute("viewBox") + [...svg.querySelectorAll("a")].map((node) => node.id).join();
}

document.addEventListener("click", (event) => {
  const zooming = event.target.closest("[data-zoom]");
  if (zooming) {
    if (zooming.dataset.zoom === "fit") fit();
    else step(zooming.dataset.zoom === "in" ? 1 : -1);
    return;
  }
  const link = event.target.closest("#graph a");
  if (!link?.getAttribute("href").startsWith("?")) return;
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0;
  if (!plain) return;
  event.preventDefault();
  if (!parts().box.classList.contains("dragged")) follow(link);
});

document.addEventListener("pointerdown", dragging);
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.(".graph")) event.preventDefault();
});
document.addEventListener("wheel", (event) => {
  const box = event.target.closest(".graph-box");
  if (!box || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const frame = box.getBoundingClientRect();
  scale = Math.min(Math.max(current() * Math.exp(-event.deltaY / 300), STEPS[0]), STEPS.at(-1));
  zoom(scale, event.clientX - frame.left, event.clientY - frame.top);
}, { passive: false });
for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(on, (event) => light(event.target.closest?.(".graph a")));
  document.addEventListener(off, () => light(null));
}
window.addEventListener("popstate", () => location.reload());

if (area()?.querySelector(".graph")) begin(null);
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
