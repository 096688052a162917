/* Bagged trees and random forests. Each tree grows from a bootstrap replicate: n examples drawn with replacement.
   A random forest looks at one feature, drawn anew at each node; bagging looks at both. The mean of the trees'
   class proportions decides. */
(function (playground) {
  const TIE = 1e-12, LOST = 1e-13, MOST = 2147483647;

  /* Marsaglia's xorshift, as the trees of mllib use it. */
  class Xorshift {
    constructor(seed) {
      this.state = Number((BigInt(seed) * 2654435761n) % 4294967295n) + 1;
      for (let i = 0; i < 10; i++) this.uniform();
    }

    uniform() {
      let x = this.state | 0;
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      this.state = x >>> 0;
      return this.state / 4294967296;
    }
  }

  /* The cut of a feature with the greatest decrease of Gini impurity; of equal ones the smallest threshold. */
  function bestCut(X, y, w, rows, feature, W, S, tie) {
    const order = rows.slice().sort((i, j) => X[i][feature] - X[j][feature]);
    let best = -Infinity, threshold = NaN, left = 0, s = 0;
    for (let p = 0; p + 1 < order.length; p++) {
      left += w[order[p]];
      s += y[order[p]] > 0 ? w[order[p]] : 0;
      const here = X[order[p]][feature], next = X[order[p + 1]][feature];
      if (here === next) continue;
      const gain = (s * W - S * left) ** 2 / (W * left * (W - left));
      if (gain > best + tie) {
        best = gain;
        threshold = here / 2 + next / 2;
      }
    }
    return { gain: best, threshold };
  }

  /* One node and what is below it. The first `constant` of `features` are known to have one value only here. */
  function grow(X, y, w, rows, depth, constant, limits, features, random) {
    const W = rows.reduce((sum, i) => sum + w[i], 0), S = rows.reduce((sum, i) => sum + (y[i] > 0 ? w[i] : 0), 0);
    const node = { share: S / W, left: null };
    if (S === 0 || S === W || depth >= limits.depth || rows.length < 2) return node;
    const impurity = 2 * (1 - S / W) * (S / W), tie = TIE * 0.5 * W * impurity + LOST * W;
    let best = -Infinity, chosen = -1, threshold = NaN, notDrawn = 2, known = constant, drawn = 0;
    while (notDrawn > constant && (drawn < limits.features || notDrawn === 2)) {
      drawn += 1;
      let place = constant;
      if (limits.features < 2) {
        place += Math.floor(random.uniform() * (notDrawn - constant + known)) - known;
        if (place < constant) {
          known -= 1;
          continue;
        }
      }
      const f = features[place];
      if (rows.every((i) => X[i][f] === X[rows[0]][f])) {
        [features[place], features[constant]] = [features[constant], f];
        constant += 1;
        continue;
      }
      notDrawn -= 1;
      [features[place], features[notDrawn]] = [features[notDrawn], f];
      const cut = bestCut(X, y, w, rows, f, W, S, tie);
      if (cut.gain > best + tie || (cut.gain >= best - tie && f < chosen)) {
        best = cut.gain;
        chosen = f;
        threshold = cut.threshold;
      }
    }
    if (chosen < 0) return node;
    const below = rows.filter((i) => X[i][chosen] <= threshold), above = rows.filter((i) => X[i][chosen] > threshold);
    node.feature = chosen;
    node.threshold = threshold;
    node.left = grow(X, y, w, below, depth + 1, constant, limits, features, random);
    node.right = grow(X, y, w, above, depth + 1, constant, limits, features, random);
    return node;
  }

  function shareAt(node, x) {
    while (node.left) node = x[node.feature] <= node.threshold ? node.left : node.right;
    return node.share;
  }

  function forest(X, y, { T = 50, depth = 0, features = 1, seed = 0 }) {
    const n = X.length, random = new playground.RandomState(seed);
    const seeds = Array.from({ length: T }, () => random.below(MOST));
    const limits = { depth: depth || Infinity, features };
    const outOfBag = new Array(n).fill(0), judges = new Array(n).fill(0);
    const trees = seeds.map((each) => {
      const draws = new playground.RandomState(each), counts = new Array(n).fill(0);
      for (let k = 0; k < n; k++) counts[draws.below(n)] += 1;
      const rows = counts.flatMap((count, i) => (count ? [i] : []));
      const own = new Xorshift(new playground.RandomState(each).below(MOST));
      const tree = grow(X, y, counts, rows, 0, 0, limits, [0, 1], own);
      counts.forEach((count, i) => {
        if (count) return;
        judges[i] += 1;
        outOfBag[i] += shareAt(tree, X[i]);
      });
      return tree;
    });
    // The mean proportion of the second class must be the greater one: of equals the first class is taken.
    const decide = (share) => (share - (1 - share) > TIE ? share - (1 - share) : Math.min(share - (1 - share), 0));
    const judged = judges.map((count, i) => (count ? decide(outOfBag[i] / count) : null));
    return {
      score: (x) => decide(trees.reduce((sum, tree) => sum + shareAt(tree, x), 0) / T),
      trees,
      judged: judges.filter((count) => count).length,
      outOfBagErrors: judged.filter((value, i) => value !== null && (value > 0 ? 1 : -1) !== y[i]).length,
    };
  }

  playground.forest = forest;
})((globalThis.playground ??= {}));
