import { expect, test } from 'vitest';
import { actionNames, categoryOf } from './rules.ts';

test('gives every action a distinct name', () => {
  const words = Object.values(actionNames).map((name) => name());
  expect(new Set(words).size).toBe(words.length);
  for (const one of words) expect(one).toMatch(/^[A-Z][^.:]+$/);
});

test('finds the category of actions and refusals', () => {
  expect(categoryOf('role_changed')).toBe('user_management');
  expect(categoryOf('provider.listed')).toBe('provider_approval');
  expect(categoryOf('booking.booked')).toBe('service_management');
  expect(categoryOf('refused.settings.save')).toBe('security');
});
