/* The support vector machine, by sequential minimal optimisation: two multipliers at a time.

   In beta_i = y_i alpha_i the dual is   max D = sum_i y_i beta_i - 1/2 sum_ij beta_i beta_j k(x_i, x_j)
   where sum_i beta_i = 0 and beta_i lies between 0 and y_i C. Without C (hard margin) there is no upper limit. */
(function (playground) {
  const AS_HIGH = 1 - 1e-6, NEAR = 1e-13; // ties are decided by order, as in mllib.smo.pair

  const KERNELS = {
    linear: () => (x, z) => x[0] * z[0] + x[1] * z[1],
    poly: ({ degree }) => (x, z) => (x[0] * z[0] + x[1] * z[1] + 1) ** degree,
    rbf: ({ gamma }) => (x, z) => Math.exp(-gamma * ((x[0] - z[0]) ** 2 + (x[1] - z[1]) ** 2)),
  };

  function svm(X, y, { kernel = "linear", C = 1, gamma = 1, degree = 3, tol = 1e-7, mostSteps = 200000 }) {
    const n = X.length, k = KERNELS[kernel]({ gamma, degree });
    const K = X.map((x) => Float64Array.from(X, (z) => k(x, z)));
    const own = K.map((row, i) => row[i]);
    const flat = 1e-14 * Math.max(...own, 1e-280); // less curvature than this is rounding
    const low = y.map((label) => (label > 0 ? 0 : -C)), high = y.map((label) => (label > 0 ? C : 0));
    const beta = new Float64Array(n), g = Float64Array.from(y); // g: the gradient of D
    const score = new Float64Array(n);

    // The first whose score is the greatest, or so near to it that rounding may decide.
    function firstLargest(share, tie) {
      let best = -Infinity;
      for (let i = 0; i < n; i++) if (score[i] > best) best = score[i];
      for (let i = 0; i < n; i++) if (score[i] >= best * share - tie) return i;
      return 0;
    }

    let steps = 0, violation = Infinity;
    for (; steps < mostSteps; steps++) {
      // i: the greatest gradient among those that may grow.
      for (let p = 0; p < n; p++) score[p] = beta[p] < high[p] ? g[p] : -Infinity;
      const i = firstLargest(1, 1e-12);
      let least = Infinity;
      for (let p = 0; p < n; p++) if (beta[p] > low[p] && g[p] < least) least = g[p];
      violation = score[i] - least;
      if (violation <= tol) break;
      // j: the partner with which one step gains most, (g_i - g_j)^2 / curvature.
      const gi = g[i], Ki = K[i];
      for (let p = 0; p < n; p++) {
        const slope = beta[p] > low[p] ? Math.max(gi - g[p], 0) : 0;
        score[p] = (slope * slope) / Math.max(own[i] + own[p] - 2 * Ki[p], flat);
      }
      const j = firstLargest(AS_HIGH, 0), Kj = K[j];
      // To the top of the parabola, or to the nearer limit.
      const top = (gi - g[j]) / Math.max(own[i] + own[j] - 2 * Ki[j], flat);
      const roomI = high[i] - beta[i], roomJ = beta[j] - low[j], length = Math.min(top, roomI, roomJ);
      if (beta[i] + length === beta[i] && beta[j] - length === beta[j]) break; // lost in rounding
      beta[i] = arrives(length, roomI, high[i]) ? high[i] : beta[i] + length;
      beta[j] = arrives(length, roomJ, low[j]) ? low[j] : beta[j] - length;
      for (let p = 0; p < n; p++) g[p] -= length * (Ki[p] - Kj[p]);
    }

    // Any bias between the two ends serves; the middle is taken.
    let most = -Infinity, least = Infinity;
    for (let p = 0; p < n; p++) {
      if (beta[p] < high[p]) most = Math.max(most, g[p]);
      if (beta[p] > low[p]) least = Math.min(least, g[p]);
    }
    const bias = (most + least) / 2;
    // P - D, the certificate: no (w, b) has an objective below D.
    let square = 0, dual = 0, slack = 0;
    const output = g.map((pull, p) => y[p] - pull);
    for (let p = 0; p < n; p++) {
      square += beta[p] * output[p];
      dual += y[p] * beta[p];
      slack += Math.max(0, 1 - y[p] * (output[p] + bias));
    }
    dual -= square / 2;
    const support = [];
    for (let p = 0; p < n; p++) if (beta[p] !== 0) support.push(p);
    const margin = Math.min(...X.map((_, p) => y[p] * (output[p] + bias))) / Math.sqrt(square);
    return {
      score: (x) => support.reduce((sum, p) => sum + beta[p] * k(X[p], x), bias),
      alpha: Array.from(beta, Math.abs),
      support, bias, steps, violation, dual, margin,
      // Without C the line is scaled until no point is inside the band.
      primal: C < Infinity ? square / 2 + C * slack : 1 / (2 * margin ** 2),
      w: kernel === "linear"
        ? [0, 1].map((c) => support.reduce((sum, p) => sum + beta[p] * X[p][c], 0)).concat(bias)
        : null,
    };
  }

  const arrives = (length, room, limit) =>
    room < Infinity && room - length <= NEAR * Math.max(Math.abs(limit), room);

  playground.svm = svm;
})((globalThis.playground ??= {}));
