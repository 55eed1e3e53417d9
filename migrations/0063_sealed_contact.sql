-- What is written in the contact form, and notes about it, are sealed with ENCRYPTION_KEYS; the address stays as it is, since
-- messages are found by it. As with profiles, the program seals what is here in the clear.
alter table contact_messages
  add column sealed_name text,
  add column sealed_subject text,
  add column sealed_message text,
  add column sealed_note text,
  alter column name set default '',
  alter column subject set default '',
  alter column message set default '',
  drop constraint contact_messages_name_check,
  drop constraint contact_messages_subject_check,
  drop constraint contact_messages_message_check;
-- No index finds words in what is sealed.
drop index contact_messages_search;
create index contact_messages_in_clear on contact_messages (id)
  where name <> '' or subject <> '' or message <> '' or note <> '';
