-- What was backed up, by whom, and how it ended; the backups themselves are files of a folder.
create table backups (
  id uuid primary key,
  requested_at timestamptz not null,
  origin text not null check (origin in ('schedule', 'person', 'command')),
  requested_by uuid references users on delete set null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  started_at timestamptz,
  finished_at timestamptz,
  reason text check (reason in ('interrupted', 'stopped', 'disk_full', 'folder', 'database', 'files', 'unknown')),
  rows bigint not null default 0,
  -- Files that were stored, and those whose bytes were missing already.
  files bigint not null default 0,
  missing_files bigint not null default 0,
  -- What the backup's own file takes, and SHA-256 of it.
  bytes bigint not null default 0,
  checksum text,
  file_name text,
  -- When it made room for newer ones.
  removed_at timestamptz,
  check ((state = 'failed') = (reason is not null)),
  check ((state in ('done', 'failed')) = (finished_at is not null)),
  check ((state = 'done') = (file_name is not null and checksum is not null))
);
create index backups_newest on backups (requested_at desc, id desc);
create index backups_requested_by on backups (requested_by);
-- One at a time.
create unique index backups_one on backups ((true)) where state in ('waiting', 'running');
