import { pdf } from '../../../../tests/support/bytes.ts';
import type { Cases, FileCases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Visitor } from '../../../../tests/support/server.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function applicationsOn(stage: Stage) {
  const { admin, call, upload, newClient } = stage;

  const document = (by: Visitor) => upload(by, `/application/documents?name=license.pdf`, pdf());

  async function applying() {
    const by = await newClient();
    const { id } = await document(by);
    return { by, documentId: id };
  }

  async function applied() {
    const { by, documentId } = await applying();
    const { id } = await call(by, 'providers.applications.submit', { documentIds: [documentId] });
    return { by, applicationId: id };
  }

  async function checked() {
    const one = await applied();
    const { documents } = await call<{ documents: { path: string }[] }>(
      admin,
      'providers.applications.check',
      { applicationId: one.applicationId },
    );
    for (const { path } of documents) await admin.send('GET', path);
    return one;
  }

  return { applying, applied, checked };
}

export function cases(stage: Stage): Cases {
  const { admin, newest } = stage;
  const { applying, applied, checked } = applicationsOn(stage);
  return {
    'providers.applications.submit': async () => {
      const { by, documentId } = await applying();
      return { by, input: { documentIds: [documentId] } };
    },
    'providers.applications.withdraw': async () => {
      const { by, applicationId } = await applied();
      return { by, input: { applicationId }, about: applicationId };
    },
    'providers.applications.removeDocument': async () => {
      const { by, documentId } = await applying();
      return { by, input: { documentId }, about: documentId };
    },
    'providers.applications.approve': async () => {
      const {
        by: { id: personId },
        applicationId,
      } = await checked();
      return {
        by: admin,
        input: { applicationId },
        about: async () => [personId, await newest('provider_credentials'), applicationId],
      };
    },
    'providers.applications.reject': async () => {
      const { applicationId } = await applied();
      return { by: admin, input: { applicationId }, about: applicationId };
    },
    'providers.applications.add': async () => ({
      by: admin,
      about: async ({ id }) => [id, id, await newest('provider_credentials')],
    }),
    'providers.applications.list': async () => ({ by: admin, about: null }),
    'providers.applications.check': async () => {
      const { applicationId } = await applied();
      return { by: admin, input: { applicationId }, about: applicationId };
    },
  };
}

export function uploadCases(stage: Stage): FileCases {
  const { newClient } = stage;
  return {
    '/application/documents': async () => ({
      leaves: ['provider.document_uploaded provider_approval document'],
      by: await newClient(),
      query: { name: 'license.pdf' },
    }),
  };
}

export const withoutSubject: NamesBy = { 'it is gone, and was of who acted': ['provider.document_removed'] };

export const updates: NamesBy = {
  'providers.applications_changed role:super_admin self': [
    'providers.applications.submit',
    'providers.applications.withdraw',
  ],
  'closed other': ['providers.applications.approve'],
  'directory.changed role:super_admin': ['providers.applications.approve', 'providers.applications.add'],
  'providers.applications_changed other role:super_admin': [
    'providers.applications.approve',
    'providers.applications.reject',
  ],
};

export const jobs: NamesBy = {
  'files.delete-bytes': ['providers.applications.withdraw', 'providers.applications.removeDocument'],
  'availability.first-week': ['providers.applications.approve', 'providers.applications.add'],
  'notifications.application': ['providers.applications.approve', 'providers.applications.reject'],
  'notifications.added': ['providers.applications.add'],
};
