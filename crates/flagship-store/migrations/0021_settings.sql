-- What organizers set on the site: for each table of event.toml, JSON of the keys that they set.
create table settings (
    section  text not null,
    value    text not null,
    constraint settings_pk primary key (section)
);

-- The secrets among it, sealed under the event's secret.
create table setting_secrets (
    name     text not null,
    sealed   text not null,
    constraint setting_secrets_pk primary key (name)
);
