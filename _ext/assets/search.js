/* The search page: all words that are typed, each at the beginning of a word of a section (extensions/search.py). */
"use strict";
{
  const SHOWN = 50;
  const form = document.querySelector("article .bd-search");
  const field = form.querySelector("input");
  const said = document.getElementById("search-said");
  const list = document.getElementById("search-results");
  /* Small letters without accents, one for one: a place in the folded text is a place in the text. */
  const fold = (text) => text.replace(/[^\0-\x7f]/g, (letter) => letter.normalize("NFD")[0]).toLowerCase();
  const sections = SITE.flatMap(([page, name, parts]) => parts.map(([anchor, title, text]) => (
    {page, name, anchor, title, text, folded: [title, name, text].map(fold)})));
  const beginning = (words) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})[\\p{L}\\p{N}]*`, "gu");
  const make = (name, given, ...inside) => {
    const element = Object.assign(document.createElement(name), given);
    element.append(...inside);
    return element;
  };

  /* How well a section fits: words of its title first, then of its page's; 0 where a word is missing. */
  const fit = ({folded}, patterns) => {
    let sum = 0, own = 0;
    for (const pattern of patterns) {
      const [title, page, text] = folded.map((part) => Math.min(part.match(pattern)?.length ?? 0, 3));
      if (!title && !page && !text) return 0;
      sum += 20 * !!title + 5 * !!page + text;
      own += title + text;
    }
    return own && sum;
  };
  const marked = (text, any) => {
    const parts = [];
    let end = 0;
    for (const {index, 0: hit} of fold(text).matchAll(any)) {
      parts.push(text.slice(end, index), make("mark", {}, text.slice(index, (end = index + hit.length))));
    }
    return [...parts, text.slice(end)];
  };
  /* Two lines of the text where most of the words stand together. */
  const excerpt = ({text, folded}, any) => {
    let best = 0, most = 0;
    for (const {index} of folded[2].matchAll(any)) {
      const different = new Set(folded[2].slice(index, index + 160).match(any)).size;
      if (different > most) [best, most] = [index, different];
    }
    const from = best < 60 ? 0 : text.indexOf(" ", best - 60) + 1;
    const to = text.indexOf(" ", from + 220);
    return (from ? "… " : "") + (to < 0 ? text.slice(from) : `${text.slice(from, to)} …`);
  };

  const search = () => {
    const words = [...new Set(fold(field.value).match(/[\p{L}\p{N}]+/gu))].sort((a, b) => b.length - a.length);
    const patterns = words.map((word) => beginning([word]));
    const any = beginning(words);
    const found = (wanted) => sections.map((section) => [fit(section, wanted), section]).filter(([sum]) => sum);
    const all = words.length ? found(patterns).sort(([a], [b]) => b - a) : [];
    list.replaceChildren(...all.slice(0, SHOWN).map(([, section]) => make("li", {},
      make("a", {href: `${section.page}#${section.anchor}`}, ...marked(section.title, any)),
      ...(section.name === section.title ? [] : [make("span", {}, section.name)]),
      make("p", {}, ...marked(excerpt(section, any), any)))));
    said.textContent = all.length === 1 ? "One section." : `${all.length} sections.`;
    if (all.length > SHOWN) said.textContent = `${all.length} sections; these ${SHOWN} fit best. Another word narrows it down.`;
    if (!all.length) {
      const alone = words.map((word, i) => `“${word}” stands in ${found([patterns[i]]).length || "none"}`).join(", ");
      said.replaceChildren(words.length > 1 ? `No section has all of these words: ${alone}. Try fewer, or ` : words.length
        ? `No section has a word that begins with “${words}”. Try its first letters, or ` : "Type some words, or ",
      "look into the ", make("a", {href: "pages/terms.html"}, "index of terms"), ".");
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
