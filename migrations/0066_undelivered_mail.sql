-- What a mail is and until when it is of use, so that administrators can send again what couldn't be delivered.
alter table mails
  add column kind text,
  add column expires_at timestamptz,
  add column resent_at timestamptz;

-- Urgent mails of before carry links that last a day at most.
update mails set expires_at = created_at + interval '1 day' where urgent and sent_at is null;
