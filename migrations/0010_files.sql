-- Stored files: a row says what there is, a disk (a folder or S3) holds the bytes under the row's `object`.
create table buckets (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{0,62}$'),
  readable_by text not null check (readable_by in ('everyone', 'owner')),
  -- No disk takes more than 5 GiB in one piece.
  max_bytes bigint not null check (max_bytes between 1 and 5368709120),
  -- What a file's bytes may show it to be.
  content_types text[] not null check (cardinality(content_types) between 1 and 50)
);

insert into buckets (id, readable_by, max_bytes, content_types) values
  ('photos', 'everyone', 5 * 1024 * 1024, '{image/jpeg,image/png,image/webp}'),
  ('resources', 'owner', 200 * 1024 * 1024,
    '{application/pdf,audio/mpeg,audio/mp4,audio/ogg,audio/wav,video/mp4,video/webm}'),
  ('documents', 'owner', 20 * 1024 * 1024, '{application/pdf,image/jpeg,image/png}'),
  ('exports', 'owner', 2::bigint * 1024 * 1024 * 1024, '{application/zip,application/pdf}');

create table files (
  id uuid primary key,
  bucket text not null references buckets,
  -- Null: the site's own.
  owner_id uuid references users on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  content_type text not null,
  size bigint not null check (size > 0),
  -- Where its bytes lie; other bytes in its place lie under another.
  object uuid not null unique,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index files_by_name on files (bucket, name, id);
create index files_of_owner on files (owner_id, bucket, name, id);

-- Bytes that no row stands for any more: written with whatever takes the row away, deleted from the disk after that
-- has committed.
create table file_leftovers (
  object uuid primary key
);

create function leave_bytes() returns trigger language plpgsql as $$
begin
  insert into file_leftovers (object) values (old.object) on conflict do nothing;
  return null;
end $$;
create trigger files_removed after delete on files
  for each row execute function leave_bytes();
create trigger files_replaced after update of object on files
  for each row when (old.object <> new.object) execute function leave_bytes();
