import type { Cases, FileCases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, call } = stage;

  const entry = () => call(client, 'growth.journal.write', { entryId: undefined, date: undefined });

  return {
    'growth.journal.write': async () => ({ by: client, input: { entryId: undefined } }),
    'growth.journal.change': async () => {
      const { id: entryId } = await entry();
      return { by: client, input: { entryId }, about: entryId };
    },
    'growth.journal.remove': async () => {
      const { id: entryId } = await entry();
      return { by: client, input: { entryId }, about: entryId };
    },
  };
}

export function downloadCases({ client }: Stage): FileCases {
  return { '/me/journal.txt': async () => ({ by: client }) };
}

export const withoutSubject: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': [
    'journal_entry_changed',
    'journal_entry_removed',
    'journal_entry_written',
  ],
};

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['journal_entry_changed'],
};

export const updates: NamesBy = {
  'growth.changed self': ['growth.journal.write', 'growth.journal.change', 'growth.journal.remove'],
};
