/* The methods of the playground: their parameters, what is drawn, the sentence below the picture, the Python. */
(function (playground) {
  const STEPS = [1, 2, 5], decades = (from, to) =>
    Array.from({ length: to - from + 1 }, (_, k) => STEPS.map((s) => Number(`${s}e${from + k}`))).flat();
  const wholes = (...values) => values;

  // Three digits, no more zeros than needed.
  const say = (value) => String(Number(value.toPrecision(3)));
  const five = (value) => String(Number(value.toPrecision(5))); // of two numbers that are compared
  const percent = (share) => (share > 0 && share < 1e-4 ? "less than 0.01 %" : `${Number((100 * share).toPrecision(2))} %`);
  // What a duality gap says; the share is one of the lower bound.
  const above = (share) => {
    if (!(share < 1)) return Number.isFinite(share) ? `it may still be ${say(1 + share)} times the best` : "no bound can be had yet";
    return `it is ${share < 1e-5 ? "less than 0.001 %" : `at most ${percent(share)}`} above the best`;
  };
  const place = (x) => `(${x.map((v) => v.toFixed(2).replace("-", "\u2212")).join(", ")})`;
  const some = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : what.endsWith("s") ? "es" : "s"}`;
  const points = (count) => some(count, "point");

  /* Why no line separates the classes: a point in the convex hulls of both. */
  function impossible(data) {
    const { at, parts } = playground.sharedPoint(data.whole, data.y);
    const named = (i) => `the ${data.y[i] > 0 ? "disc" : "square"} at ${place(data.X[i])}`;
    const mean = (part) => part.map(([i, weight]) => `${weight.toFixed(2)} ${place(data.X[i])}`).join(" + ");
    const kinds = ["squares", "discs"], single = parts.findIndex((part) => part.length === 1);
    const text = single >= 0
      ? `${named(parts[single][0][0])} is a weighted mean of ${kinds[1 - single]}, ${mean(parts[1 - single])}`
      : `${place(at.map((v) => v / 64))} is a weighted mean of discs, ${mean(parts[1])}, and of squares, ${mean(parts[0])}`;
    return { text: `No line separates the classes: ${text}.`, shared: { at: at.map((v) => v / 64), parts } };
  }

  const separable = (data) => !playground.sharedPoint(data.whole, data.y);
  const wrong = (data, found) => data.X.filter((x, i) => (found.score(x) > 0 ? 1 : -1) !== data.y[i]).length;
  function errors(data, found) {
    const count = wrong(data, found);
    return `${count} of ${points(data.y.length)} ${count === 1 ? "is" : "are"} on the wrong side`;
  }

  const METHODS = {
    perceptron: {
      name: "Perceptron",
      parameters: {
        variant: { name: "Who decides", choices: { last: "the last weights", averaged: "the average", voted: "the vote" }, start: "last" },
        updates: {
          name: "Updates shown (0: all)", values: wholes(0, ...Array.from({ length: 60 }, (_, k) => k + 1)), start: 0, whole: true, least: 0,
          when: (p) => p.variant === "last",
        },
        passes: { name: "Passes", values: wholes(1, 2, 3, 5, 10, 20, 50, 100), start: 10, whole: true, most: 100, when: (p) => p.variant !== "last" },
      },
      plays: (p) => (p.variant === "last" ? "updates" : "passes"),
      fit: (data, p) => playground.perceptron(data.X, data.y, p),
      certify(data, found, p) {
        const stopped = p.variant === "last" && p.updates > 0 && found.updates === p.updates && !found.converged;
        const made = `${some(found.updates, "update")}${stopped ? " so far" : ` in ${some(found.passes, "pass")}`}`;
        if (!separable(data)) {
          const why = impossible(data);
          const cycle = found.cycle ? ` From then on every ${found.cycle === 1 ? "pass" : `${found.cycle} passes`} repeat${found.cycle === 1 ? "s" : ""} the same weights.` : "";
          why.text = `${made}.${cycle} ${errors(data, found)}. ${why.text}`;
          return why;
        }
        const bound = playground.mistakeBound(data.X, data.y);
        if (!bound) return { text: `${made}. A line separates the classes by so little that no useful bound was found.` };
        const limit = `The theorem allows at most (R/γ)² = ${say(bound.bound)} updates, with R = ${say(Math.sqrt(bound.R2))} and a margin of γ = ${say(bound.gamma)}.`;
        const end = found.converged ? ", and then no mistake was left" : stopped ? "" : ", and mistakes are still made";
        return { text: `${made}${end}. ${limit} ${found.converged && p.variant === "last" ? "" : errors(data, found) + "."}` };
      },
      python(p, library) {
        const most = p.variant === "last" ? "" : `, max_iter=${p.passes}`;
        if (library === "scikit-learn") {
          if (p.variant !== "last" || p.updates) return null;
          return { from: "sklearn.linear_model", name: "Perceptron", call: `Perceptron(shuffle=False, tol=None, max_iter={passes})` };
        }
        const name = { last: "Perceptron", averaged: "AveragedPerceptron", voted: "VotedPerceptron" }[p.variant];
        if (p.variant === "last" && p.updates) {
          return {
            from: "mllib", name, call: "Perceptron(shuffle=False, record_updates=True)",
            after: [
              `shown = min(${p.updates}, model.n_updates_) - 1`,
              "w, b = model.updates_.coef[shown], model.updates_.intercept[shown]",
            ],
            predict: "np.where(Z @ w + b > 0, 1, -1)",
          };
        }
        return { from: "mllib", name, call: `${name}(shuffle=False${most})` };
      },
      refuses: "scikit-learn has neither voted nor averaged perceptrons and keeps no single updates",
    },

    hard: {
      name: "Hard margin",
      parameters: {},
      fit: (data, p, hurry) => (separable(data) ? playground.svm(data.X, data.y, { C: Infinity, ...hurry }) : null),
      certify(data, found) {
        if (!found) return impossible(data);
        const wider = Math.sqrt(found.primal / found.dual) - 1;
        return { text: `The band is ${say(2 * found.margin)} wide, and no band between the classes can be wider by ${wider < 1e-5 ? "as much as 0.001 %" : "more than " + percent(wider)}. ${points(found.support.length)} hold${found.support.length === 1 ? "s" : ""} it.` };
      },
      python: (p, library) => library === "mllib"
        ? { from: "mllib", name: "HardMarginSVC", call: "HardMarginSVC(tol=1e-7)" }
        : { from: "sklearn.svm", name: "SVC", call: 'SVC(kernel="linear", C=1e10, tol=1e-7)' },
    },

    svm: {
      name: "Support vector machine",
      parameters: {
        kernel: { name: "Kernel", choices: { linear: "linear", poly: "polynomial", rbf: "RBF" }, start: "rbf" },
        C: { name: "C", values: decades(-2, 2).concat(1000), start: 1 },
        gamma: { name: "γ (greater: narrower kernel)", values: decades(-2, 1).concat(100), start: 1, when: (p) => p.kernel === "rbf" },
        degree: { name: "Degree", values: wholes(1, 2, 3, 4, 5, 6), start: 3, whole: true, most: 10, when: (p) => p.kernel === "poly" },
      },
      plays: () => "C",
      fit: (data, p, hurry) => playground.svm(data.X, data.y, { ...p, ...hurry }),
      certify(data, found, p) {
        const at = found.support.filter((i) => found.alpha[i] === p.C).length;
        const gap = Math.max(0, found.primal - found.dual) / Math.max(found.dual, 0);
        return { text: `Its objective is ${five(found.primal)}. No boundary of this kind has less than ${five(found.dual)} (the dual), so ${above(gap)}. ${some(found.support.length, "support vector")}, ${at} of them at C; ${errors(data, found)}.` };
      },
      python(p, library) {
        const kernel = { linear: "", poly: `, degree=${p.degree}, gamma=1, coef0=1`, rbf: `, gamma=${p.gamma}` }[p.kernel];
        return { from: library === "mllib" ? "mllib" : "sklearn.svm", name: "SVC", call: `SVC(kernel="${p.kernel}", C=${p.C}${kernel}, tol=1e-7)` };
      },
    },

    pegasos: {
      name: "Pegasos",
      parameters: {
        lambda: { name: "λ", values: decades(-4, -1).concat(1), start: 0.01 },
        steps: { name: "Steps", values: decades(0, 3).concat(10000), start: 1000, whole: true, most: 100000 },
        average: { name: "Answer", choices: { no: "the last weights", yes: "the average" }, start: "no" },
      },
      plays: () => "steps",
      fit: (data, p) => playground.pegasos(data.X, data.y, { ...p, average: p.average === "yes" }),
      certify(data, found, p) {
        const least = playground.pegasosLowerBound(data.X, data.y, p.lambda);
        const excess = found.objective / least - 1;
        return { text: `After ${some(p.steps, "step")} the objective is ${five(found.objective)}. No line comes below ${five(least)} (the dual), so ${above(excess)}. ${errors(data, found)}.` };
      },
      python: (p, library) => library === "scikit-learn" ? null : {
        from: "mllib", name: "PegasosClassifier",
        call: `PegasosClassifier(alpha=${p.lambda}, max_iter=1, epoch_length=${p.steps}, tol=None${p.average === "yes" ? ", average=True" : ""}, random_state=0)`,
      },
      refuses: "scikit-learn has no Pegasos: its SGDClassifier takes steps of other sizes",
    },

    adaboost: {
      name: "AdaBoost with stumps",
      parameters: { T: { name: "Rounds T", values: wholes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200), start: 20, whole: true, most: 500 } },
      plays: () => "T",
      fit: (data, p) => playground.adaboost(data.X, data.y, p),
      certify(data, found, p) {
        const rounds = found.members.length, perfect = rounds > 0 && found.members[rounds - 1].error === 0;
        const early = rounds < p.T ? (perfect ? " it stops, because one stump is right everywhere:" : " it stops, because no stump is better than guessing any more:") : "";
        if (!rounds) return { text: "No stump is better than guessing here, so AdaBoost does not start. No bound can be had." };
        return { text: `After ${some(rounds, "round")}${early} the vote errs on ${percent(found.trainingError)} of the points. By the theorem it cannot err on more than ${percent(Math.min(1, found.bound))}, the product of all Z.` };
      },
      python: (p, library) => library === "scikit-learn" ? null : { from: "mllib", name: "AdaBoostClassifier", call: `AdaBoostClassifier(n_estimators=${p.T})` },
      refuses: "scikit-learn's AdaBoost chooses its stumps by Gini impurity, not by the weighted error",
    },

    forest: {
      name: "Bagged trees, random forest",
      parameters: {
        features: { name: "Features tried at a node", choices: { 2: "both (bagging)", 1: "one, drawn (random forest)" }, start: "1" },
        T: { name: "Trees T", values: wholes(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100), start: 50, whole: true, most: 200 },
        depth: { name: "Depth (0: no limit)", values: wholes(0, 1, 2, 3, 4, 5, 6, 8, 10), start: 0, whole: true, least: 0 },
      },
      plays: () => "T",
      fit: (data, p) => playground.forest(data.X, data.y, { ...p, features: Number(p.features) }),
      certify(data, found) {
        if (!found.judged) return { text: "Every tree has seen every point: no out-of-bag error can be had. More trees leave some points out." };
        return { text: `Out of bag, ${found.outOfBagErrors} of ${points(found.judged)} ${found.outOfBagErrors === 1 ? "is" : "are"} wrong (${percent(found.outOfBagErrors / found.judged)}): an estimate of the error on new points, not a bound. ${errors(data, found)}.` };
      },
      python: (p, library) => library === "scikit-learn" ? null : {
        from: "mllib", name: "RandomForestClassifier",
        call: `RandomForestClassifier(${p.T}, max_features=${p.features === "1" ? 1 : "None"}${p.depth ? `, max_depth=${p.depth}` : ""}, random_state=0)`,
      },
      refuses: "scikit-learn's trees draw their features in another order, so its forest is a different one",
    },
  };

  /* The lines of Python that draw the same picture; null where the library has no such method. */
  function python(state, data, library, found) {
    const made = METHODS[state.method].python(state.parameters, library);
    if (!made) return null;
    const rows = [];
    data.whole.forEach((point, i) => {
      if (i % 6 === 0) rows.push([]);
      rows.at(-1).push(`[${point[0]}, ${point[1]}]`);
    });
    const labels = [];
    data.y.forEach((label, i) => {
      if (i % 20 === 0) labels.push([]);
      labels.at(-1).push(label);
    });
    const array = (lines) => lines.map((line) => `    ${line.join(", ")},`).join("\n");
    return `import matplotlib.pyplot as plt
import numpy as np
from ${made.from} import ${made.name}

X = np.array([
${array(rows)}
]) / 64
y = np.array([
${array(labels)}
])

model = ${made.call.replace("{passes}", Math.max(found?.passes ?? 1, 1))}
model.fit(X, y)
${(made.after ?? []).map((line) => line + "\n").join("")}

def predict(Z):
    return ${made.predict ?? "model.predict(Z)"}


print((predict(X) != y).sum(), "of", len(y), "points are on the wrong side")
across, up = np.meshgrid(np.linspace(-2, 2, 201), np.linspace(-2, 2, 201))
side = predict(np.column_stack([across.ravel(), up.ravel()])).reshape(across.shape)
plt.contourf(across, up, side, levels=[-2, 0, 2], colors=["#f6ddcb", "#cfe3f1"])
plt.scatter(*X[y > 0].T, c="#0072B2", marker="o")
plt.scatter(*X[y < 0].T, c="#D55E00", marker="s")
plt.gca().set_aspect("equal")
plt.show()
`;
  }

  Object.assign(playground, { METHODS, python });
})((globalThis.playground ??= {}));
