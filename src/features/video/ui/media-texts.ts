import { m } from '#/texts/messages.js';
import type { MediaProblem, Part } from './own-media-view.ts';

export function mediaFailureText(of: Part | 'both', problem: MediaProblem): { title: string; text: string } {
  const { title, text } = texts[of][problem];
  return { title: title(), text: text() };
}

type Texts = Readonly<Record<MediaProblem, { title: () => string; text: () => string }>>;

const cameraTexts: Texts = {
  denied: { title: m.video_camera_denied, text: m.video_denied_text },
  missing: { title: m.video_camera_missing, text: m.video_missing_text },
  busy: { title: m.video_camera_busy, text: m.video_busy_text },
  unsupported: { title: m.video_camera_unsupported, text: m.video_unsupported_text },
  failed: { title: m.video_camera_failed, text: m.video_failed_text },
};

const microphoneTexts: Texts = {
  denied: { title: m.video_microphone_denied, text: m.video_denied_text },
  missing: { title: m.video_microphone_missing, text: m.video_missing_text },
  busy: { title: m.video_microphone_busy, text: m.video_busy_text },
  unsupported: { title: m.video_microphone_unsupported, text: m.video_unsupported_text },
  failed: { title: m.video_microphone_failed, text: m.video_failed_text },
};

const bothTexts: Texts = {
  denied: { title: m.video_both_denied, text: m.video_denied_text },
  missing: { title: m.video_both_missing, text: m.video_both_missing_text },
  busy: { title: m.video_both_busy, text: m.video_busy_text },
  unsupported: { title: m.video_both_unsupported, text: m.video_unsupported_text },
  failed: { title: m.video_both_failed, text: m.video_failed_text },
};

const texts = { camera: cameraTexts, microphone: microphoneTexts, both: bothTexts };
