-- What a client and a provider write to each other; the two have one conversation. Words are sealed with ENCRYPTION_KEYS.
create table conversations (
  id uuid primary key,
  client_id uuid not null references users on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  -- Sealed; null once the account of whoever opened it is erased.
  subject text,
  opened_at timestamptz not null,
  -- Messages are counted from 1; 0 until the first is stored, in the same transaction.
  last_seq integer not null default 0 check (last_seq >= 0),
  last_at timestamptz not null,
  -- How far each of the two has read, and how many of the other's messages lie beyond.
  client_read_seq integer not null default 0 check (client_read_seq >= 0),
  provider_read_seq integer not null default 0 check (provider_read_seq >= 0),
  client_unread integer not null default 0 check (client_unread >= 0),
  provider_unread integer not null default 0 check (provider_unread >= 0),
  unique (client_id, provider_id),
  unique (id, client_id, provider_id),
  check (client_id <> provider_id),
  check (client_read_seq + client_unread <= last_seq),
  check (provider_read_seq + provider_unread <= last_seq)
);
create index conversations_client on conversations (client_id, last_at desc, id desc);
create index conversations_provider on conversations (provider_id, last_at desc, id desc);
create index conversations_client_unread on conversations (client_id) include (client_unread) where client_unread > 0;
create index conversations_provider_unread on conversations (provider_id) include (provider_unread)
  where provider_unread > 0;

create table messages (
  -- Made by the sender: what is sent twice is stored once.
  id uuid primary key,
  conversation_id uuid not null,
  -- The one order of a conversation, without a gap.
  seq integer not null check (seq > 0),
  -- The two of the conversation, here for the order over all of one's own; who of them wrote it is the next column.
  client_id uuid not null,
  provider_id uuid not null,
  from_client boolean not null,
  -- Sealed; null once the account of whoever wrote it is erased.
  text text,
  -- How many files it brings.
  attachments smallint not null default 0 check (attachments >= 0),
  sent_at timestamptz not null,
  unique (conversation_id, seq),
  foreign key (conversation_id, client_id, provider_id) references conversations (id, client_id, provider_id)
    on delete cascade
);
create index messages_client on messages (client_id, sent_at desc, id desc);
create index messages_provider on messages (provider_id, sent_at desc, id desc);

create function message_stays_where_it_is() returns trigger language plpgsql as $$
begin
  raise exception 'a message stays where it was written';
end $$;
create trigger messages_stay before update of id, conversation_id, seq, client_id, provider_id, from_client, sent_at
  on messages for each row execute function message_stays_where_it_is();

-- What one of the two has begun to write.
create table message_drafts (
  id uuid primary key,
  conversation_id uuid not null references conversations on delete cascade,
  from_client boolean not null,
  -- Sealed.
  text text not null,
  changed_at timestamptz not null,
  unique (conversation_id, from_client)
);

-- Who was mailed that something is unread, and has read nothing since.
create table message_mails (
  person_id uuid primary key references users on delete cascade,
  mailed_at timestamptz not null
);
