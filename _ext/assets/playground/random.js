/* NumPy's RandomState, so that what is drawn here is what mllib draws.
   Matsumoto, Nishimura (1998). "Mersenne Twister". ACM Transactions on Modeling and Computer Simulation 8. */
(function (playground) {
  const N = 624, M = 397;

  class RandomState {
    constructor(seed) {
      this.words = new Uint32Array(N);
      this.words[0] = seed;
      for (let i = 1; i < N; i++) {
        const before = this.words[i - 1] ^ (this.words[i - 1] >>> 30);
        this.words[i] = Math.imul(1812433253, before) + i;
      }
      this.used = N;
    }

    // 32 random bits.
    word() {
      const words = this.words;
      if (this.used === N) {
        for (let i = 0; i < N; i++) {
          const y = (words[i] & 0x80000000) | (words[(i + 1) % N] & 0x7fffffff);
          words[i] = words[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
        }
        this.used = 0;
      }
      let y = words[this.used++];
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      return (y ^ (y >>> 18)) >>> 0;
    }

    // random_sample(): a number in [0, 1).
    uniform() {
      const high = this.word() >>> 5, low = this.word() >>> 6;
      return (high * 67108864 + low) / 9007199254740992;
    }

    // randint(n): a whole number below n. Bits that say more are thrown away, so that all are equally likely.
    below(n) {
      if (n <= 1) return 0;
      let mask = n - 1;
      for (const shift of [1, 2, 4, 8, 16]) mask |= mask >>> shift;
      for (;;) {
        const draw = (this.word() & mask) >>> 0;
        if (draw < n) return draw;
      }
    }
  }

  playground.RandomState = RandomState;
})((globalThis.playground ??= {}));
