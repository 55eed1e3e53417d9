/** Samples per second; mono, 16 bits. */
const rate = 8_000;
/** In seconds: 4 in, 6 out. */
const breath = 10;
const breaths = 6;
/** Overtones: frequency ratio, amplitude and decay. */
const partials = [
  [1, 0.5, 0.9],
  [2, 0.25, 1.3],
  [2.76, 0.15, 2],
  [5.4, 0.06, 3.4],
] as const;

/** Renders one minute of breathing bells as WAV (RIFF, PCM). */
export function breathingBell(): Uint8Array {
  const samples = rate * breath * breaths;
  const bytes = Buffer.alloc(44 + 2 * samples);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples, 40);
  for (let sample = 0; sample < samples; sample++) {
    const second = (sample / rate) % breath;
    const level = second < 4 ? bell(528, second) : bell(396, second - 4);
    bytes.writeInt16LE(Math.round(level * 20_000), 44 + 2 * sample);
  }
  return bytes;
}

/** Amplitude from -1 to 1, `second` seconds after the strike. */
function bell(hertz: number, second: number): number {
  const struck = Math.min(1, second / 0.01);
  return (
    struck *
    partials.reduce(
      (sum, [above, loud, fades]) =>
        sum + loud * Math.exp(-fades * second) * Math.sin(2 * Math.PI * hertz * above * second),
      0,
    )
  );
}
