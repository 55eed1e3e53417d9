/** 32-bit FNV-1a hash. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return hash;
}

/** mulberry32: pseudorandom numbers from 0 (inclusive) to 1 (exclusive). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Share of what takes long that `npm test` covers; `npm run prove` covers all. */
const sampledShare = 0.05;

/** Whether the run with this seed covers the name. */
export function isInSample(seed: number, name: string): boolean {
  return randomFrom(seed ^ hashOf(name))() < sampledShare;
}

/** Returns the files that the run with this seed covers: always the same number, for an even duration. */
export function sampledFiles(seed: number, files: readonly string[]): string[] {
  const key = new Map(files.map((file) => [file, randomFrom(seed ^ hashOf(file))()]));
  return files
    .toSorted((one, other) => key.get(one)! - key.get(other)!)
    .slice(0, Math.round(files.length * sampledShare));
}
