import { useEffect, useRef } from 'react';

export function OwnPicture({
  track,
  mirrored,
  className,
}: {
  track: MediaStreamTrack;
  mirrored: boolean;
  className?: string;
}) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.srcObject = new MediaStream([track]);
    return () => {
      element.srcObject = null;
    };
  }, [track]);
  return (
    <video
      ref={video}
      muted
      autoPlay
      playsInline
      className={`object-contain ${mirrored ? '-scale-x-100' : ''} ${className ?? ''}`}
    />
  );
}
