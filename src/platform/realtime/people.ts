/** How many sockets one person may have in a process: as many tabs as anybody keeps. */
const mostSockets = 20;
/** What one person may say at once and every second, on all their sockets in a process together: a call of six begins with less. */
const burst = 200;
const aSecond = 40;

/** What one person's sockets have in common. */
interface Share {
  sockets: number;
  /** How much may be said now, as of `at`. */
  left: number;
  /** In milliseconds of the process's own clock. */
  at: number;
}

/** What people share between their sockets. */
export interface People {
  /** Whether one more socket is too many. */
  crowded(personId: string): boolean;
  joined(personId: string): void;
  left(personId: string): void;
  /** Counts something said; false if it was too much. `factor` multiplies the limit: 1 but for load tests. */
  speak(personId: string, factor: number): boolean;
  /** Forgets those who have gone and would begin anew. */
  sweep(): void;
}

/** Keeps each person's sockets and what they may say; who comes back at once doesn't begin anew. */
export function openPeople(clock: () => number): People {
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
