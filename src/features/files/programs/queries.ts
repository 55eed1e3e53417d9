import type { Bucket, StoredFile } from '#/platform/files/files.ts';

const cacheControl = 'max-age=3600';

/** A bucket as the published client expects it, without the times and owner that ours don’t have. */
export function storageBucket({ id, readableBy, maxBytes, contentTypes }: Bucket) {
  return {
    id,
    name: id,
    type: 'STANDARD',
    public: readableBy === 'everyone',
    file_size_limit: maxBytes,
    allowed_mime_types: contentTypes,
  };
}

/** A file as the published client expects it in lists. */
export function storageObject({ id, bucket, name, size, contentType, version, ...times }: StoredFile) {
  const updatedAt = times.updatedAt.toString();
  return {
    id,
    name,
    bucket_id: bucket,
    created_at: times.createdAt.toString(),
    updated_at: updatedAt,
    last_accessed_at: updatedAt,
    metadata: {
      eTag: `"${version}"`,
      size,
      mimetype: contentType,
      cacheControl,
      lastModified: updatedAt,
      contentLength: size,
      httpStatusCode: 200,
    },
  };
}

/** A file as the published client expects it. */
export function storageInfo({ id, bucket, name, size, contentType, version, ...times }: StoredFile) {
  return {
    id,
    name,
    version,
    bucket_id: bucket,
    size,
    content_type: contentType,
    cache_control: cacheControl,
    etag: `"${version}"`,
    created_at: times.createdAt.toString(),
    last_modified: times.updatedAt.toString(),
    metadata: {},
  };
}
