/* Shows the frames of explore(): a native range input, or a list, for each slider, one picture, its words.
   No request is made but for the frames themselves, and those only when the figure is near the viewport. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const near = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && entry.target.fetchFrames()),
    { rootMargin: "600px" },
  );
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let stop = () => {}; /* what plays: one slider of a page at a time */
  document.querySelectorAll(".lm-player").forEach((figure) => {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const picture = figure.querySelector("img");
    const words = figure.querySelector("figcaption");
    const sliders = [...figure.querySelectorAll("input, select")];
    const kept = new Map();

    const show = () => {
      let at = 0;
      sliders.forEach((slider, number) => {
        const value = data.values[number][slider.value];
        if (slider.localName === "input") {
          slider.setAttribute("aria-valuetext", value);
          slider.nextElementSibling.textContent = value;
        }
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

    /* Eight frames a second, each waited for, up to the last one; from there anew. Who wants no motion gets
       one frame a press. While it plays nothing is read aloud but what was asked for. */
    const play = (button, slider) => {
      const playing = button.getAttribute("aria-pressed") === "true";
      stop();
      if (playing) return;
      const step = () => {
        slider.value = slider.value === slider.max ? 0 : Number(slider.value) + 1;
        show();
      };
      step();
      if (calm.matches) return;
      const timer = setInterval(() => {
        if (!picture.complete) return;
        if (slider.value === slider.max) stop();
        else step();
      }, 125);
      button.setAttribute("aria-pressed", true);
      words.ariaLive = "off";
      stop = () => {
        stop = () => {};
        clearInterval(timer);
        button.setAttribute("aria-pressed", false);
        words.ariaLive = "polite";
        show();
      };
    };

    sliders.forEach((slider) => {
      slider.addEventListener("input", () => {
        stop(); /* a hand on a slider takes over */
        show();
      });
      let before = slider.value; /* a finger that goes up or down scrolls the page, and moves nothing */
      slider.addEventListener("pointerdown", () => (before = slider.value));
      slider.addEventListener("pointercancel", () => {
        slider.value = before;
        show();
      });
      const button = slider.previousElementSibling;
      if (button.localName !== "button") return;
      button.addEventListener("click", () => play(button, slider));
      slider.addEventListener("keydown", (event) => {
        if (event.key !== " ") return;
        event.preventDefault(); /* the page would scroll */
        if (!event.repeat) play(button, slider);
      });
      const name = slider.labels[0].textContent;
      const say = () => {
        stop();
        button.setAttribute("aria-label", `${calm.matches ? "Step" : "Play"} ${name}`);
        if (calm.matches) button.removeAttribute("aria-pressed");
        else button.setAttribute("aria-pressed", false);
      };
      calm.addEventListener("change", say);
      say();
    });
    figure.classList.add("lm-ready");
    show(); /* a browser may have kept a slider's position over a reload */
    near.observe(figure);
  });
});
