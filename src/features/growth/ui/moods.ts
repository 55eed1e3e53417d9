import { m } from '#/texts/messages.js';

/** How a day felt, from heavy to light, as forms carry it. */
export type Mood = '1' | '2' | '3' | '4' | '5';

/** The five, in their order, each with its word. */
export const moods: readonly { value: Mood; label: () => string }[] = [
  { value: '1', label: m.growth_journal_mood_1 },
  { value: '2', label: m.growth_journal_mood_2 },
  { value: '3', label: m.growth_journal_mood_3 },
  { value: '4', label: m.growth_journal_mood_4 },
  { value: '5', label: m.growth_journal_mood_5 },
];
