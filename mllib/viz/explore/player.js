/* Shows the frames of explore(): a native range input for each slider, one picture, its words.
   No request is made but for the frames themselves, and those only when the figure is near the viewport. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const near = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && entry.target.fetchFrames()),
    { rootMargin: "600px" },
  );
  document.querySelectorAll(".lm-player").forEach((figure) => {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const picture = figure.querySelector("img");
    const words = figure.querySelector("figcaption");
    const sliders = [...figure.querySelectorAll("input")];
    const kept = new Map();

    const show = () => {
      let at = 0;
      sliders.forEach((slider, number) => {
        const value = data.values[number][slider.value];
        slider.setAttribute("aria-valuetext", value);
        slider.nextElementSibling.textContent = value;
        at = at * data.values[number].length + Number(slider.value);
      });
      const [file, sentence] = data.frames[at];
      picture.src = `${data.root}/${file}`;
      picture.alt = `${picture.dataset.alt} ${sentence}`;
      words.textContent = sentence;
    };

    figure.fetchFrames = () => {
      near.unobserve(figure);
      /* Nearest frames first: a reader moves from where the slider stands. */
      data.frames.forEach(([file]) => {
        if (kept.has(file)) return;
        const image = new Image();
        image.decoding = "async";
        image.src = `${data.root}/${file}`;
        kept.set(file, image);
      });
    };

    sliders.forEach((slider) => slider.addEventListener("input", show));
    figure.classList.add("lm-ready");
    show(); /* a browser may have kept a slider's position over a reload */
    near.observe(figure);
  });
});
