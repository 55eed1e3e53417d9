import { png } from '../../../tests/support/bytes.ts';
import type { Cases, FileCases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Visitor } from '../../../tests/support/server.ts';
import type { Made, Stage } from '../../../tests/support/stage.ts';

export function resourcesOn(stage: Stage) {
  const { admin, provider, call } = stage;

  const draft = (by: Visitor) =>
    call<Made & { version: number }>(by, 'resources.saveDraft', {
      resourceId: undefined,
      version: undefined,
    });

  async function submitted() {
    const { id: resourceId } = await draft(provider);
    const { version } = await call<{ version: number }>(provider, 'resources.submit', { resourceId });
    return { resourceId, version };
  }

  async function resource() {
    const { id: resourceId } = await draft(admin);
    await call(admin, 'resources.publish', { resourceId });
    return resourceId;
  }

  return { draft, submitted, resource };
}

export function cases(stage: Stage): Cases {
  const { server, admin, client, provider, call } = stage;
  const { draft, submitted, resource } = resourcesOn(stage);
  return {
    'resources.take': async () => ({ by: client, input: { resourceId: await resource() } }),
    'resources.favourite': async () => ({ by: client, input: { resourceId: await resource() } }),
    'resources.rate': async () => {
      const resourceId = await resource();
      await call(client, 'resources.take', { resourceId });
      return { by: client, input: { resourceId } };
    },
    'resources.saveDraft': async () => ({
      by: provider,
      input: { resourceId: undefined, version: undefined },
    }),
    'resources.submit': async () => {
      const { id: resourceId } = await draft(provider);
      return { by: provider, input: { resourceId }, about: resourceId };
    },
    'resources.publish': async () => {
      const { id: resourceId } = await draft(admin);
      return { by: admin, input: { resourceId }, about: resourceId };
    },
    'resources.withdraw': async () => {
      const { resourceId } = await submitted();
      return { by: provider, input: { resourceId }, about: resourceId };
    },
    'resources.remove': async () => {
      const { resourceId } = await submitted();
      return { by: provider, input: { resourceId }, about: resourceId };
    },
    'resources.approve': async () => {
      const { resourceId, version } = await submitted();
      return { by: admin, input: { resourceId, version }, about: resourceId };
    },
    'resources.reject': async () => {
      const { resourceId } = await submitted();
      return { by: admin, input: { resourceId }, about: resourceId };
    },
    'resources.feature': async () => {
      const resourceId = await resource();
      return { by: admin, input: { resourceId }, about: resourceId };
    },
    'resources.unpublish': async () => {
      const resourceId = await resource();
      return { by: admin, input: { resourceId }, about: resourceId };
    },
    'resources.get': async () => ({ by: server.guest, input: { resourceId: await resource() } }),
    'resources.content': async () => ({ by: admin, input: { resourceId: await resource() } }),
    'resources.authoredOne': async () => ({ by: admin, input: { resourceId: await resource() } }),
  };
}

export function uploadCases(stage: Stage): FileCases {
  const { provider } = stage;
  const { draft } = resourcesOn(stage);
  return {
    '/resource-files': async () => {
      const { id: resourceId } = await draft(provider);
      return {
        leaves: ['resource.file_attached service_management resource'],
        by: provider,
        query: { resourceId, part: 'cover', name: 'cover.png' },
        body: png,
        about: resourceId,
      };
    },
  };
}

export const withoutSubject: NamesBy = { 'it is gone, and was of who acted': ['resource.removed'] };

export const updates: NamesBy = {
  'resources.changed self': [
    'resources.take',
    'resources.favourite',
    'resources.submit',
    'resources.publish',
    'resources.withdraw',
    'resources.unpublish',
    'resources.remove',
  ],
  'resources.waiting role:super_admin': [
    'resources.submit',
    'resources.withdraw',
    'resources.approve',
    'resources.reject',
    'resources.remove',
  ],
  'resources.changed other': ['resources.approve', 'resources.reject'],
};

export const jobs: NamesBy = {
  'notifications.resource': ['resources.approve', 'resources.reject', 'resources.unpublish'],
};
