import { m } from '#/texts/messages.js';
import type { CallEvent } from './call-events.ts';
import type { Quality } from './call-rules.ts';

export function qualityText(quality: Quality): string {
  switch (quality) {
    case 'good':
      return m.video_quality_good();
    case 'unsteady':
      return m.video_quality_unsteady();
    case 'poor':
      return m.video_quality_poor();
  }
}

export function eventText(event: CallEvent): string {
  const { kind, name } = event;
  switch (kind) {
    case 'joined':
      return m.video_joined({ name });
    case 'left':
      return m.video_left_room({ name });
    case 'phone':
      return m.video_phone_asked({ name });
    case 'sharing':
      return m.video_shows_screen({ name });
    case 'said':
      return m.web_name_text({ name, text: event.text });
  }
}

/** Null until 10 minutes before; epoch milliseconds. */
export function timeLeftText(now: number, endsAt: number, closesAt: number): string | null {
  const minutes = (until: number) => Math.max(1, Math.ceil((until - now) / 60_000));
  if (now >= endsAt) {
    const left = minutes(closesAt);
    return m.video_time_over({ minutes: left });
  }
  const left = minutes(endsAt);
  if (left > 10) return null;
  return m.video_time_left({ minutes: left });
}
