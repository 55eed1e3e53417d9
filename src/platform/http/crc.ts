/** The reversed polynomial of CRC-32 (RFC 1952, section 8). Polynomials here have x^0 in the highest bit. */
const polynomial = 0xedb88320;
const one = 0x80000000;
const x = 0x40000000;

/** The product of two polynomials modulo the CRC's own. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b;
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1;
  }
  return product >>> 0;
}

/** What a checksum is multiplied by when `bytes` more bytes follow: x to the power of their bits. */
export function shiftFor(bytes: number): number {
  let power = one;
  let square = x;
  for (let bits = bytes * 8; bits > 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) power = times(square, power);
    square = times(square, square);
  }
  return power;
}

/** The CRC-32 of two texts in a row, from the first one's, the second one's, and the shift for the second's length. */
export function joined(first: number, second: number, shift: number): number {
  return (times(shift, first) ^ second) >>> 0;
}
