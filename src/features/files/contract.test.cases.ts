import { newId } from '#/platform/clock.ts';
import { pdf } from '../../../tests/support/bytes.ts';
import type { Cases, FileCases, NamesBy, Refused } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function filesOn(stage: Stage) {
  const { admin, client, call, upload } = stage;

  const file = () => upload(client, '/files?name=letter.pdf', pdf());

  async function bucket() {
    const id = `letters-${newId().slice(-8)}`;
    await call(admin, 'files.buckets.create', { id });
    return id;
  }

  return { file, bucket };
}

export function cases(stage: Stage): Cases {
  const { admin, client } = stage;
  const { file, bucket } = filesOn(stage);
  return {
    'files.buckets.create': async () => ({ by: admin, about: null, named: 'letters' }),
    'files.buckets.update': async () => {
      const bucketId = await bucket();
      return { by: admin, input: { bucketId }, about: null, named: bucketId };
    },
    'files.buckets.empty': async () => {
      const bucketId = await bucket();
      return { by: admin, input: { bucketId }, about: null, named: bucketId };
    },
    'files.buckets.remove': async () => {
      const bucketId = await bucket();
      return { by: admin, input: { bucketId }, about: null, named: bucketId };
    },
    'files.link': async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId }, about: fileId };
    },
    'files.move': async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId }, about: fileId };
    },
    'files.copy': async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId } };
    },
    'files.remove': async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId }, about: fileId };
    },
    'files.get': async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId } };
    },
  };
}

export function uploadCases(stage: Stage): FileCases {
  const { client } = stage;
  const { file } = filesOn(stage);
  return {
    '/files': async () => ({
      leaves: ['files.stored user_management file'],
      by: client,
      query: { name: 'letter.pdf' },
    }),
    '/files/bytes': async () => {
      const { id } = await file();
      return { leaves: ['files.replaced user_management file'], by: client, query: { id } };
    },
  };
}

export const withoutSubject: NamesBy = {
  'its details say which': ['buckets.changed', 'buckets.created', 'buckets.emptied', 'buckets.removed'],
  'what somebody writes or keeps is nobody else’s matter': [
    'files.copied',
    'files.linked',
    'files.removed',
    'files.renamed',
    'files.replaced',
    'files.stored',
  ],
};

const bucketId = ['1x', 'a'.repeat(64)];

export const refused: Refused = {
  'files.buckets.get': { bucketId },
  'files.buckets.create': { id: bucketId },
  'files.list': { bucket: bucketId },
};

export const jobs: NamesBy = {
  'files.delete-bytes': ['files.buckets.empty', 'files.remove'],
};
