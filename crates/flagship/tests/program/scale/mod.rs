//! Several nodes on PostgreSQL servers that fail over, or behind a connection pooler.

mod failover;
mod moving;
mod pair;
mod pooler;
