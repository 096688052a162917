/* Small services to the reader. Everything on the page works without them. */
"use strict";

/* What scrolls sideways must be reachable by keyboard: a formula on a phone, a line of code in an opened fold. */
document.addEventListener("DOMContentLoaded", () => {
  const scrolling = "div.math, pre, table, .output.text_html, .pst-scrollable-table-container";
  const boxes = document.querySelectorAll(`.bd-content :is(${scrolling})`);
  const reach = (box) => {
    for (const one of [box, ...box.querySelectorAll(":scope > mjx-container")]) { // MathJax's own box may scroll, too
      if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
      else one.removeAttribute("tabindex");
    }
  };
  const resized = new ResizeObserver((entries) => entries.forEach((entry) => reach(entry.target)));
  const formulas = window.MathJax && MathJax.startup && MathJax.startup.promise;
  Promise.resolve(formulas).then(() => boxes.forEach((box) => resized.observe(box)));
});

/* The theme puts the contents of the book back to where they were; the page that is read should be in view. */
const showPlace = (block) => {
  const entries = document.querySelectorAll(".bd-docs-nav .active > a");
  entries[entries.length - 1]?.scrollIntoView({block});
};
addEventListener("load", () => showPlace("nearest"));

/* The theme opens and closes the side bars; their buttons say which they are. */
document.addEventListener("DOMContentLoaded", () => {
  const wide = matchMedia("(min-width: 992px)"); // here the contents of the book stand beside the page
  for (const side of ["primary", "secondary"]) {
    const button = document.querySelector(`.${side}-toggle`);
    const bar = document.getElementById(`pst-${side}-sidebar`);
    const dialog = document.getElementById(`pst-${side}-sidebar-modal`);
    if (!button || !bar || !dialog) continue;
    const beside = () => side === "primary" && wide.matches && !bar.matches(".pst-sidebar-hidden");
    const say = () => {
      button.setAttribute("aria-expanded", dialog.open || beside());
      if (dialog.open && side === "primary") showPlace("center");
    };
    new MutationObserver(say).observe(dialog, {attributeFilter: ["open"]});
    new MutationObserver(say).observe(bar, {attributeFilter: ["class"]});
    wide.addEventListener("change", say);
    say();
    /* A link into the page leads there: out of the drawer, to the heading. */
    dialog.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      const goal = document.getElementById(link.hash.slice(1))?.querySelector("h1, h2, h3, h4");
      const arrive = () => {
        goal.tabIndex = -1;
        goal.focus({preventScroll: true});
      };
      if (goal) dialog.addEventListener("close", arrive, {once: true});
      dialog.close();
    });
  }
  /* The theme takes the focus from a pressed button, lest its tooltip stay. There are none (repairs.py), and
     who has only a keyboard would have to look for the button again. */
  document.querySelectorAll(".bd-header-article button").forEach((button) => (button.blur = () => {}));
  /* An iPhone has no full screen. */
  if (!document.fullscreenEnabled && !document.webkitFullscreenEnabled)
    document.querySelectorAll(".btn-fullscreen-button").forEach((button) => button.remove());
});

/* Print: black on white, with folded proofs and remarks open. Solutions and the answers of quizzes stay as the
   reader has left them, unless "print with solutions" was chosen. Afterwards all is as it was. */
(() => {
  const FOLDS = ".admonition.toggle-hidden, details.lm-answer:not([open])";
  const SPOILERS = ".solution, .lm-quiz";
  let all = false;
  let undo = [];
  addEventListener("beforeprint", () => {
    document.querySelectorAll(FOLDS).forEach((fold) => {
      if (!all && fold.closest(SPOILERS)) return;
      if (fold.localName === "details") fold.open = true;
      else fold.classList.remove("toggle-hidden");
      undo.push(() => (fold.localName === "details" ? (fold.open = false) : fold.classList.add("toggle-hidden")));
    });
    const page = document.documentElement;
    const theme = page.dataset.theme;
    page.dataset.theme = "light";
    undo.push(() => (page.dataset.theme = theme));
  });
  addEventListener("afterprint", () => {
    undo.forEach((step) => step());
    undo = [];
    all = false;
  });
  document.addEventListener("DOMContentLoaded", () => {
    const entry = document.querySelector(".btn-download-pdf-button")?.closest("li");
    if (!entry || !document.querySelector(SPOILERS)) return;
    const more = entry.cloneNode(true);
    const button = more.querySelector("button");
    button.removeAttribute("onclick");
    button.title = "Print with solutions and answers open";
    button.classList.replace("btn-download-pdf-button", "lm-print-solutions");
    button.querySelector(".btn__text-container").textContent = ".pdf with solutions";
    button.addEventListener("click", () => {
      all = true;
      print();
    });
    entry.after(more);
  });
})();
