-- What is sealed lies on the disk encrypted, each file's bytes with a key of their own; only the part of the product that
-- keeps it gives it out.
alter table buckets add column sealed boolean not null default false;
-- That key, itself sealed; null where bytes lie as they are.
alter table files add column sealed_key text;

insert into buckets (id, readable_by, max_bytes, content_types, sealed) values
  ('attachments', 'owner', 10 * 1024 * 1024,
    '{image/jpeg,image/png,image/webp,image/gif,application/pdf,text/plain,audio/mpeg,audio/mp4,audio/ogg,video/mp4,application/vnd.openxmlformats-officedocument.wordprocessingml.document,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet}',
    true);

-- Files for a conversation, uploaded before the message that brings them; one that none brings is kept for a day.
create table attachments (
  -- The file's own id.
  id uuid primary key references files,
  conversation_id uuid not null references conversations on delete cascade,
  uploaded_by uuid not null references users on delete cascade,
  -- Sealed.
  name text not null,
  -- Of a picture, in pixels.
  width integer check (width > 0),
  height integer check (height > 0),
  message_id uuid references messages on delete cascade,
  -- Which one of its message's it is, from 1.
  ordinal smallint check (ordinal > 0),
  uploaded_at timestamptz not null,
  unique (message_id, ordinal),
  check ((width is null) = (height is null)),
  check ((message_id is null) = (ordinal is null))
);
create index attachments_conversation on attachments (conversation_id);
create index attachments_uploaded_by on attachments (uploaded_by);
create index attachments_unsent on attachments (uploaded_at) where message_id is null;

-- The file goes with its row, whatever takes that away.
create function remove_attached_file() returns trigger language plpgsql as $$
begin
  delete from files where id = old.id;
  return null;
end $$;
create trigger attachments_removed after delete on attachments
  for each row execute function remove_attached_file();
