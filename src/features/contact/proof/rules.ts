/**
 * Leading zero bits. 2^15 tries on average: under a second on a phone, but hours per ten thousand messages for a bot.
 */
const proofBits = 15;

/** SHA-256 round constants (FIPS 180-4, section 4.2.2). */
const rounds = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/** SHA-256 initial state (section 5.3.3). */
const initial: readonly [number, number, number, number, number, number, number, number] = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** Maximum characters in one block (FIPS 180-4, section 5.1.1). */
const oneBlock = 55;

const words = new Uint32Array(64);

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Computes SHA-256 of up to 55 ASCII characters. Web Crypto requires HTTPS and is asynchronous. */
function digestOf(text: string): Uint32Array {
  if (text.length > oneBlock) throw new RangeError('only one block is supported');
  words.fill(0, 0, 16);
  for (let i = 0; i < text.length; i++) {
    words[i >> 2]! |= (text.charCodeAt(i) & 0x7f) << (24 - 8 * (i & 3));
  }
  words[text.length >> 2]! |= 0x80 << (24 - 8 * (text.length & 3));
  words[15] = text.length * 8;
  for (let i = 16; i < 64; i++) {
    const near = words[i - 2]!;
    const far = words[i - 15]!;
    words[i] =
      (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)) +
      words[i - 7]! +
      (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) +
      words[i - 16]!;
  }
  let [a, b, c, d, e, f, g, h] = initial;
  for (let i = 0; i < 64; i++) {
    const first: number =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i]! + words[i]!) | 0;
    const second: number = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  return Uint32Array.from([a, b, c, d, e, f, g, h], (word, i) => word + initial[i]!);
}

/** The challenge is the form's id. */
export function isSolution(challenge: string, solution: number): boolean {
  return Math.clz32(digestOf(`${challenge}:${solution}`)[0]!) >= proofBits;
}

/** Returns the first solution, or null. Callers search in slices to keep typing responsive. */
export function findSolution(challenge: string, from: number, tries: number): number | null {
  for (let solution = from; solution < from + tries; solution++) {
    if (isSolution(challenge, solution)) return solution;
  }
  return null;
}
