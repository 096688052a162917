/* Slides: formulas are set first, then Reveal shows one slide after another, each as large as it fits. */
"use strict";
document.addEventListener("DOMContentLoaded", async () => {
  await MathJax.startup.promise;
  document.body.classList.remove("setting");
  const fit = ({ currentSlide: slide }) => {
    const box = slide.querySelector(".fit");
    const large = () => slide.scrollHeight > slide.clientHeight || box.scrollWidth > box.clientWidth;
    for (let zoom = 1.3; zoom > 0.3; zoom -= 0.03) {
      box.style.zoom = zoom;
      if (!large()) return;
    }
  };
  /* N shows the words of the page: what a speaker may want to say. */
  const notes = () => {
    Reveal.configure({ showNotes: !Reveal.getConfig().showNotes });
    Reveal.layout();
  };
  document.querySelectorAll(".lm-player").forEach((player) => player.setAttribute("data-prevent-swipe", ""));
  Reveal.on("ready", fit);
  Reveal.on("slidechanged", fit);
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, hash: true, transition: "none",
    slideNumber: "c/t", keyboard: { 78: notes },
    keyboardCondition: () => !document.activeElement.closest(".lm-player"), /* keys there belong to the sliders */
  });
  document.body.classList.add("ready");
});
