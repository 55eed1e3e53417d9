/** Measures a track's level, from 0 to 1, until stopped. */
export interface ListenConnection {
  level(): number;
  stop(): void;
}

const deaf: ListenConnection = { level: () => 0, stop: () => undefined };

/** Reads 0 in browsers that can't measure audio. */
export function listenTo(track: MediaStreamTrack): ListenConnection {
  try {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    // 170 ms at 48 kHz, so that readings 200 ms apart miss almost nothing.
    analyser.fftSize = 8_192;
    const source = context.createMediaStreamSource(new MediaStream([track]));
    source.connect(analyser);
    // Some browsers suspend audio until a click, others only until microphone access.
    void context.resume();
    const samples = new Float32Array(analyser.fftSize);
    return {
      level() {
        analyser.getFloatTimeDomainData(samples);
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
        return Math.min(1, Math.sqrt(power));
      },
      stop() {
        source.disconnect();
        void context.close();
      },
    };
  } catch {
    return deaf;
  }
}

/** Speaker test tones in Hz, a third of a second each. */
const trial = [523.25, 659.25, 783.99];
const knock = [659.25, 523.25];

/** Resolves at the end. */
export function playTrial(speaker: string | null): Promise<void> {
  return play(trial, 0.2, speaker);
}

export function playKnock(speaker: string | null): Promise<void> {
  return play(knock, 0.12, speaker);
}

async function play(notes: readonly number[], loudness: number, speaker: string | null): Promise<void> {
  const length = 0.35;
  const context = new AudioContext();
  try {
    if (speaker && 'setSinkId' in context)
      await (context as AudioContext & { setSinkId(id: string): Promise<void> })
        .setSinkId(speaker)
        // Unplugged: use the default device.
        .catch(() => undefined);
    await context.resume();
    const over = notes.map((frequency, place) => {
      const start = context.currentTime + 0.05 + place * length;
      const note = context.createOscillator();
      const volume = context.createGain();
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(loudness, start + 0.03);
      volume.gain.linearRampToValueAtTime(0, start + length);
      note.connect(volume).connect(context.destination);
      note.start(start);
      note.stop(start + length);
      return new Promise<void>((resolve) => note.addEventListener('ended', () => resolve()));
    });
    await Promise.all(over);
  } finally {
    await context.close();
  }
}
