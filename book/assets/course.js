/* Small services to the reader. Everything on the page works without them. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  /* What scrolls sideways must be reachable by keyboard. It is measured when formulas have their width. */
  const reach = () =>
    document.querySelectorAll(".bd-content div.math, .bd-content pre, .bd-content table").forEach((box) => {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    });
  const formulas = window.MathJax && MathJax.startup && MathJax.startup.promise;
  Promise.resolve(formulas).then(reach);
  addEventListener("resize", reach);
});
