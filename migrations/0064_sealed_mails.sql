-- What mails say is sealed with ENCRYPTION_KEYS until they are sent; the recipient stays as it is, since mails are found by
-- it. As with profiles, the program seals what is here in the clear.
alter table mails
  add column sealed_subject text,
  add column sealed_text text,
  add column sealed_html text,
  add column sealed_attachments text,
  add column sealed_unsubscribe_url text,
  alter column subject set default '',
  alter column text_body set default '',
  alter column html_body set default '',
  -- Null in what is sealed: an earlier release that runs beside this one fails at it, and leaves the mail to this one.
  alter column attachments drop not null,
  alter column attachments drop default;
create index mails_in_clear on mails (id)
  where subject <> '' or text_body <> '' or html_body <> '' or attachments <> '[]' or unsubscribe_url is not null;
