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
    const sliders = [...figure.querySelectorAll(".lm-sliders :is(input, select)")];
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
      tell();
    };

    /* The position in the address, #rounds.T=17: a teacher can link to it, and an answer can cite it. */
    let writing = 0; /* written when the hand rests: browsers refuse more than some hundred addresses a minute */
    const address = () => {
      clearTimeout(writing);
      const at = sliders.map((slider, number) => [`${data.name}.${data.labels[number]}`, data.values[number][slider.value]]);
      writing = setTimeout(() => history.replaceState(null, "", `#${new URLSearchParams(at)}`), 250);
    };
    const visit = () => {
      let found = false;
      for (const [key, value] of data.name ? new URLSearchParams(location.hash.slice(1)) : []) {
        const number = data.labels.findIndex((label) => key === `${data.name}.${label}`);
        const position = number < 0 ? -1 : data.values[number].indexOf(value);
        if (position < 0) continue;
        sliders[number].value = position;
        found = true;
      }
      if (!found) return;
      open();
      show();
      figure.scrollIntoView({ block: "center" });
    };

    /* Bet, then play: the question first; whoever has answered, or only wants to play, gets the sliders, and
       is told at the position that shows which answer is right. */
    const bet = figure.querySelector(".lm-bet"), told = figure.querySelector(".lm-told");
    let chosen = null;
    const open = () => {
      if (!bet || !figure.classList.contains("lm-betting")) return;
      figure.classList.remove("lm-betting");
      bet.hidden = true;
    };
    const tell = () => {
      if (chosen === null || told.dataset.done) return;
      const there = data.bet.at.every((value, k) => value === null || data.values[k][sliders[k].value] === value);
      if (!there) return;
      const [answer, sentence] = data.bet.answers[chosen];
      told.textContent = `Your bet was “${answer}”. ${sentence}`;
      told.dataset.done = true;
    };
    if (bet) {
      figure.classList.add("lm-betting");
      bet.hidden = false;
      bet.querySelectorAll("button").forEach((button, number) => {
        button.addEventListener("click", () => {
          if (number < data.bet.answers.length) {
            chosen = number;
            told.hidden = false;
            told.textContent = `Your bet is “${data.bet.answers[chosen][0]}”. Move the slider and see.`;
          }
          open();
          sliders[0].focus();
        });
      });
    }

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
        if (data.name) address();
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
    visit();
    window.addEventListener("hashchange", visit);
    near.observe(figure);
  });
});
