use super::*;

/// The options are set in `.cargo/config.toml`. A build without them is correct, but slower.
#[tokio::test]
async fn sqlite_is_built_with_the_measured_options() {
    let pool = SqlitePool::connect("sqlite::memory:").await.expect("it opens");
    let options: Vec<String> = sqlx::query_scalar("pragma compile_options")
        .fetch_all(&pool)
        .await
        .expect("the options are readable");
    let has = |option| options.iter().any(|it| it == option);
    assert!(has("DEFAULT_MEMSTATUS=0") && !has("ENABLE_MEMORY_MANAGEMENT"), "{options:?}");
}
