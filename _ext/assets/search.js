/* The search page. MiniSearch (vendor/minisearch) finds and ranks the sections of the site, which sections.js holds:
   titles before texts, the beginnings of words, and words with a letter wrong. It runs in the page, so in a folder, too. */
"use strict";
{
  const SHOWN = 50;
  const form = document.querySelector("article .bd-search");
  const field = form.querySelector("input");
  const said = document.getElementById("search-said");
  const list = document.getElementById("search-results");
  /* Small letters without accents, one for one: a place in the folded text is a place in the text. */
  const fold = (text) => text.replace(/[^\0-\x7f]/g, (letter) => letter.normalize("NFD")[0]).toLowerCase();
  const words = (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const GREEK = new Map(("α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta κ kappa λ lambda μ mu "
    + "ν nu ξ xi π pi ρ rho σ sigma τ tau φ phi χ chi ψ psi ω omega").split(" ").map((part, i, all) => [part, all[i + 1]]));
  /* A word as it is kept: a Greek letter by its name, one thing and many by the same word. */
  const root = (word) => GREEK.get(word) ?? (word.length < 4 ? word : word.replace(/sses$/, "ss").replace(/ies$/, "y")
    .replace(/([^s])s$/, "$1"));
  /* Words that ask and do not say what for. */
  const ASKING = new Set(("a about an and are as at be best by can choose chose chosen do does explain for from get good has "
    + "have how i if in is it its long many me mean means much my of on or should so than that the their there this to use "
    + "used using was what where will with work works you your").split(" "));
  /* What others call it: what we call it. */
  const ALSO = Object.entries({
    "cart": "tree", "converge": "ends mistakes bound", "convergence": "ends mistakes bound",
    "crossvalidation": "cross validation", "ensemble": "committee", "gbm": "gradient boosting",
    "hyperparameter": "choose C", "imbalanced": "unequal costs differently", "label noise": "wrong labels",
    "learning rate": "step size shrinkage", "linearly separable": "any line at all separable", "logistic": "logit",
    "multi class": "many classes", "multiclass": "many classes", "noisy labels": "wrong labels", "ovo": "one against one",
    "ovr": "one against the rest", "regularisation": "C lambda", "regularization": "C lambda",
    "setup": "install", "sgd": "stochastic gradient descent", "svc": "support vector machine", "svms": "svm",
    "svr": "support vector regression", "trees": "members", "unbalanced": "unequal costs differently", "working set": "pair",
  });
  /* Chapters teach; other pages list, and the last sections of a chapter repeat. */
  const PAGES = [["chapters/more/", 0.8], ["chapters/", 1.15], ["labs/", 0.6], ["pages/api", 0.5],
    ["pages/prerequisites", 0.8], ["pages/", 0.4], ["", 0.8]];
  const REPEATS = new Set(["exercises", "quiz", "take-away", "in-practice"]);
  const worth = ({page, anchor, first}) => PAGES.find(([begin]) => page.startsWith(begin))[1]
    * (first ? 1.1 : REPEATS.has(anchor) ? 0.7 : 1);

  const sections = SITE.flatMap(([page, name, parts]) => parts.map(([anchor, title, text, terms], i) => (
    {page, name, anchor, title, text, terms, first: !i})));
  const index = new MiniSearch({fields: ["title", "terms", "page", "text"], tokenize: words, processTerm: root});
  index.addAll(sections.map(({title, terms, name, text, first}, id) => (
    {id, title, terms: terms ?? "", page: first ? "" : name, text})));
  const OPTIONS = {
    boost: {title: 6, terms: 5, page: 2},
    boostDocument: (id) => worth(sections[id]),
    prefix: (word) => word.length > 2,
    fuzzy: (word) => word.length > 4 && 0.25,
    weights: {prefix: 0.5, fuzzy: 0.3},
    bm25: {k: 1.2, b: 0.7, d: 0.5},
  };
  const rank = (query) => {
    const typed = words(query), spaced = ` ${typed.join(" ")} `;
    const asked = typed.filter((word) => !ASKING.has(word));
    const more = ALSO.flatMap(([theirs, ours]) => spaced.includes(` ${theirs} `) ? words(ours) : []);
    return index.search([...(asked.length ? asked : typed), ...more].join(" "), OPTIONS);
  };

  const make = (name, given, ...inside) => {
    const element = Object.assign(document.createElement(name), given);
    element.append(...inside);
    return element;
  };
  const pattern = (found) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${found.join("|")})[\\p{L}\\p{N}]*`, "gu");
  const marked = (text, any) => {
    const parts = [];
    let end = 0;
    for (const {index: at, 0: hit} of fold(text).matchAll(any)) {
      parts.push(text.slice(end, at), make("mark", {}, text.slice(at, (end = at + hit.length))));
    }
    return [...parts, text.slice(end)];
  };
  /* Two lines of the text where most of the words stand together. */
  const excerpt = (text, any) => {
    const folded = fold(text);
    let best = 0, most = 0;
    for (const {index: at} of folded.matchAll(any)) {
      const different = new Set(folded.slice(at, at + 160).match(any)).size;
      if (different > most) [best, most] = [at, different];
    }
    const from = best < 60 ? 0 : text.indexOf(" ", best - 60) + 1;
    const to = text.indexOf(" ", from + 220);
    return (from ? "… " : "") + (to < 0 ? text.slice(from) : `${text.slice(from, to)} …`);
  };

  const search = () => {
    const all = rank(field.value);
    list.replaceChildren(...all.slice(0, SHOWN).map(({id, terms}) => {
      const {page, anchor, title, name, text} = sections[id];
      const any = pattern(terms);
      return make("li", {},
        make("a", {href: `${page}#${anchor}`}, ...marked(title, any)),
        ...(name === title ? [] : [make("span", {}, name)]),
        make("p", {}, ...marked(excerpt(text, any), any)));
    }));
    said.textContent = all.length === 1 ? "One section." : `${all.length} sections.`;
    if (all.length > SHOWN) said.textContent = `${all.length} sections; these ${SHOWN} fit best.`;
    if (!all.length) {
      said.replaceChildren(field.value.trim() ? `No section has a word like “${field.value.trim()}”. Try another, or ` :
        "Type some words, or ", "look into the ", make("a", {href: "pages/terms.html"}, "index of terms"), ".");
    }
  };
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", () => {
    search();
    history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`); // whoever comes back finds this again
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.focus();
  });
  search();
  field.focus();
}
