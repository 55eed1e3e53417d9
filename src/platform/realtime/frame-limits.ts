const mostSockets = 20;
/** Frame rate limits per person and process: burst and per second. Starting a six-person call stays below them. */
const burst = 200;
const aSecond = 40;

interface Share {
  sockets: number;
  /** Remaining frames as of `at`. */
  left: number;
  /** Monotonic time in milliseconds. */
  at: number;
}

export interface FrameLimits {
  crowded(personId: string): boolean;
  joined(personId: string): void;
  left(personId: string): void;
  /** Counts a frame; returns false above the limit. `factor` multiplies the limit: 1 except in load tests. */
  speak(personId: string, factor: number): boolean;
  sweep(): void;
}

export function openFrameLimits(clock: () => number): FrameLimits {
  const shares = new Map<string, Share>();
  const shareOf = (personId: string): Share => {
    const share = shares.get(personId) ?? { sockets: 0, left: burst, at: clock() };
    shares.set(personId, share);
    return share;
  };
  const refilled = ({ left, at }: Share) => Math.min(burst, left + ((clock() - at) / 1000) * aSecond);
  return {
    crowded: (personId) => (shares.get(personId)?.sockets ?? 0) >= mostSockets,
    joined: (personId) => void shareOf(personId).sockets++,
    left: (personId) => void shareOf(personId).sockets--,
    speak(personId, factor) {
      const share = shareOf(personId);
      const left = refilled(share) - 1 / factor;
      if (left < 0) return false;
      Object.assign(share, { left, at: clock() });
      return true;
    },
    sweep() {
      for (const [personId, share] of shares)
        if (share.sockets === 0 && refilled(share) === burst) shares.delete(personId);
    },
  };
}
