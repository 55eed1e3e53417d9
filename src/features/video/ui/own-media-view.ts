import type { Chosen, Devices } from './devices.ts';

export type MediaProblem = 'denied' | 'missing' | 'busy' | 'unsupported' | 'failed';

export type Part = 'microphone' | 'camera';

/** Immutable snapshot, replaced on every change. */
export interface OwnMediaView {
  /** Waiting for a permission prompt or device detection. */
  asking: boolean;
  /** Wanted state, then actual tracks. A muted microphone keeps its track, disabled. */
  on: Readonly<Record<Part, boolean>>;
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
  problems: Readonly<Record<Part, MediaProblem | null>>;
  /** Null if the browser or camera can't blur. */
  blurred: boolean | null;
  devices: Devices;
  chosen: Chosen;
}

export interface OwnMediaStore {
  subscribe(listener: () => void): () => void;
  view(): OwnMediaView;
  update(change: Partial<OwnMediaView>): void;
  setProblem(part: Part, problem: MediaProblem | null): void;
  /** If so, arriving tracks are stopped. */
  isStopped(): boolean;
  setStopped(stopped: boolean): void;
}

export function createOwnMediaStore(initial: OwnMediaView): OwnMediaStore {
  const listeners = new Set<() => void>();
  let view = initial;
  let stopped = false;
  const update = (change: Partial<OwnMediaView>) => {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    view: () => view,
    update,
    setProblem: (part, problem) => update({ problems: { ...view.problems, [part]: problem } }),
    isStopped: () => stopped,
    setStopped(next) {
      stopped = next;
    },
  };
}
