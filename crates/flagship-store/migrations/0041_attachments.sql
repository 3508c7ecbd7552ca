-- Attachments and branding files of events that store them in the database.
create table attachments (
    digest      text    not null,
    -- Size of the file.
    bytes       bigint  not null,
    -- Time of the last attempt to store the file.
    begun_at_ms bigint  not null,
    -- False while pieces may be missing.
    is_complete boolean not null,
    constraint attachments_pk primary key (digest)
);

-- Content of these files. All pieces of a file have the same size, except for the last one.
create table attachment_pieces (
    digest text   not null,
    number bigint not null,
    -- SQLite has no type of this name and stores any value unchanged.
    bytes  bytea  not null,
    constraint attachment_pieces_pk primary key (digest, number)
);

-- Notes about uploads of the last day, for files in the database or in a bucket.
create table upload_notes (
    digest      text    not null,
    -- Hash of the uploading organizer's name. Empty for the note that ends with the file's use.
    uploader    text    not null,
    -- Time of the upload, or of the start of the removal.
    at_ms       bigint  not null,
    -- True while a node removes the file.
    is_removing boolean not null,
    constraint upload_notes_pk primary key (digest, uploader)
);
