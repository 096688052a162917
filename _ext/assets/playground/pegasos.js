/* Pegasos: step t = 1, 2, ... draws one example and goes 1 / (lambda t) along the negative subgradient of

       f(w, b) = lambda / 2 (|w|^2 + b^2) + mean of max(0, 1 - y (w . x + b)),

   then back into the ball of radius 1 / sqrt(lambda), which holds the optimum.
   Shalev-Shwartz, Singer, Srebro, Cotter (2011). Mathematical Programming 127. */
(function (playground) {
  const dot = (w, x) => w[0] * x[0] + w[1] * x[1] + w[2];
  const TIE = 1e-12; // a margin that differs from 1 by rounding only counts as 1

  function pegasos(X, y, { lambda = 0.01, steps = 1000, average = false, seed = 0 }) {
    const n = X.length, random = new playground.RandomState(seed), radius = 1 / Math.sqrt(lambda);
    const sum = [0, 0, 0], seen = new Array(n).fill(0);
    let w = [0, 0, 0];
    for (let t = 1; t <= steps; t++) {
      const i = Math.floor(n * random.uniform()), eta = 1 / (lambda * t);
      const violates = y[i] * dot(w, X[i]) <= 1 + TIE;
      for (let j = 0; j < 3; j++) sum[j] += w[j];
      w = w.map((value) => Math.max(0, 1 - eta * lambda) * value);
      if (violates) {
        seen[i] += 1;
        w = [w[0] + eta * y[i] * X[i][0], w[1] + eta * y[i] * X[i][1], w[2] + eta * y[i]];
      }
      const length = Math.hypot(...w);
      if (length > radius) w = w.map((value) => (value * radius) / length);
    }
    const decided = average ? sum.map((value) => value / steps) : w;
    return { score: (x) => dot(decided, x), w: decided, violations: seen, objective: objective(X, y, decided, lambda) };
  }

  function objective(X, y, w, lambda) {
    const loss = X.reduce((sum, x, i) => sum + Math.max(0, 1 - y[i] * dot(w, x)), 0) / X.length;
    return (lambda / 2) * (w[0] ** 2 + w[1] ** 2 + w[2] ** 2) + loss;
  }

  /* What no (w, b) can reach below: the dual, with multipliers between 0 and 1 / (lambda n). */
  function lowerBound(X, y, lambda) {
    const { w, alpha } = playground.dualAscent(X, y, 1 / (lambda * X.length), 300);
    const total = alpha.reduce((sum, value) => sum + value, 0);
    return lambda * (total - (w[0] ** 2 + w[1] ** 2 + w[2] ** 2) / 2);
  }

  Object.assign(playground, { pegasos, pegasosLowerBound: lowerBound });
})((globalThis.playground ??= {}));
