import { useCallback, useEffect, useRef } from 'react';
import type { OwnMedia } from './own-media.ts';
import { listenTo, type ListenConnection } from './sound.ts';

/** Returns a function that reads the own microphone's level, from 0 to 1. */
export function useMicrophoneLevel(media: OwnMedia): () => number {
  const connection = useRef<ListenConnection | null>(null);
  useEffect(() => {
    let measured: MediaStreamTrack | null = null;
    const listen = () => {
      const { microphone } = media.view();
      if (microphone === measured) return;
      measured = microphone;
      connection.current?.stop();
      connection.current = microphone && listenTo(microphone);
    };
    listen();
    const unsubscribe = media.subscribe(listen);
    return () => {
      unsubscribe();
      connection.current?.stop();
      connection.current = null;
    };
  }, [media]);
  return useCallback(() => connection.current?.level() ?? 0, []);
}
