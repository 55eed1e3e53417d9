import { describe, expect, it } from 'vitest';
import { resourcesContract } from '../contract.ts';
import {
  authorActionsOf,
  cursorOf,
  cursorParts,
  fileMismatch,
  submissionProblems,
  type Work,
} from './rules.ts';

const whole: Work = {
  type: 'devotional',
  form: 'article',
  description: 'A short one.',
  body: 'word '.repeat(100),
  url: null,
  file: null,
};
const reasons = (work: Partial<Work>) =>
  submissionProblems({ ...whole, ...work }).map(({ field, reason }) => `${field} ${reason}`);

describe('a submission', () => {
  it('requires a description, and content that fits its form', () => {
    expect(reasons({})).toEqual([]);
    expect(reasons({ description: '' })).toEqual(['description required']);
    expect(reasons({ body: '' })).toEqual(['body required']);
    expect(reasons({ body: 'Too short.' })).toEqual(['body too_small']);
    expect(reasons({ type: 'audio' })).toEqual(['form nothing_to_play']);
    expect(reasons({ form: 'link' })).toEqual(['url required']);
    expect(reasons({ form: 'link', url: 'https://example.org' })).toEqual([]);
    expect(reasons({ form: 'file' })).toEqual(['file required']);
    expect(reasons({ form: 'file', type: 'video', file: { contentType: 'audio/wav' } })).toEqual([
      'file not_video',
    ]);
    expect(reasons({ form: 'file', type: 'book', file: { contentType: 'application/pdf' } })).toEqual([]);
  });

  it('requires a file that fits its type', () => {
    expect(fileMismatch('audio', 'audio/mpeg')).toBeNull();
    expect(fileMismatch('audio', 'application/pdf')).toBe('not_audio');
    expect(fileMismatch('video', 'video/mp4')).toBeNull();
    expect(fileMismatch('book', 'video/mp4')).toBe('not_readable');
    expect(fileMismatch('devotional', 'audio/mpeg')).toBeNull();
  });
});

describe('an author', () => {
  it('edits drafts, withdraws submissions, and publishes only with permission', () => {
    expect(authorActionsOf('draft', false)).toEqual(['edit', 'submit', 'remove']);
    expect(authorActionsOf('rejected', true)).toEqual(['edit', 'submit', 'publish', 'remove']);
    expect(authorActionsOf('submitted', true)).toEqual(['withdraw', 'remove']);
    expect(authorActionsOf('published', false)).toEqual(['withdraw', 'remove']);
  });
});

it('round-trips a page cursor', () => {
  const id = '019a0000-0000-7000-8000-000000000001';
  for (const key of [0, 1_772_452_800_000, 0.6079271, 1e-20]) {
    expect(cursorParts(cursorOf(key, id))).toEqual({ key, id });
  }
});

describe('an external URL', () => {
  const draft = { title: 'T', author: 'A', type: 'book', category: 'grief-support', form: 'link' };
  const { inputSchema } = resourcesContract.saveDraft['~orpc'];
  const kept = (url: string) => inputSchema!.safeParse({ ...draft, url }).data?.url ?? null;

  it.each([
    ['https://example.org/quiet?a=1#b', 'https://example.org/quiet?a=1#b'],
    ['HTTPS://Example.ORG', 'https://example.org/'],
    ['https:example.com', 'https://example.com/'],
    [' https:\\\\example.com\\a ', 'https://example.com/a'],
    ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
  ])('%s is kept as a browser opens it', (typed, href) => {
    expect(kept(typed)).toBe(href);
  });

  it.each([
    'http://example.org',
    'javascript:alert(1)',
    'https://ruth@example.org/',
    'https://ruth:secret@example.org/',
    'https://localhost/',
    'https://',
    'example.org',
    `https://example.org/${'x'.repeat(2_000)}`,
    `https://example.org/${'é'.repeat(1_000)}`,
  ])('%s is refused', (typed) => {
    expect(kept(typed)).toBeNull();
  });
});
