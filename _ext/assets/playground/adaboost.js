/* AdaBoost with stumps: each round trains the stump of least weighted error, gives it a weight in the vote, and
   raises the weights of the examples that it got wrong.

       alpha = 1/2 ln((1 - error) / error),    D <- D exp(-alpha y h(x)) / Z */
(function (playground) {
  const TIE = 1e-12;

  /* The stump of least weighted error: "x[feature] <= threshold: -sign, else sign", or one answer for all. Its
     error is (W - |S - 2 s|) / 2, where s and S are the sums of D y on the left and over all points. */
  function bestStump(X, y, D, orders) {
    const S = D.reduce((sum, weight, i) => sum + weight * y[i], 0);
    let best = -Infinity, stump = null;
    for (const feature of [0, 1]) {
      const order = orders[feature];
      let s = 0;
      for (let p = 0; p + 1 < order.length; p++) {
        s += D[order[p]] * y[order[p]];
        const here = X[order[p]][feature], next = X[order[p + 1]][feature];
        if (here === next) continue;
        const score = Math.abs(S - 2 * s);
        if (score > best + TIE) {
          best = score;
          stump = { feature, threshold: (here + next) / 2, sign: S - 2 * s > TIE ? 1 : -1 };
        }
      }
    }
    if (Math.abs(S) > best + TIE) stump = { feature: -1, threshold: NaN, sign: S > 0 ? 1 : -1 };
    stump ??= { feature: -1, threshold: NaN, sign: -1 };
    return stump;
  }

  const answer = (stump, x) => (stump.feature < 0 || x[stump.feature] > stump.threshold ? stump.sign : -stump.sign);

  function adaboost(X, y, { T = 20 }) {
    const n = X.length, orders = [0, 1].map((c) => X.map((_, i) => i).sort((i, j) => X[i][c] - X[j][c] || i - j));
    const members = [], votes = new Array(n).fill(0);
    let D = new Array(n).fill(1 / n), bound = 1;
    while (members.length < T) {
      const stump = bestStump(X, y, D, orders), wrong = X.map((x, i) => answer(stump, x) !== y[i]);
      const error = D.reduce((sum, weight, i) => sum + (wrong[i] ? weight : 0), 0);
      if (error > 0 && 0.5 - error <= TIE) break; // no better than guessing
      const factor = error === 0 ? Math.exp(0.5) : Math.sqrt((1 - error) / error); // exp(alpha)
      const alpha = Math.log(factor), raised = D.map((weight, i) => (wrong[i] ? weight * factor : weight / factor));
      const Z = raised.reduce((sum, weight) => sum + weight, 0);
      bound *= Z;
      D = raised.map((weight) => weight / Z);
      members.push({ ...stump, alpha, error });
      for (let i = 0; i < n; i++) votes[i] += wrong[i] ? -alpha * y[i] : alpha * y[i];
      if (error === 0) break;
    }
    return {
      score: (x) => members.reduce((sum, stump) => sum + stump.alpha * answer(stump, x), 0),
      members, weights: D, bound: members.length ? bound : 1,
      trainingError: votes.filter((vote, i) => vote * y[i] <= TIE).length / n,
    };
  }

  playground.adaboost = adaboost;
})((globalThis.playground ??= {}));
