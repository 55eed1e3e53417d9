-- The landing page shows the newest of them: found without looking through every rating.
create index testimonials_featured on testimonials (created_at desc, id) where featured and text is not null;
