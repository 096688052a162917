/* Formulas are written in lines that fit a phone. On wider screens lines that go on with an operator or a relation
   are joined: all of them, or only what is no step of a chain, as far as they fit. A number for which a line has no
   room (it would keep the same room on the left) stands below. */
"use strict";
{
  const SPACE = String.raw`^(?:\s|&|\{\}|\\q?quad|\\[,;: ])*`;
  const OPERATOR = new RegExp(String.raw`${SPACE}(?:[+-]|\\cup\b)`);
  const RELATION = new RegExp(String.raw`${SPACE}(?:[=<>]|\\(?:le|ge|approx)\b)`);
  const RELATED = /[=<>]|\\(?:le|ge|approx)\b/;
  const NUMBERED = /^\s*\\\[([^]*)\\tag\{(.+?)\}([^]*)\\\]\s*$/;
  const ENDED = /[.,;]\s*$/;

  const join = (rows, chains) => rows.reduce((lines, row) => {
    const last = lines.at(-1);
    const goesOn = OPERATOR.test(row) || (RELATION.test(row) && (chains || !RELATED.test(last)));
    if (!last || ENDED.test(last) || !goesOn) return [...lines, row];
    const free = /^\s*&/.test(last) && RELATION.test(row); // the left side alone: lines meet at what follows
    const both = free ? [last.replace("&", ""), row] : [last, row.replace("&", "")];
    return [...lines.slice(0, -1), both.join(" ").replaceAll(/\\q?quad(?=\s*(?:[-+=<>]|\\(?:le|ge|cup)\b))/g, "")];
  }, []).join(String.raw`\\`);

  const versions = (text) => {
    const [before, body, after] = text.split(/\\begin\{aligned\}|\\end\{aligned\}/);
    if (!after || body.includes(String.raw`\begin`)) return [text];
    const rows = body.split(String.raw`\\`);
    const all = [join(rows, true), join(rows, false), body].map((lines) =>
      String.raw`${before}\begin{aligned}${lines}\end{aligned}${after}`);
    return all.filter((version, place) => version !== all[place + 1]);
  };
  const formulas = [...document.querySelectorAll("div.math")].map((box) => {
    const text = box.textContent;
    const all = versions(text);
    const below = text.replace(NUMBERED, String.raw`\[\begin{aligned}$1$3\\($2)\end{aligned}\]`);
    if (below !== text) all.push(below);
    return {box, all, phone: all.length - (below === text || box.closest(".dropdown") ? 1 : 2)}; // a fold has no width
  }).filter(({all}) => all.length > 1);
  const narrow = matchMedia("(max-width: 599.98px)");
  const start = () => formulas.forEach((formula) => (formula.place = narrow.matches ? formula.phone : 0));
  const write = () => formulas.filter(({all, place, shown}) => shown !== all[place]).map((formula) => {
    window.MathJax.typesetClear?.([formula.box]);
    formula.box.textContent = formula.shown = formula.all[formula.place];
    return formula.box;
  });
  const fit = async () => {
    for (let changed = write(); ; changed = write()) {
      if (changed.length) await MathJax.typesetPromise(changed);
      const wide = formulas.filter(({all, place, box}) => place < all.length - 1
        && (!box.clientWidth || box.scrollWidth > box.clientWidth));
      if (!wide.length) return;
      wide.forEach((formula) => formula.place++);
    }
  };
  if (formulas.length) {
    start();
    write(); // before MathJax looks at the page
    addEventListener("DOMContentLoaded", () => MathJax.startup.promise.then(fit));
    for (const width of [599.98, 991.98, 1199.98])
      matchMedia(`(max-width: ${width}px)`).addEventListener("change", () => {
        start();
        fit();
      });
  }
}
