/* The perceptron: at each mistake, add y x to the weights. The points are taken in the order in which they were
   made, pass after pass. The last weights decide, or the mean of all, or all of them vote.

   With whole 64ths as coordinates all sums here are exact, so that "w . x = 0" means just that. */
(function (playground) {
  const MOST_PASSES = 1000; // of mllib.Perceptron

  const dot = (w, x) => w[0] * x[0] + w[1] * x[1] + w[2];

  // The side of x; a score that rounding alone keeps from 0 has none (x need not be whole 64ths).
  function side(w, x) {
    const terms = Math.abs(w[0] * x[0]) + Math.abs(w[1] * x[1]) + Math.abs(w[2]), score = dot(w, x);
    return Math.abs(score) <= 1e-12 * terms ? 0 : Math.sign(score);
  }

  /* variant "last": until a pass makes no mistake, or the weights come back to an earlier value, or for 1,000
     passes; with `updates` no further than that many mistakes. "averaged", "voted": for `passes` passes. */
  function perceptron(X, y, { variant = "last", updates = 0, passes = 10 }) {
    const n = X.length, last = variant === "last", mistakes = new Array(n).fill(0);
    const most = last ? MOST_PASSES : passes;
    let w = [0, 0, 0], clock = 0, made = 0, converged = false, stopped = false, pass = 0;
    const all = [{ w, count: 0 }]; // every weight vector, and how many examples it was in charge after
    const cycle = new CycleDetector();
    while (pass < most && !converged && !cycle.length && !stopped) {
      let wrong = 0;
      for (let i = 0; i < n && !stopped; i++) {
        if (y[i] * dot(w, X[i]) <= 0) {
          w = [w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1], w[2] + y[i]];
          mistakes[i] += 1;
          wrong += 1;
          made += 1;
          all.push({ w, count: 0 });
          stopped = last && made === updates;
        }
        all[all.length - 1].count += 1; // a weight vector counts for the example that made it, too
        clock += 1;
      }
      pass += 1;
      converged = wrong === 0 && !stopped;
      if (last && !converged && !stopped) cycle.look(w);
    }
    const rest = last ? 0 : (passes - pass) * n; // passes without a mistake are counted, not made
    all[all.length - 1].count += rest;
    clock += rest;

    const mean = [0, 1, 2].map((j) => all.reduce((sum, each) => sum + each.count * each.w[j], 0) / clock);
    const decided = variant === "averaged" ? mean : w;
    const score = variant === "voted"
      ? (x) => all.reduce((sum, each) => sum + each.count * side(each.w, x), 0) / clock
      : (x) => dot(decided, x);
    return {
      score, mistakes, converged,
      w: variant === "voted" ? null : decided,
      updates: made, passes: pass, cycle: cycle.length,
    };
  }

  /* Whether a sequence comes back to a value that it had (Brent 1980): one old value is kept, and replaced
     whenever the count has doubled. */
  class CycleDetector {
    constructor() {
      this.old = null;
      this.age = 0;
      this.double = 1;
      this.length = 0;
    }

    look(state) {
      this.age += 1;
      if (this.old && state.every((value, j) => value === this.old[j])) {
        this.length = this.age;
      } else if (!this.old || this.age === this.double) {
        this.double = this.old ? 2 * this.double : 1;
        this.old = state;
        this.age = 0;
      }
    }
  }

  /* The dual of a support vector machine whose bias is a weight like the others (so that no sum must be kept): one
     multiplier after another, each between 0 and a limit. Chapter 13's second reading tells why it rises. */
  function dualAscent(X, y, limit, passes) {
    const squares = X.map((x) => x[0] ** 2 + x[1] ** 2 + 1), alpha = new Array(X.length).fill(0), w = [0, 0, 0];
    for (let pass = 0; pass < passes; pass++) {
      for (let i = 0; i < X.length; i++) {
        const best = alpha[i] + (1 - y[i] * dot(w, X[i])) / squares[i];
        const change = Math.min(limit, Math.max(0, best)) - alpha[i];
        alpha[i] += change;
        w[0] += change * y[i] * X[i][0];
        w[1] += change * y[i] * X[i][1];
        w[2] += change * y[i];
      }
    }
    return { w, alpha, R2: Math.max(...squares) };
  }

  /* With a separating (w, b) of nearly the largest margin, R^2, gamma and (R / gamma)^2 of the points (x, 1). */
  function mistakeBound(X, y) {
    const { w, R2 } = dualAscent(X, y, Infinity, 400);
    const gamma = Math.min(...X.map((x, i) => y[i] * dot(w, x))) / Math.hypot(...w);
    return gamma > 0 ? { R2, gamma, bound: R2 / gamma ** 2 } : null;
  }

  Object.assign(playground, { perceptron, mistakeBound, dualAscent });
})((globalThis.playground ??= {}));
