import { oc } from '@orpc/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { findingsInContract } from './check-contract.ts';

const input = z.object({ stepId: z.uuid(), done: z.boolean() });
const open = procedure.meta({ access: 'public' });

test('accepts procedures with complete metadata', () => {
  const example = ({ id }: { id: string }) => ({ stepId: id, done: true });
  const contract = {
    steps: {
      list: open.route({ method: 'GET', path: '/steps' }),
      tick: open
        .meta({ example, writes: ['step_done service_management step'] })
        .route({ method: 'POST', path: '/steps' })
        .input(input),
      seen: open.meta({ unlogged: 'own_matter' }).route({ method: 'POST', path: '/seen' }),
    },
  };
  expect(findingsInContract(contract)).toEqual([]);
  expect(contract.steps.tick['~orpc'].meta).toMatchObject({ access: 'public', example });
});

test('reports missing examples, invalid examples, and changes that log nothing or say both', () => {
  const found = findingsInContract({
    steps: {
      get: open.route({ method: 'GET', path: '/step' }).input(input),
      find: open
        .meta({ example: () => ({ stepId: 'first', done: true }) })
        .route({ method: 'GET', path: '/steps' })
        .input(input),
      tick: open.route({ method: 'POST', path: '/steps' }),
      seen: open
        .meta({ unlogged: 'own_matter', writes: ['step_seen service_management step'] })
        .route({ method: 'POST', path: '/seen' }),
      ask: open.meta({ unlogged: 'asks' }).route({ method: 'GET', path: '/ask' }),
    },
    bare: oc.route({ path: '/bare' }),
  });
  expect(found).toEqual([
    'steps.get: takes input and has no example: add one with .meta({ example })',
    expect.stringMatching(/^steps\.find: refuses its own example: .*UUID.*stepId/),
    expect.stringMatching(/^steps\.tick: changes something: /),
    expect.stringMatching(/^steps\.seen: changes something: /),
    'steps.ask: is asked by GET, which needs no unlogged',
    expect.stringMatching(/^bare: changes something: /),
  ]);
});
