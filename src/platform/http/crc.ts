/** Reversed CRC-32 polynomial (RFC 1952, section 8); x^0 is the highest bit. */
const polynomial = 0xedb88320;
const one = 0x80000000;
const x = 0x40000000;

function times(a: number, b: number): number {
  let product = 0;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b;
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1;
  }
  return product >>> 0;
}

/** Returns the factor for appending `bytes` bytes: x to the power of their bit count. */
export function shiftFor(bytes: number): number {
  let power = one;
  let square = x;
  for (let bits = bytes * 8; bits > 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) power = times(square, power);
    square = times(square, square);
  }
  return power;
}

/** Returns the CRC-32 of a concatenation from both checksums and the second part's shift. */
export function joined(first: number, second: number, shift: number): number {
  return (times(shift, first) ^ second) >>> 0;
}
