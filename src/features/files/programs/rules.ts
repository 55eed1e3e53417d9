import { AppError, type ErrorCode } from '#/kernel/errors.ts';

/** An error as the published client reads it. */
export interface StorageError {
  status: number;
  code: string;
  message: string;
}

type Answer = readonly [status: number, code: string, message: string];

/** Answers by reason, with the published service's codes if it has any. */
const byReason: Readonly<Record<string, Answer>> = {
  no_token: [401, 'AccessDenied', 'This needs an access token.'],
  bad_token: [403, 'InvalidJWT', 'The access token is invalid or has expired.'],
  sign_in_required: [403, 'InvalidJWT', 'The session has ended.'],
  factor_needed: [403, 'AccessDenied', 'Verify the second factor first.'],
  reauthentication_required: [403, 'AccessDenied', 'Enter the password again first.'],
  not_a_document: [403, 'AccessDenied', 'Only files in the bucket “documents” can be changed or linked.'],
  no_such_route: [404, 'NoSuchRoute', 'There is no such call.'],
  bucket: [404, 'NoSuchBucket', 'There is no such bucket.'],
  file: [404, 'NoSuchKey', 'There is no such file.'],
  bucket_exists: [409, 'BucketAlreadyExists', 'There is a bucket with this name already.'],
  bucket_needed: [409, 'Conflict', 'The bucket is built in.'],
  bucket_not_empty: [409, 'BucketNotEmpty', 'The bucket isn’t empty.'],
  file_in_use: [409, 'Conflict', 'A file is in use.'],
  name_taken: [409, 'KeyAlreadyExists', 'There is a file with this name already.'],
  name_shared: [409, 'Conflict', 'Several files have this name. Use an id.'],
  too_many_documents: [409, 'Conflict', 'There are too many files. Remove some first.'],
  length_required: [411, 'MissingContentLength', 'The body’s length is missing.'],
  body_too_large: [413, 'EntityTooLarge', 'The body is too large.'],
  file_too_large: [413, 'EntityTooLarge', 'The file is too large.'],
  file_type: [415, 'InvalidMimeType', 'The file’s content isn’t of a type that the bucket takes.'],
  file_empty: [400, 'InvalidRequest', 'The file is empty.'],
  malformed: [400, 'InvalidRequest', 'The body can’t be read.'],
  not_supported: [400, 'NotSupported', 'This isn’t supported.'],
};

const byCode: Readonly<Record<ErrorCode, Answer>> = {
  invalid: [400, 'InvalidRequest', 'The request is invalid.'],
  unauthenticated: [401, 'AccessDenied', 'This needs an access token.'],
  forbidden: [403, 'AccessDenied', 'This isn’t allowed.'],
  not_found: [404, 'NotFound', 'There is no such thing.'],
  conflict: [409, 'Conflict', 'This conflicts with something else.'],
  precondition: [412, 'InvalidRequest', 'This isn’t possible now.'],
  rate_limited: [429, 'SlowDown', 'Too many requests. Try again later.'],
  unavailable: [503, 'Unavailable', 'This is unavailable. Try again later.'],
};

const invalidName: Answer = [400, 'InvalidKey', 'The name is invalid. There are no folders.'];

export function storageError(error: unknown): StorageError {
  if (!(error instanceof AppError)) return storageErrorOf([500, 'InternalError', 'Something went wrong.']);
  const field = error.fields[0];
  if (field?.field === 'name') return storageErrorOf(invalidName);
  if (field?.reason === 'unknown_field') return storageErrorOf(byReason.not_supported!);
  const answer = storageErrorOf(byReason[error.reason] ?? byCode[error.code]);
  return field && !byReason[error.reason]
    ? { ...answer, message: `${answer.message} (${field.field}: ${field.reason})` }
    : answer;
}

function storageErrorOf([status, code, message]: Answer): StorageError {
  return { status, code, message };
}
