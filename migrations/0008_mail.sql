-- Every mail is written once under its key before it is sent; without SMTP it stays here, in the mail tray.
-- What was sent keeps its key and its times, so that it isn't sent again, and nothing of what it said.
create table mails (
  id uuid primary key,
  key text not null unique,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  -- [{ "filename": "…", "contentType": "…", "content": "…" }]
  attachments jsonb not null default '[]',
  request_id text not null,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_newest on mails (created_at desc, id desc);
