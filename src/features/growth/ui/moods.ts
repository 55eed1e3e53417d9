import { m } from '#/texts/messages.js';

/** From heavy to light, as form values. */
export type Mood = '1' | '2' | '3' | '4' | '5';

export const moods: readonly { value: Mood; label: () => string }[] = [
  { value: '1', label: m.growth_journal_mood_1 },
  { value: '2', label: m.growth_journal_mood_2 },
  { value: '3', label: m.growth_journal_mood_3 },
  { value: '4', label: m.growth_journal_mood_4 },
  { value: '5', label: m.growth_journal_mood_5 },
];
