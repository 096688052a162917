/* Why no line separates two sets of points: a point that is a weighted mean of points of either set. Coordinates
   are whole numbers (of 64ths), so that all signs are exact. */
(function (playground) {
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

  /* The corners of the convex hull, counter-clockwise, as numbers of points (Andrew 1979). */
  function corners(points, members) {
    const sorted = members.slice().sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1]);
    const half = (order) => {
      const chain = [];
      for (const i of order) {
        while (chain.length > 1 && turn(points[chain.at(-2)], points[chain.at(-1)], points[i]) <= 0) chain.pop();
        chain.push(i);
      }
      return chain.slice(0, -1);
    };
    const hull = [...half(sorted), ...half(sorted.slice().reverse())];
    return hull.length ? hull : sorted.slice(0, 1);
  }

  /* Weights of the points a, b (and c) whose mean is p; null if p is not between them. */
  function weightsIn(points, where, p) {
    const [a, b, c] = where.map((i) => points[i]);
    if (where.length === 1) return a[0] === p[0] && a[1] === p[1] ? [1] : null;
    if (where.length === 2) {
      if (turn(a, b, p) !== 0) return null;
      const axis = a[0] === b[0] ? 1 : 0, share = a[axis] === b[axis] ? 0 : (p[axis] - a[axis]) / (b[axis] - a[axis]);
      return share >= 0 && share <= 1 && (a[axis] !== b[axis] || a[1] === p[1]) ? [1 - share, share] : null;
    }
    const whole = turn(a, b, c);
    if (whole === 0) return null;
    const weights = [turn(b, c, p) / whole, turn(c, a, p) / whole, turn(a, b, p) / whole];
    return weights.every((weight) => weight >= 0) ? weights : null;
  }

  function inside(points, hull, p) {
    if (hull.length < 3) {
      const weights = weightsIn(points, hull, p);
      return weights && hull.map((i, k) => [i, weights[k]]);
    }
    for (let k = 1; k + 1 < hull.length; k++) {
      const where = [hull[0], hull[k], hull[k + 1]], weights = weightsIn(points, where, p);
      if (weights) return where.map((i, q) => [i, weights[q]]);
    }
    return null;
  }

  const edges = (hull) => (hull.length < 2 ? [] : hull.map((i, k) => [i, hull[(k + 1) % hull.length]]));

  /* The shared point and, for either class, [number of point, weight] with positive weights; null if a line separates. */
  function sharedPoint(points, y) {
    const [first, second] = [-1, 1].map((label) => points.flatMap((_, i) => (y[i] === label ? [i] : [])));
    if (!first.length || !second.length) return null;
    const A = corners(points, first), B = corners(points, second);
    const found = (at, a, b) => ({ at, parts: [a, b].map((part) => part.filter(([, weight]) => weight > 0)) });
    for (const i of A) {
      const parts = inside(points, B, points[i]);
      if (parts) return found(points[i], [[i, 1]], parts);
    }
    for (const i of B) {
      const parts = inside(points, A, points[i]);
      if (parts) return found(points[i], parts, [[i, 1]]);
    }
    for (const [a, b] of edges(A)) {
      for (const [c, d] of edges(B)) {
        const [p, q, r, s] = [a, b, c, d].map((i) => points[i]);
        const before = turn(p, q, r), after = turn(p, q, s), from = turn(r, s, p), to = turn(r, s, q);
        if (before * after < 0 && from * to < 0) {
          const t = from / (from - to), u = before / (before - after);
          const at = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
          return found(at, [[a, 1 - t], [b, t]], [[c, 1 - u], [d, u]]);
        }
      }
    }
    return null;
  }

  playground.sharedPoint = sharedPoint;
})((globalThis.playground ??= {}));
