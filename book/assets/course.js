/* Small services to the reader. Everything on the page works without them. */
"use strict";

/* What scrolls sideways must be reachable by keyboard: a formula on a phone, a line of code in an opened fold. */
document.addEventListener("DOMContentLoaded", () => {
  const boxes = document.querySelectorAll(".bd-content .math, .bd-content pre, .bd-content table");
  const reach = (box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const resized = new ResizeObserver((entries) => entries.forEach((entry) => reach(entry.target)));
  const formulas = window.MathJax && MathJax.startup && MathJax.startup.promise;
  Promise.resolve(formulas).then(() => boxes.forEach((box) => resized.observe(box)));
});

/* The theme puts the contents of the book back to where they were; the page that is read should be in view. */
addEventListener("load", () => {
  const entries = document.querySelectorAll(".bd-docs-nav .active > a");
  entries[entries.length - 1]?.scrollIntoView({block: "nearest"});
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
