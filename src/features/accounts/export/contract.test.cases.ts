import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, FileCases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function exportsOn(stage: Stage) {
  const { server, call, newClient } = stage;

  async function confirmed() {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  }

  async function exported() {
    const by = await confirmed();
    const { id: exportId } = await call<{ id: string }>(by, 'exports.request');
    await server.database.runJobs();
    return { by, input: { exportId } };
  }

  return { confirmed, exported };
}

export function cases(stage: Stage): Cases {
  const { call } = stage;
  const { confirmed, exported } = exportsOn(stage);
  return {
    'exports.request': async () => {
      const by = await confirmed();
      return { by, about: by.id };
    },
    'exports.open': async () => exported(),
    'exports.remove': async () => {
      const { by, input } = await exported();
      return { by, input, about: by.id };
    },
    'exports.get': async () => {
      const by = await confirmed();
      const { id: exportId } = await call(by, 'exports.request');
      return { by, input: { exportId } };
    },
  };
}

export function downloadCases(stage: Stage): FileCases {
  const { exported } = exportsOn(stage);
  return {
    '/me/export.zip': async () => {
      const { by, input } = await exported();
      return { by, query: { id: input.exportId } };
    },
  };
}

export const updates: NamesBy = {
  'export.changed self': ['exports.request', 'exports.remove'],
};

export const jobs: NamesBy = {
  'personal.export': ['exports.request'],
  'files.delete-bytes': ['exports.remove'],
};
