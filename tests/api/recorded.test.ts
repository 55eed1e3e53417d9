import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { contract } from '#/app/contract.ts';

interface Node {
  readonly [key: string]: Node;
}

describe.each(['guest', 'client', 'doctor', 'admin'])('what the demo answered the %s', (who) => {
  const file = fileURLToPath(new URL(`../components/recorded/${who}.json`, import.meta.url));
  const { answers } = JSON.parse(readFileSync(file, 'utf8')) as { answers: Record<string, unknown> };

  test.each(Object.entries(answers))('%s matches the current contract', (name, answer) => {
    expect(outputOf(name).parse(answer), 'out of date: run `npm run record`').toEqual(answer);
  });
});

function outputOf(name: string): z.ZodType {
  let node = contract as unknown as Node;
  for (const part of name.split('.')) node = node[part]!;
  return (node['~orpc'] as unknown as { outputSchema: z.ZodType }).outputSchema;
}
