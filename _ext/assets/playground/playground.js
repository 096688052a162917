/* The page: points that are added, dragged and removed by pointer or keyboard; a method that learns from them at
   each change; the picture, the sentence below it, the address that holds everything. */
(function (playground) {
  const { METHODS } = playground;
  const REACH = 127, UNIT = 64, MOST_POINTS = 300; // coordinates are whole 64ths from -127 to 127
  const LIGHT = { 1: "#0072B2", "-1": "#D55E00" }, DARK = { 1: "#5cc0f5", "-1": "#ffa45c" }, TINTS = { 1: [0, 114, 178], "-1": [213, 94, 0] };
  const NAMES = { 1: "disc", "-1": "square" };

  /* ---- the state and its address ---- */

  function parametersOf(method, given = {}) {
    const entries = Object.entries(METHODS[method].parameters).map(([key, spec]) => {
      if (spec.choices) return [key, given[key] in spec.choices ? given[key] : spec.start];
      const value = Number(given[key]);
      return [key, given[key] !== undefined && valid(spec, value) ? value : spec.start];
    });
    return Object.fromEntries(entries);
  }

  function valid(spec, value) {
    if (!Number.isFinite(value) || (spec.whole && !Number.isInteger(value))) return false;
    return value >= (spec.least ?? (spec.whole ? 1 : 1e-6)) && value <= (spec.most ?? 1e6);
  }

  const hex = (value) => (value + 128).toString(16).padStart(2, "0");

  function toAddress(state) {
    const parts = new URLSearchParams({ method: state.method, ...state.parameters });
    parts.set("points", state.points.map((p) => (p.y > 0 ? "p" : "n") + hex(p.at[0]) + hex(p.at[1])).join(""));
    return "#" + parts;
  }

  function fromAddress(address) {
    const given = Object.fromEntries(new URLSearchParams(address.replace(/^#/, "")));
    if (!(given.method in METHODS)) return null;
    return { method: given.method, parameters: parametersOf(given.method, given), points: pointsOf(given.points ?? "") };
  }

  // "pc0a0": a positive point, and its two coordinates plus 128 in two hexadecimal digits each.
  function pointsOf(words) {
    const found = words.match(/[pn][0-9a-f]{4}/g) ?? [];
    return found.slice(0, MOST_POINTS).map((word) => ({
      at: [1, 3].map((k) => clamp(parseInt(word.slice(k, k + 2), 16) - 128)),
      y: word[0] === "p" ? 1 : -1,
    }));
  }

  const clamp = (value) => Math.max(-REACH, Math.min(REACH, Math.round(value)));

  /* ---- the page ---- */

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  }

  function start(root) {
    let state = fromAddress(location.hash) ?? {
      method: "svm", parameters: parametersOf("svm"), points: pointsOf(playground.PRESETS.moons.words),
    };
    let earlier = [], brush = 1, selected = -1, cursor = null, carried = false, playing = null, result = null;
    let lastChange = "", clearing = 0;
    const kept = {}; // the parameters of methods that were left, until one comes back

    const canvas = element("canvas", {
      tabindex: 0, role: "application", "aria-describedby": "pg-keys pg-certificate",
      "aria-label": "Your points. Arrow keys move a cursor, Enter adds a point.",
    });
    const certificate = element("p", { id: "pg-certificate", class: "pg-certificate" });
    const spoken = element("p", { class: "pg-note", role: "status" });
    const method = element("select", { id: "pg-method", onchange: () => choose(method.value) },
      ...Object.entries(METHODS).map(([key, each]) => element("option", { value: key }, each.name)));
    const sliders = element("div", { class: "pg-parameters" });
    const preset = element("select", { id: "pg-preset", onchange: () => load(preset.value) },
      element("option", { value: "" }, "choose ..."),
      ...Object.entries(playground.PRESETS).map(([key, each]) => element("option", { value: key }, each.name)));
    const button = (text, act, extra = {}) => element("button", { type: "button", onclick: act, ...extra }, text);
    const brushes = [1, -1].map((label) => button(label > 0 ? "● discs" : "■ squares", () => take(label), { "data-label": label, class: `pg-brush pg-${NAMES[label]}` }));
    const library = element("select", { id: "pg-library", onchange: () => tellLibrary() }, element("option", {}, "mllib"), element("option", {}, "scikit-learn"));
    const code = element("textarea", { class: "pg-code", readonly: true, rows: 12, "aria-label": "The same picture as Python", hidden: true });
    const copied = element("span", { class: "pg-copied", role: "status" });

    const pair = (...parts) => element("span", { class: "pg-pair" }, ...parts);
    root.replaceChildren(
      element("div", { class: "pg-row" },
        pair(element("label", { for: "pg-method" }, "Method"), method),
        pair(element("label", { for: "pg-preset" }, "Examples"), preset)),
      element("div", { class: "pg-board" }, canvas),
      certificate,
      sliders,
      element("div", { class: "pg-row", role: "group", "aria-label": "Points" },
        element("span", { class: "pg-word" }, "A click adds"), ...brushes),
      element("div", { class: "pg-row", role: "group", "aria-label": "Change the points" },
        button("Flip a tenth of the labels", flipSome), button("Change the class", () => changeClass()),
        button("Delete the point", () => remove()), button("Undo", undo), button("Clear", clear)),
      element("div", { class: "pg-row", role: "group", "aria-label": "Take it with you" },
        button("Copy as Python", copyPython), pair(element("label", { for: "pg-library" }, "for"), library),
        button("Copy the link", () => {
          address();
          copy(location.href, "The link is copied.");
        }), copied),
      spoken,
      code,
      element("p", { id: "pg-keys", class: "pg-keys" },
        "Click or tap to add a point, drag to move it. With the keyboard: arrows move the cursor (with Shift by one 64th), ",
        "Enter adds a point, X switches the class that is added, Space takes a point up and puts it down, C changes its ",
        "class, Delete removes it, U or Ctrl+Z undoes."),
    );

    /* ---- what a change does ---- */

    const data = () => ({
      whole: state.points.map((p) => p.at), y: state.points.map((p) => p.y),
      X: state.points.map((p) => [p.at[0] / UNIT, p.at[1] / UNIT]),
    });

    function learn(hurry) {
      const given = data(), rule = METHODS[state.method];
      if (!given.y.includes(1) || !given.y.includes(-1)) {
        result = null;
        certificate.textContent = "Each class needs a point: add discs and squares.";
      } else {
        // While something is dragged the solver may stop early; the certificate says how far it came.
        const found = rule.fit(given, state.parameters, hurry ? { tol: 1e-3, mostSteps: 20000 } : {});
        const told = rule.certify(given, found, state.parameters);
        result = { found, shared: told.shared };
        certificate.textContent = told.text;
      }
      draw(hurry);
    }

    // Written when the hand rests: browsers refuse more than some hundred addresses a minute.
    let writing = 0;
    const address = () => history.replaceState(null, "", toAddress(state));

    function changed(hurry = false) {
      learn(hurry);
      clearTimeout(writing);
      if (!hurry) writing = setTimeout(address, 250);
      code.hidden = true;
    }

    // Before a change; many moves of one slider are one change.
    function remember(change = "") {
      if (change && change === lastChange) return;
      lastChange = change;
      const points = state.points.map((p) => ({ at: p.at.slice(), y: p.y }));
      earlier.push({ method: state.method, parameters: { ...state.parameters }, points });
      if (earlier.length > 100) earlier.shift();
    }

    function choose(name) {
      stop();
      remember();
      kept[state.method] = state.parameters;
      state.method = name;
      state.parameters = kept[name] ?? parametersOf(name);
      showParameters();
      changed();
    }

    function load(name) {
      if (!name) return;
      remember();
      state.points = pointsOf(playground.PRESETS[name].words);
      selected = -1;
      preset.value = ""; // so that the same one can be had again
      changed();
      say(`${state.points.length} points.`);
    }

    function take(label) {
      brush = label;
      for (const each of brushes) each.setAttribute("aria-pressed", Number(each.dataset.label) === brush);
    }

    function add(at) {
      if (state.points.length >= MOST_POINTS) return say(`No more than ${MOST_POINTS} points.`);
      remember();
      state.points.push({ at: at.map(clamp), y: brush });
      selected = state.points.length - 1;
      changed();
      say(`A ${NAMES[brush]} at ${where(at)}. ${count()}.`);
    }

    // The point that a button or key is about: the one pressed last, with the keyboard the one at the cursor.
    const current = () => (cursor && document.activeElement === canvas ? nearest(cursor, 12) : selected);

    function remove(i = current()) {
      if (i < 0) return say("First press a point.");
      remember();
      const [gone] = state.points.splice(i, 1);
      selected = -1;
      carried = false;
      changed();
      say(`The ${NAMES[gone.y]} is gone. ${count()}.`);
    }

    function changeClass(i = current()) {
      if (i < 0) return say("First press a point.");
      remember();
      state.points[i].y *= -1;
      changed();
      say(`Now it is a ${NAMES[state.points[i].y]}.`);
    }

    function flipSome() {
      if (!state.points.length) return say("There are no points.");
      remember();
      const random = new playground.RandomState(earlier.length), left = state.points.map((_, i) => i);
      const count = Math.max(1, Math.round(left.length / 10));
      for (let k = 0; k < count; k++) {
        const [i] = left.splice(random.below(left.length), 1);
        state.points[i].y *= -1;
      }
      changed();
      say(`${count} labels flipped.`);
    }

    function undo() {
      if (!earlier.length) return say("Nothing to undo.");
      stop();
      state = earlier.pop();
      lastChange = "";
      selected = -1;
      carried = false;
      showParameters();
      changed();
      say(`Undone. ${count()}.`);
    }

    function clear() {
      if (!state.points.length) return;
      remember();
      state.points = [];
      selected = -1;
      changed();
      say("No points.");
    }

    const say = (text) => (spoken.textContent = text);
    const count = () => `${state.points.length} point${state.points.length === 1 ? "" : "s"}`;
    const where = (at) => at.map((v) => (v / UNIT).toFixed(2)).join(", ");

    async function copy(text, message) {
      try {
        await navigator.clipboard.writeText(text);
        copied.textContent = message;
      } catch { // no clipboard for this page (a folder, an old browser): show it, selected
        code.hidden = false;
        code.value = text;
        code.select();
        copied.textContent = "Selected: copy it with Ctrl+C.";
      }
      clearTimeout(clearing);
      clearing = setTimeout(() => (copied.textContent = ""), 4000);
    }

    function tellLibrary() {
      const refused = !METHODS[state.method].python(state.parameters, library.value);
      clearTimeout(clearing);
      code.hidden = true;
      copied.textContent = refused ? `${METHODS[state.method].refuses}.` : "";
      return !refused;
    }

    function copyPython() {
      if (!result) return say("Each class needs a point.");
      if (!result.found) return say("No line separates these points: the program would end in that error.");
      if (!tellLibrary()) return;
      const text = playground.python(state, data(), library.value, result?.found);
      code.hidden = false;
      code.value = text;
      copy(text, "The lines are copied.");
    }

    /* ---- parameters ---- */

    function showParameters() {
      method.value = state.method;
      const rule = METHODS[state.method];
      sliders.replaceChildren(...Object.entries(rule.parameters).flatMap(([key, spec]) => {
        if (spec.when && !spec.when(state.parameters)) return [];
        const id = `pg-${key}`;
        if (spec.choices) {
          const list = element("select", { id, onchange: () => set(key, list.value, true) },
            ...Object.entries(spec.choices).map(([value, text]) => element("option", { value }, text)));
          list.value = state.parameters[key];
          return [element("div", { class: "pg-row" }, element("label", { for: id }, spec.name), list)];
        }
        const place = () => nearestPlace(spec.values, state.parameters[key]);
        const slider = element("input", {
          type: "range", id, min: 0, max: spec.values.length - 1, value: place(), "aria-valuetext": state.parameters[key],
          oninput: () => set(key, spec.values[slider.value]),
        });
        const typed = element("input", {
          type: "text", inputmode: "decimal", class: "pg-number", value: state.parameters[key], "aria-label": `${spec.name}, typed`,
          onchange: () => {
            const value = Number(typed.value.replace(",", "."));
            if (typed.value.trim() && valid(spec, value)) set(key, value);
            else say(`${spec.name} cannot be ${typed.value || "nothing"}${spec.most ? `; at most ${spec.most}` : ""}.`);
            typed.value = state.parameters[key];
          },
        });
        slider.follow = () => {
          slider.value = place();
          slider.setAttribute("aria-valuetext", state.parameters[key]);
          typed.value = state.parameters[key];
        };
        const play = key === rule.plays?.(state.parameters)
          ? [button("▶", () => (playing ? stop() : run(key, spec)), { class: "pg-play", "aria-label": `Play ${spec.name}` })] : [];
        return [element("div", { class: "pg-row" }, element("label", { for: id }, spec.name), ...play, slider, typed)];
      }));
    }

    const nearestPlace = (values, value) =>
      values.reduce((best, each, k) => (Math.abs(each - value) < Math.abs(values[best] - value) ? k : best), 0);

    function set(key, value, anew = false) {
      remember(key);
      state.parameters[key] = value;
      if (anew) {
        stop();
        showParameters();
      }
      for (const slider of sliders.querySelectorAll("input[type=range]")) slider.follow();
      changed();
    }

    function run(key, spec) {
      let place = nearestPlace(spec.values, state.parameters[key]);
      if (place === spec.values.length - 1) place = -1;
      const next = () => {
        place += 1;
        set(key, spec.values[place]);
        if (place === spec.values.length - 1) stop();
      };
      next();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      playing = setInterval(next, 250);
      const play = sliders.querySelector(".pg-play");
      play.textContent = "❚❚";
      play.setAttribute("aria-label", `Pause ${spec.name}`);
    }

    function stop() {
      clearInterval(playing);
      playing = null;
      const play = sliders.querySelector(".pg-play");
      if (!play) return;
      play.textContent = "▶";
      play.setAttribute("aria-label", play.getAttribute("aria-label").replace("Pause", "Play"));
    }

    /* ---- the picture ---- */

    const dark = () => document.documentElement.dataset.theme === "dark";
    const side = () => canvas.width, px = (v) => ((v + 2) / 4) * side(), py = (v) => ((2 - v) / 4) * side();

    function fitCanvas() {
      const width = Math.round(canvas.clientWidth * (window.devicePixelRatio || 1));
      if (width && canvas.width !== width) canvas.width = canvas.height = width;
    }

    function scoresOn(cells, score) {
      const scores = new Float64Array((cells + 1) ** 2);
      for (let r = 0; r <= cells; r++) {
        for (let c = 0; c <= cells; c++) scores[r * (cells + 1) + c] = score([-2 + (4 * c) / cells, 2 - (4 * r) / cells]);
      }
      return scores;
    }

    function draw(hurry) {
      fitCanvas();
      const pen = canvas.getContext("2d"), scale = side() / 560;
      pen.fillStyle = dark() ? "#14181d" : "#fff";
      pen.fillRect(0, 0, side(), side());
      const found = result?.found;
      const slow = found?.updates > 2000 && state.parameters.variant === "voted"; // a vote of thousands at each place
      if (found) drawRegions(pen, found, hurry || slow ? 40 : 140, scale);
      drawPoints(pen, found, scale);
      if (result?.shared) drawShared(pen, result.shared, scale);
      if (cursor && document.activeElement === canvas) drawCursor(pen, scale);
    }

    function drawRegions(pen, found, cells, scale) {
      const scores = scoresOn(cells, found.score), band = "alpha" in found;
      const size = band ? 1 : scores.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12);
      const image = new ImageData(cells, cells), at = (r, c) => scores[r * (cells + 1) + c];
      for (let r = 0; r < cells; r++) {
        for (let c = 0; c < cells; c++) {
          const value = (at(r, c) + at(r + 1, c) + at(r, c + 1) + at(r + 1, c + 1)) / 4, tint = TINTS[value > 0 ? 1 : -1];
          const strength = 0.1 + 0.25 * Math.min(1, Math.abs(value) / size);
          image.data.set([...tint, 255 * (dark() ? 1.4 * strength : strength)], 4 * (r * cells + c));
        }
      }
      const small = document.createElement("canvas");
      small.width = small.height = cells;
      small.getContext("2d").putImageData(image, 0, 0);
      pen.drawImage(small, 0, 0, side(), side());
      pen.strokeStyle = dark() ? "#e8e8e8" : "#222";
      for (const level of band ? [-1, 0, 1] : [0]) {
        pen.lineWidth = (level ? 1.2 : 2.2) * scale;
        contour(pen, scores, cells, level);
      }
    }

    /* The line on which the score has this value: in each cell between the edges on which it is crossed. */
    function contour(pen, scores, cells, level) {
      const at = (r, c) => scores[r * (cells + 1) + c] - level, step = side() / cells;
      pen.beginPath();
      for (let r = 0; r < cells; r++) {
        for (let c = 0; c < cells; c++) {
          const corner = [at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)], places = [[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]];
          const ends = [];
          for (let k = 0; k < 4; k++) {
            const a = corner[k], b = corner[(k + 1) % 4];
            if (a > 0 === b > 0) continue;
            const t = a / (a - b), [x, y] = places[k], [u, v] = places[(k + 1) % 4];
            ends.push([x + t * (u - x), y + t * (v - y)]);
          }
          for (let k = 0; k + 1 < ends.length; k += 2) {
            pen.moveTo(ends[k][0] * step, ends[k][1] * step);
            pen.lineTo(ends[k + 1][0] * step, ends[k + 1][1] * step);
          }
        }
      }
      pen.stroke();
    }

    function mark(pen, x, y, label, size) {
      pen.beginPath();
      if (label > 0) pen.arc(x, y, size, 0, 2 * Math.PI);
      else pen.rect(x - 0.9 * size, y - 0.9 * size, 1.8 * size, 1.8 * size);
    }

    function drawPoints(pen, found, scale) {
      const given = data(), ink = dark() ? "#f2f2f2" : "#1a1a1a";
      const weights = found?.weights, heaviest = weights ? Math.max(...weights) : 0;
      const alpha = found?.alpha, limit = state.method === "svm" ? state.parameters.C : alpha ? Math.max(...alpha) : 0;
      given.X.forEach((x, i) => {
        const [a, b] = [px(x[0]), py(x[1])], size = (weights ? 3 + 6 * Math.sqrt(weights[i] / heaviest) : 5) * scale;
        mark(pen, a, b, given.y[i], size);
        pen.fillStyle = (dark() ? DARK : LIGHT)[given.y[i]];
        pen.fill();
        pen.lineWidth = scale;
        pen.strokeStyle = dark() ? "#14181d" : "#fff";
        pen.stroke();
        pen.strokeStyle = ink;
        if (alpha && alpha[i] > 0) { // the ring grows with alpha; at C it is thick
          mark(pen, a, b, given.y[i], size + (2 + 4 * Math.min(1, alpha[i] / limit)) * scale);
          pen.lineWidth = (state.method === "svm" && alpha[i] === limit ? 2.4 : 1.1) * scale;
          pen.stroke();
        }
        if (found && (found.score(x) > 0 ? 1 : -1) !== given.y[i]) { // a mistake is crossed out
          pen.lineWidth = 1.8 * scale;
          pen.beginPath();
          for (const sign of [1, -1]) {
            pen.moveTo(a - size, b - sign * size);
            pen.lineTo(a + size, b + sign * size);
          }
          pen.stroke();
        }
        if (i === selected) {
          pen.setLineDash([3 * scale, 3 * scale]);
          pen.lineWidth = 1.2 * scale;
          mark(pen, a, b, 1, 14 * scale);
          pen.stroke();
          pen.setLineDash([]);
        }
      });
    }

    function drawShared(pen, { at, parts }, scale) {
      pen.strokeStyle = dark() ? "#fff" : "#000";
      pen.lineWidth = 1.5 * scale;
      for (const part of parts) {
        for (const [i] of part) {
          const [u, v] = state.points[i].at;
          pen.beginPath();
          pen.moveTo(px(at[0]), py(at[1]));
          pen.lineTo(px(u / UNIT), py(v / UNIT));
          pen.stroke();
        }
      }
      pen.beginPath();
      pen.arc(px(at[0]), py(at[1]), 9 * scale, 0, 2 * Math.PI);
      pen.stroke();
    }

    function drawCursor(pen, scale) {
      const [x, y] = [px(cursor[0] / UNIT), py(cursor[1] / UNIT)], long = 12 * scale;
      pen.strokeStyle = dark() ? "#fff" : "#000";
      pen.lineWidth = (carried ? 3 : 1.6) * scale;
      pen.beginPath();
      pen.moveTo(x - long, y);
      pen.lineTo(x + long, y);
      pen.moveTo(x, y - long);
      pen.lineTo(x, y + long);
      pen.stroke();
    }

    /* ---- pointer and keyboard ---- */

    function place(event) {
      const box = canvas.getBoundingClientRect();
      return [((event.clientX - box.left) / box.width) * 4 - 2, 2 - ((event.clientY - box.top) / box.height) * 4].map((v) => clamp(v * UNIT));
    }

    function nearest(at, reach) {
      let best = -1, least = reach;
      state.points.forEach((p, i) => {
        const distance = Math.hypot(p.at[0] - at[0], p.at[1] - at[1]);
        if (distance <= least) [best, least] = [i, distance];
      });
      return best;
    }

    let dragged = -1, moved = false, waiting = false;
    // Half a finger or a pointer's width, in 64ths.
    const reachOf = (event) => ((event.pointerType === "mouse" ? 9 : 22) / canvas.clientWidth) * 4 * UNIT;

    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      cursor = null;
      dragged = nearest(place(event), reachOf(event));
      moved = false;
      if (dragged < 0) return;
      selected = dragged;
      canvas.setPointerCapture(event.pointerId);
      draw();
    });
    // A finger on a point drags it; elsewhere the page scrolls.
    canvas.addEventListener("touchstart", (event) => {
      const finger = event.touches[0];
      if (nearest(place(finger), (22 / canvas.clientWidth) * 4 * UNIT) >= 0) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("pointermove", (event) => {
      if (dragged < 0) return;
      const at = place(event), point = state.points[dragged];
      if (at[0] === point.at[0] && at[1] === point.at[1]) return;
      if (!moved) remember();
      moved = true;
      point.at = at;
      if (waiting) return;
      waiting = true; // once a frame
      requestAnimationFrame(() => {
        waiting = false;
        if (dragged >= 0) changed(true);
      });
    });
    canvas.addEventListener("pointerup", (event) => {
      if (dragged < 0 || !moved) return;
      state.points[dragged].at = place(event);
      dragged = -1;
      changed();
    });
    canvas.addEventListener("pointercancel", () => {
      if (dragged >= 0 && moved) changed();
      dragged = -1;
    });
    canvas.addEventListener("click", (event) => {
      const pressed = dragged;
      dragged = -1;
      if (pressed >= 0 || moved) {
        moved = false;
        return;
      }
      add(place(event));
    });

    const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    canvas.addEventListener("keydown", (event) => {
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const undoes = (event.ctrlKey || event.metaKey) && key === "z";
      if (!undoes && (event.ctrlKey || event.metaKey || event.altKey)) return;
      const act = undoes ? undo : {
        Enter: () => (carried ? takeUp() : add(cursor)), " ": takeUp, c: () => changeClass(), Delete: () => remove(),
        Backspace: () => remove(), u: undo, x: () => {
          take(-brush);
          say(`Enter adds ${NAMES[brush]}s.`);
        },
      }[key];
      // The cursor begins where one has just been with the mouse.
      if (key in MOVES || key === "Enter" || key === " ") cursor ??= state.points[selected]?.at.slice() ?? [0, 0];
      if (event.key in MOVES) {
        const stride = event.shiftKey ? 1 : 8;
        cursor = cursor.map((v, k) => clamp(v + stride * MOVES[event.key][k]));
        if (carried) {
          if (carried === "still") remember();
          carried = "moved";
          state.points[selected].at = cursor.slice();
          changed(true);
          say(where(cursor));
        } else {
          const near = (selected = nearest(cursor, 12));
          say(where(cursor) + (near < 0 ? "" : `, by a ${NAMES[state.points[near].y]}`));
          draw();
        }
      } else if (act) act();
      else return;
      event.preventDefault();
    });

    function takeUp() {
      if (carried) {
        carried = false;
        changed();
        return say(`Put down at ${where(cursor)}.`);
      }
      const near = nearest(cursor, 12);
      if (near < 0) return say("No point near the cursor.");
      selected = near;
      carried = "still";
      cursor = state.points[near].at.slice();
      draw();
      say(`Took up the ${NAMES[state.points[near].y]}.`);
    }

    canvas.addEventListener("focus", () => {
      if (canvas.matches(":focus-visible")) cursor ??= [0, 0];
      draw();
    });
    canvas.addEventListener("blur", () => {
      if (carried) changed();
      carried = false;
      draw();
    });

    window.addEventListener("hashchange", () => {
      const given = fromAddress(location.hash);
      if (!given) return;
      stop();
      state = given;
      earlier = [];
      selected = -1;
      showParameters();
      learn();
    });
    new ResizeObserver(() => draw()).observe(canvas);
    new MutationObserver(() => draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });

    // For the benchmark: the milliseconds between a pointer's move and the new picture.
    playground.timeOfDrag = (i, at) => {
      const begun = performance.now();
      state.points[i].at = at.map(clamp);
      changed(true);
      canvas.getContext("2d").getImageData(0, 0, 1, 1); // not before it is drawn
      return performance.now() - begun;
    };

    take(1);
    showParameters();
    learn();
    root.classList.add("pg-ready");
  }

  Object.assign(playground, { toAddress, fromAddress, parametersOf, UNIT });
  if (globalThis.document) {
    const root = document.getElementById("playground");
    if (root) start(root);
  }
})((globalThis.playground ??= {}));
